import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from './compressed.ts';
import type { CompressedForms } from './compressed-forms.ts';
import type { WebFile } from './web-file.ts';
import { isFresh } from './send-text.ts';

/** Sends the file with a cache lifetime of one year, in the best encoding that the client accepts. */
export async function sendWebFile(
  forms: CompressedForms,
  file: WebFile,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { type, bytes, etag } = file;
  void reply
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('vary', 'accept-encoding')
    .header('etag', etag)
    .header('content-type', type);
  if (isFresh(request, etag)) return reply.code(304).send();
  const encoding = encodingFor(request.headers['accept-encoding'], { type, bytes });
  if (encoding) void reply.header('content-encoding', encoding);
  return reply.send(await forms.of(file, encoding));
}
