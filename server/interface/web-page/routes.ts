import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from '../../apps/app-pages/compressed.ts';
import type { CompressedForms } from '../../apps/app-pages/compressed-forms.ts';
import { isFresh } from '../../apps/app-pages/send-text.ts';
import type { WebFile } from '../../apps/app-pages/web-file.ts';
import { sendWebFile } from '../../apps/app-pages/web-files.ts';
import type { Context } from '../../base/context.ts';
import { secretOf } from '../../http/credentials.ts';
import { readBuilt } from './built-files.ts';
import { readDocs } from './docs.ts';
import { fileInMemory } from './file-in-memory.ts';

const repository = new URL('../../../', import.meta.url);

/** The addresses that the interface shows something at; which, it decides in the browser. */
const pagePaths = ['/', '/login', '/reset-password', '/maps', '/me', '/me/*', '/p/*', '/admin', '/admin/*'];

const notBuilt = `The web interface is not built. Run “npm run build”. The API works without it.
`;

/**
 * Scripts, pictures and requests of this service alone, and nothing inline but the style sheets that the editor and the
 * menus make as they run, which carry the number of this one answer.
 */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self' data:", // the map fetches the picture of a raster, which is a data URL
    "font-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Serves the interface at its addresses, its files at `/web/`, and the documentation as plain text at `/docs/`. */
export function registerWebPage(app: FastifyInstance, { settings }: Context, forms: CompressedForms): void {
  let docs: Promise<ReadonlyMap<string, WebFile>> | undefined; // read when they are first asked for
  app.get('/docs/*', async (request, reply) => {
    docs ??= docsFiles();
    docs.catch(() => (docs = undefined));
    const { '*': path } = request.params as { '*': string };
    const file = (await docs).get(`/docs/${path}`);
    return file ? sendNamed(forms, file, { request, reply }) : reply.callNotFound();
  });
  const built = readBuilt();
  if (!built) {
    app.get('/', async (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(notBuilt));
    return;
  }
  const { html, frame, files, named } = built;
  const preloads = frame.map((path) => `<link rel="modulepreload" crossorigin href="${path}">`).join('');
  const withSession = html
    .replace('data-session="no"', 'data-session="yes"')
    .replace('</head>', `${preloads}</head>`);
  for (const path of pagePaths) {
    app.get(path, async (request, reply) => {
      const hasSession = secretOf(request, settings.baseUrl) !== undefined;
      const nonce = randomBytes(16).toString('base64url');
      void reply.headers({
        'content-security-policy': contentSecurityPolicy(nonce),
        // not `no-referrer`, which would have browsers send `Origin: null` when signing in
        'referrer-policy': 'same-origin',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      });
      const page = hasSession ? withSession : html;
      return reply.send(page.replace('name="csp-nonce" content=""', `name="csp-nonce" content="${nonce}"`));
    });
  }
  app.get('/web/assets/*', async (request, reply) => {
    const file = files.get(request.url.split('?')[0]!);
    return file ? sendWebFile(forms, file, { request, reply }) : reply.callNotFound();
  });
  for (const [path, file] of named) {
    app.get(path, async (request, reply) => sendNamed(forms, file, { request, reply }));
  }
}

/** The pages of the documentation by their addresses. */
async function docsFiles(): Promise<ReadonlyMap<string, WebFile>> {
  const pages = await readDocs(repository);
  const index = JSON.stringify(pages.map(({ path, title }) => ({ path, title })));
  return new Map([
    ['/docs/index.json', textFile('application/json', index)],
    ...pages.map(({ path, text }): [string, WebFile] => [`/docs/${path}`, textFile('text/plain', text)]),
  ]);
}

function textFile(type: string, text: string): WebFile {
  return fileInMemory(Buffer.from(text), `${type}; charset=utf-8`);
}

/** The name is the same in all versions, so browsers revalidate each time, and mostly get a 304. */
async function sendNamed(
  forms: CompressedForms,
  file: WebFile,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  void reply.headers({
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    etag: file.etag,
    'cross-origin-resource-policy': 'same-origin',
  });
  if (isFresh(request, file.etag)) return reply.code(304).send();
  const encoding = encodingFor(request.headers['accept-encoding'], file);
  if (encoding) void reply.header('content-encoding', encoding);
  return reply.header('content-type', file.type).send(await forms.of(file, encoding));
}
