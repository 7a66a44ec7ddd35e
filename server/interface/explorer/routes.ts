import { readFile } from 'node:fs/promises';
import type { Examples } from '@platen/contract/examples';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { version } from '../../base/version.ts';

/** Headers that belong to the connection or to the request, which the outer application sets itself. */
const ownHeaders = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/** The API explorer at /apidoc/v1/ and the document it shows, /apidoc/v1/openapi.json; both work offline. */
export function registerExplorer(app: FastifyInstance): void {
  let document: Promise<{ value: object; text: string }> | undefined;
  let explorer: Promise<FastifyInstance> | undefined;
  const describe = () => (document ??= describeService());
  const open = async () => {
    const { openExplorer } = await import('./pages.ts');
    return openExplorer((await describe()).value);
  };
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    explorer ??= open();
    explorer.catch(() => (explorer = undefined));
    const { url, headers } = request;
    const answer = await (await explorer).inject({ method: 'GET', url, headers: headers as never });
    if (answer.statusCode === 404) return reply.callNotFound();
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !ownHeaders.has(name)) void reply.header(name, value);
    return reply.code(answer.statusCode).send(answer.rawPayload);
  };
  for (const path of ['/apidoc/v1', '/apidoc/v1/*']) app.get(path, send);
  app.get('/apidoc/v1/openapi.json', async (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send((await describe()).text),
  );
  app.addHook('onClose', async () => (await explorer?.catch(() => undefined))?.close());
}

/** Loaded when it is first asked for: a start needs neither the description nor the pages. */
async function describeService(): Promise<{ value: object; text: string }> {
  const { describeApi } = await import('@platen/contract/describe');
  const { describeParameters } = await import('../../jobs/types/describe-parameters.ts');
  const file = new URL('../../../contract/examples.json', import.meta.url);
  const examples = JSON.parse(await readFile(file, 'utf8')) as Examples;
  const value = describeApi(version, { parameters: describeParameters(), examples });
  return { value, text: JSON.stringify(value) };
}
