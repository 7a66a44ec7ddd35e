import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { Failure, notFound } from '../failure.ts';
import { isNamed, rangeHolds, rangeOf } from '../serving/ranges.ts';
import type { ObjectFile } from './store.ts';
import { tarOf } from './tar.ts';

interface Http {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Sends a file, or the range asked for, for saving; HEAD gets the same headers. */
export async function sendFile({ store }: Context, file: ObjectFile, { request, reply }: Http) {
  const etag = `"${file.sha256}"`;
  const { headers } = request;
  const modified = new Date(file.updatedAt);
  void reply.headers({
    etag,
    'last-modified': modified.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-disposition': attachment(file.key),
    'content-security-policy': 'sandbox',
  });
  if (isNamed(headers['if-none-match'], etag)) return reply.code(304).send();
  const wanted =
    request.method === 'GET' && rangeHolds(headers['if-range'] as string | undefined, etag, modified)
      ? rangeOf(headers.range, file.size)
      : undefined;
  if (wanted === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${file.size}`).removeHeader('content-disposition');
    throw new Failure('range_not_satisfiable', `The file has ${file.size} bytes.`);
  }
  const { start, end } = wanted ?? { start: 0, end: file.size - 1 };
  if (wanted) void reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`);
  void reply.type(file.contentType).header('content-length', end - start + 1);
  if (request.method === 'HEAD') return reply.send(noBody());
  const body = await store.stream(file.blobId, { offset: start, length: end - start + 1 });
  if (!body) throw notFound('file');
  return reply.send(body);
}

/** Sends the files as one tar.gz, packed while it is sent. */
export function sendArchive(
  { store }: Context,
  name: string,
  files: AsyncIterable<ObjectFile>,
  { request, reply }: Http,
) {
  void reply.type('application/gzip').headers({
    'cache-control': 'private, no-cache',
    'content-disposition': attachment(`${name}.tar.gz`),
  });
  if (request.method === 'HEAD') return reply.send(noBody());
  const tar = Readable.from(tarOf(store, files), { objectMode: false });
  const packed = createGzip({ level: 1 });
  tar.on('error', (error) => packed.destroy(error));
  packed.on('close', () => tar.destroy());
  return reply.send(tar.pipe(packed));
}

/** RFC 6266: an ASCII name for old clients, and the real one. */
function attachment(key: string): string {
  const name = key.split('/').at(-1)!;
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** A stream, because Fastify takes the length of any other body of a HEAD for the length of the file. */
const noBody = () => Readable.from([]);
