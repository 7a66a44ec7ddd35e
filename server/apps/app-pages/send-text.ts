import { weakTag } from '../../http/content-tag.ts';
import type { App } from '@platen/contract/apps';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressQuickly, encodingFor } from './compressed.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

interface Text {
  readonly app: Pick<App, 'isPublic'>;
  readonly text: string;
  readonly type: string;
  /** Text whose hash is the ETag. */
  readonly tag: string;
  /** Request headers that the response varies by, besides the usual ones. */
  readonly variesBy?: string;
}

/** Clients revalidate at each visit, so that a change of content or visibility takes effect at once. */
export async function sendText(
  request: Request,
  reply: Reply,
  { app, text, type, tag, variesBy }: Text,
): Promise<unknown> {
  const etag = weakTag(tag);
  void reply
    .header('cache-control', app.isPublic ? 'no-cache' : 'private, no-cache')
    .header(
      'vary',
      ['accept-encoding', 'authorization', 'cookie', ...(variesBy ? [variesBy] : [])].join(', '),
    )
    .header('etag', etag);
  if (isFresh(request, etag)) return reply.code(304).send();
  return sendEncoded(request, reply, { type, body: Buffer.from(text) });
}

async function sendEncoded(
  request: Request,
  reply: Reply,
  { type, body }: { type: string; body: Buffer },
): Promise<unknown> {
  void reply.header('content-type', type);
  // gzip only: the text is compressed for each response, so compression must be fast
  const encoding = encodingFor(request.headers['accept-encoding'], { type, bytes: body.length }, ['gzip']);
  if (encoding === undefined) return reply.send(body);
  return reply.header('content-encoding', encoding).send(await compressQuickly(body, encoding));
}

/** Whether the client already has this response. */
export function isFresh(request: Request, etag: string): boolean {
  const { 'if-none-match': known = '' } = request.headers;
  return known.includes(etag.replace(/^W\//, ''));
}
