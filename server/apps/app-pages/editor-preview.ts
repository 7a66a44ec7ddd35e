import { engineModules, engineStyles, findEngine, installedEngines } from '@platen/viewer/engines';
import { appPage } from '@platen/viewer/page';
import { previewScript } from '@platen/viewer/start-script';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { Failure, invalidAt } from '../../base/failure.ts';
import { isCrossSite, requestOriginOf, secretOf } from '../../http/credentials.ts';
import { authorise } from '../../identity/iam/authorise.ts';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { originOf } from '../../base/origin-of.ts';
import { maxHosts } from './foreign-hosts.ts';
import { languageOf } from '../../http/language.ts';
import { closedPolicy } from './policy.ts';
import { sendMessage } from './send-message.ts';
import { sendText } from './send-text.ts';

type Request = FastifyRequest;

/**
 * The map next to an editor: a page for signed-in users that shows what the surrounding page sends (viewer/preview.ts).
 * It contains no data of its own, reads data with the session, and may load from the hosts that the module preview
 * names.
 */
export function registerEditorPreview(app: FastifyInstance, context: Context): void {
  app.get('/app-preview', async (request, reply) => {
    if (!(await isSignedIn(context, request))) return sendMessage(request, reply, 'missing');
    const { engine: range, hosts, locale } = optionsOf(request);
    const engine = range === undefined ? installedEngines()[0] : findEngine(range);
    if (!engine) return sendMessage(request, reply, 'engineMissing');
    const html = appPage({
      appId: 'preview',
      title: '',
      engineVersion: engine.version,
      preload: [...engineModules(engine), ...engineStyles(engine)],
      language: languageOf(request),
      preview: previewScript().path,
      ...(locale !== undefined && { locale }),
    });
    const policy = closedPolicy(context, request, hosts);
    void reply.header('content-security-policy', policy).header('referrer-policy', 'same-origin');
    const type = 'text/html; charset=utf-8';
    const variesBy = 'accept-language';
    return sendText(request, reply, {
      app: { isPublic: false },
      text: html,
      type,
      tag: html + policy,
      variesBy,
    });
  });
}

async function isSignedIn({ lookups, settings, now }: Context, request: Request): Promise<boolean> {
  const secret = isCrossSite(request) ? undefined : secretOf(request, settings.baseUrl);
  if (secret === undefined) return false;
  const credential = { hash: hashSecret(secret), ...requestOriginOf(request), now: now() };
  try {
    await authorise(lookups, { path: '', access: 'user' }, {}, credential);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

interface Options {
  readonly engine: string | undefined;
  readonly hosts: readonly string[];
  readonly locale: string | undefined;
}

/** @throws Failure `invalid` */
function optionsOf(request: Request): Options {
  const query = request.query as Record<string, string | string[]>;
  const only = (name: string) => [query[name] ?? []].flat().at(-1);
  const hosts = [query['host'] ?? []].flat();
  const wrong = hosts.find((host) => originOf(host) !== host);
  if (wrong !== undefined || hosts.length > maxHosts)
    throw invalidAt(
      '/host',
      `Each host must be an origin, such as https://tiles.example.org. At most ${maxHosts} are allowed.`,
    );
  const locale = only('locale');
  if (locale !== undefined && !/^[a-z]{2}$/.test(locale))
    throw invalidAt('/locale', 'It must be a language, such as de or en.');
  return { engine: only('engine'), hosts, locale };
}
