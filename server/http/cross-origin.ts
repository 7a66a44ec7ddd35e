import { apiPrefix } from '@platen/contract/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownOriginOf } from './credentials.ts';
import { methodsAt } from './unknown-routes.ts';

interface Options {
  readonly baseUrl: string | undefined;
  /** Origins of the websites whose pages may call the API. */
  readonly origins: () => Promise<readonly string[]>;
}

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Range',
  'Tus-Resumable',
  'Upload-Defer-Length',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
].join(', ');

const responseHeaders = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'X-Request-Id',
].join(', ');

/** Short, as an origin that was removed keeps its preflights so long. */
const preflightSeconds = '600';

/**
 * Lets pages of the websites that an administrator has named call the API (CORS), with a token only: their requests are
 * answered without `Access-Control-Allow-Credentials`, and lose their cookies. Preflights are answered at once.
 */
export function allowOrigins({ baseUrl, origins }: Options) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.url.startsWith(`${apiPrefix}/`)) return;
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || origin === ownOriginOf(request, baseUrl)) return;
    if (!(await origins()).includes(origin)) return;
    delete request.headers.cookie;
    void reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', responseHeaders);
    if (isPreflight(request)) await answerPreflight(request, reply);
  };
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

const allMethods = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

/** Paths that no endpoint has take any method, so that pages can read the refusal of the request that follows. */
async function answerPreflight(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const known = methodsAt(request.url.split('?')[0]!);
  const methods = known.length > 0 ? known : allMethods;
  await reply
    .code(204)
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', requestHeaders)
    .header('access-control-max-age', preflightSeconds)
    .send();
}
