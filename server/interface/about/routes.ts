import type { FastifyInstance } from 'fastify';
import { languageOf } from '../../http/language.ts';
import { messagePolicy } from '../../apps/app-pages/message-page.ts';
import { readAbout, type AboutFiles } from './about-files.ts';
import { aboutPage, licencesText } from './about-page.ts';

/** Serves the version, the packages and their licences at /about, to everybody. */
export function registerAbout(app: FastifyInstance, read: () => AboutFiles | undefined = readAbout): void {
  let files: AboutFiles | undefined;
  let licences: Buffer | undefined;
  const load = () => (files ??= read()); // on the first request
  app.get('/about', async (request, reply) =>
    reply
      .headers({
        'content-security-policy': messagePolicy,
        'referrer-policy': 'same-origin',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'accept-language',
      })
      .send(aboutPage(languageOf(request), load()?.licences)),
  );
  app.get('/about/licences.txt', async (_request, reply) => {
    const about = load();
    if (!about) return reply.callNotFound();
    licences ??= Buffer.from(licencesText(about.licences)); // megabytes, which all responses share
    return reply.type('text/plain; charset=utf-8').send(licences);
  });
  app.get('/about/sbom.json', async (_request, reply) => {
    const about = load();
    if (!about) return reply.callNotFound();
    return reply.type('application/vnd.cyclonedx+json; charset=utf-8').send(about.bill);
  });
}
