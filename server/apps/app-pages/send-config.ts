import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ViewerConfig } from '../load.ts';
import { compressQuickly, encodingFor, type Encoding } from './compressed.ts';
import { isFresh } from './send-text.ts';

const type = 'application/json; charset=utf-8';

/** A configuration in the encodings that it can be sent in. */
interface EncodedConfig {
  readonly etag: string;
  /** In bytes, before compression. */
  readonly size: number;
  readonly isPublic: boolean;
  readonly encodings: readonly Encoding[];
  readonly bodyIn: (encoding: Encoding | undefined) => Promise<Buffer | Readable>;
}

/** Clients revalidate at each visit, so that a change of content or visibility takes effect at once. */
export async function sendEncodedConfig(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, size, isPublic, encodings, bodyIn }: EncodedConfig,
): Promise<unknown> {
  void reply
    .header('cache-control', isPublic ? 'no-cache' : 'private, no-cache')
    .header('vary', 'accept-encoding, authorization, cookie')
    .header('etag', etag);
  if (isFresh(request, etag)) return reply.code(304).send();
  const encoding = encodingFor(request.headers['accept-encoding'], { type, bytes: size }, encodings);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.header('content-type', type).send(await bodyIn(encoding));
}

/** Sends a configuration that was made for this request. */
export function sendMadeConfig(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag, isPublic }: Pick<ViewerConfig, 'bytes' | 'etag'> & { readonly isPublic: boolean },
): Promise<unknown> {
  return sendEncodedConfig(request, reply, {
    etag,
    size: bytes.length,
    isPublic,
    encodings: ['gzip'], // it is compressed for each response, so compression must be fast
    bodyIn: async (encoding) => (encoding ? compressQuickly(bytes, encoding) : bytes),
  });
}
