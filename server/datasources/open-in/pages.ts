import { randomBytes } from 'node:crypto';
import { copyScript } from '@platen/viewer/copy-script';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from '../../http/language.ts';
import type { Context } from '../../base/context.ts';
import { secretOf } from '../../http/credentials.ts';
import { publicOrigin } from '../../http/public-origin.ts';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { decideForNewReader } from '../serving/access.ts';
import { linksOf } from './links.ts';
import { missingPage, openPage, openPolicy } from './page.ts';
import { findDatasourceAnywhere, readableDataOf } from './read-access.ts';

/** The page with the addresses of the data of a datasource, for everyone who may read the data. */
export function registerOpenPages(app: FastifyInstance, context: Context): void {
  app.get('/open/:datasourceId', (request, reply) => sendOpenPage(context, request, reply));
  const { path, body } = copyScript();
  app.get(path, (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(body),
  );
}

async function sendOpenPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, settings, now } = context;
  const { datasourceId } = request.params as { datasourceId: string };
  const origin = publicOrigin(settings, request);
  const language = languageOf(request);
  const nonce = randomBytes(16).toString('base64url');
  void reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': openPolicy(nonce),
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
    vary: 'accept-language, authorization, cookie',
  });
  const id = /^[\w-]{1,64}$/.test(datasourceId) ? datasourceId : '';
  const secret = secretOf(request, settings.baseUrl);
  const hash = secret === undefined ? undefined : hashSecret(secret);
  const decision = await decideForNewReader(db, id, hash, now());
  const datasource = decision.datasource && (await findDatasourceAnywhere(context, id));
  if (!datasource) return reply.code(404).send(missingPage(language));
  const shown = await readableDataOf(context, datasource, decision);
  const { name, description } = datasource;
  return reply.send(openPage(language, { name, description, links: linksOf(shown, origin), nonce }));
}
