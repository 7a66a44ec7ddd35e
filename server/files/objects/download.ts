import { randomUUID } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { Failure, notFound } from '../../base/failure.ts';
import { matchesEtag, matchesIfRange, rangesOf, type ByteRange } from '../../http/ranges.ts';
import type { ObjectFile } from './store.ts';
import { packFiles, type PackedFile } from './pack-files.ts';

/** Bytes per read of a response with several ranges. */
const chunkBytes = 256 * 1024;

interface Http {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Files with their paths in an archive of that name. */
export interface Packable {
  readonly name: string;
  readonly files: AsyncIterable<PackedFile>;
}

/** A file of a bucket, or another that is sent like one. */
export type Sendable = Pick<ObjectFile, 'key' | 'size' | 'sha256' | 'contentType' | 'updatedAt' | 'blobId'>;

/** Sends a file, or the ranges asked for, for saving; HEAD gets the headers of the whole. */
export async function sendFile(context: Context, file: Sendable, { request, reply }: Http) {
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
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
  const wanted =
    request.method === 'GET' && matchesIfRange(headers['if-range'] as string | undefined, etag, modified)
      ? rangesOf(headers.range, file.size)
      : undefined;
  if (wanted === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${file.size}`).removeHeader('content-disposition');
    throw new Failure('range_not_satisfiable', `The file has ${file.size} bytes.`);
  }
  if (wanted && wanted.length > 1) return sendSpans(context, file, wanted, reply);
  const [{ start, end }] = (wanted ?? [{ start: 0, end: file.size - 1 }]) as [ByteRange];
  if (wanted) void reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`);
  void reply.type(file.contentType).header('content-length', end - start + 1);
  if (request.method === 'HEAD') return reply.send(noBody());
  const body = await context.store.stream(file.blobId, { offset: start, length: end - start + 1 });
  if (!body) throw notFound('file');
  return reply.send(body);
}

/** Several ranges, one after the other, each with a head that says which it is (RFC 9110, 14.6). */
async function sendSpans(
  { store }: Context,
  file: Sendable,
  spans: readonly ByteRange[],
  reply: FastifyReply,
) {
  const boundary = randomUUID();
  const { size, contentType } = file;
  const heads = spans.map(({ start, end }) =>
    Buffer.from(
      `\r\n--${boundary}\r\ncontent-type: ${contentType}\r\ncontent-range: bytes ${start}-${end}/${size}\r\n\r\n`,
    ),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const lengths = spans.map(({ start, end }, index) => heads[index]!.length + end - start + 1);
  const object = await store.open(file.blobId);
  if (!object) throw notFound('file');
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (const [index, { start, end }] of spans.entries()) {
      yield heads[index]!;
      for (let at = start; at <= end; at += chunkBytes)
        yield await object!.read(at, Math.min(chunkBytes, end - at + 1));
    }
    yield tail;
  }
  const body = Readable.from(parts(), { objectMode: false });
  body.on('close', () => void object.close().catch(() => {})); // also if the client disconnects before the first part
  const length = lengths.reduce((sum, one) => sum + one, tail.length);
  void reply.code(206).type(`multipart/byteranges; boundary=${boundary}`).header('content-length', length);
  return reply.send(body);
}

/**
 * Sends the files as one tar.gz, packed while it is sent. An error breaks off the response, so that clients notice that
 * it is incomplete.
 */
export function sendArchive({ store }: Context, { name, files }: Packable, http: Http) {
  return sendTar(name, () => packFiles(store, files), http);
}

/** The same of any tar. */
export function sendTar(name: string, pack: () => AsyncGenerator<Uint8Array>, { request, reply }: Http) {
  void reply.type('application/gzip').headers({
    'cache-control': 'private, no-cache',
    'content-disposition': attachment(`${name}.tar.gz`),
  });
  if (request.method === 'HEAD') return reply.send(noBody());
  const tar = Readable.from(pack(), { objectMode: false });
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
