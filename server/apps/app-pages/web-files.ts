import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from './compressed.ts';
import type { CompressedForms } from './compressed-forms.ts';
import { isFresh } from './send-text.ts';

/** A file of a map viewer or a plugin: what lies at its address never changes. */
export interface WebFile {
  /** Names the content for good; hexadecimal digits. */
  readonly id: string;
  readonly type: string;
  /** Its size. */
  readonly bytes: number;
  readonly etag: string;
  read(): Promise<Buffer>;
}

/** Sends it to be kept for a year, in the best encoding that the client takes. */
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
