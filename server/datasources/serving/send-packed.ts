import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { OpenObject } from '@platen/storage/object-store';
import { Failure } from '../../base/failure.ts';
import { takesGzip, takesZstd, type Packing, type ServedFile } from './file-headers.ts';
import type { ServingCache } from './serving-cache.ts';
import { matchesEtag } from '../../http/ranges.ts';
import { finish, chunkBytes, writeRange, type Exchange, type Headers } from './send-bytes.ts';

/** How stored bytes become what a client accepts. */
interface Unpacking {
  readonly encoding?: 'gzip' | 'zstd';
  /** Raw DEFLATE is sent between a gzip header and trailer (RFC 1952). */
  readonly isWrapped?: true;
  readonly steps: readonly (() => NodeJS.ReadWriteStream)[];
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const wrappingBytes = 18;
/** Tiles unpack to some ten times their length, what is made to harm to a thousand. */
const maxRatio = 100;
const minUnpackedBytes = 16 * 1024 * 1024;
/** Unpacking a large file takes as long as its reader takes; this ends what nobody waits for. */
export const maxUnpackingMs = 3_600_000;
/** A decoder keeps a window in memory, which content for the web must not make larger (RFC 9659). */
const zstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

function unpackingOf(packing: Packing, acceptEncoding: string | undefined): Unpacking {
  if (packing === 'zstd')
    return takesZstd(acceptEncoding)
      ? { encoding: 'zstd', steps: [] }
      : { steps: [() => createZstdDecompress(zstdOptions)] };
  const [inflate, gunzip] = [() => createInflateRaw(), () => createGunzip()];
  const isTaken = takesGzip(acceptEncoding);
  if (packing === 'deflate')
    return isTaken ? { encoding: 'gzip', isWrapped: true, steps: [] } : { steps: [inflate] };
  const before = packing === 'gzipInDeflate' ? [inflate] : [];
  return isTaken ? { encoding: 'gzip', steps: before } : { steps: [...before, gunzip] };
}

/**
 * Sends a file whose stored bytes are packed: unchanged to clients that accept the encoding, unpacked to others. It supports
 * no ranges. Returns false if the bytes no longer exist. @throws Failure `unprocessable` if it would unpack to far too much
 */
export async function sendPacked(
  cache: ServingCache,
  { file, headers: common }: { file: ServedFile; headers: Headers },
  exchange: Exchange,
): Promise<boolean> {
  const { request } = exchange;
  const unpacking = unpackingOf(file.packing, request.headers['accept-encoding']);
  const etag = unpacking.encoding === undefined ? file.etagUnpacked : file.etag;
  const headers: Headers = { ...common, etag };
  if (matchesEtag(request.headers['if-none-match'], etag)) return finish(exchange, 304, headers);
  if (unpacking.steps.length > 0) requireModestSize(file);
  headers['content-type'] = file.contentType;
  if (unpacking.encoding !== undefined) headers['content-encoding'] = unpacking.encoding;
  const length = lengthOf(file, unpacking);
  if (length !== undefined) headers['content-length'] = length;
  if (request.method === 'HEAD') return finish(exchange, 200, headers);
  if (unpacking.steps.length > 0) return sendUnpacked(cache, { file, unpacking, headers }, exchange);
  return sendRaw(cache, { file, unpacking, headers }, exchange);
}

/** Returns the length of the response if it is known in advance. */
function lengthOf(
  { packing, size, unpackedSize }: ServedFile,
  { isWrapped, steps: through }: Unpacking,
): number | undefined {
  if (through.length === 0) return size + (isWrapped ? wrappingBytes : 0);
  return packing === 'deflate' || packing === 'zstd' ? unpackedSize : undefined;
}

interface PackedReply {
  readonly file: ServedFile;
  readonly unpacking: Unpacking;
  readonly headers: Headers;
}

async function sendRaw(
  cache: ServingCache,
  { file, unpacking, headers }: PackedReply,
  { response }: Exchange,
): Promise<boolean> {
  const { blobId, offset, size } = file;
  if (size <= chunkBytes) {
    const bytes = await cache.range(blobId, offset, size);
    if (!bytes) return false;
    response
      .writeHead(200, headers)
      .end(unpacking.isWrapped ? Buffer.concat([gzipHeader, bytes, trailerOf(file)]) : bytes);
    return true;
  }
  const sent = await cache.objects.use(blobId, async (object) => {
    response.writeHead(200, headers);
    if (unpacking.isWrapped) response.write(gzipHeader);
    const span = { start: offset, end: offset + size - 1 };
    if (await writeRange(object, span, response))
      response.end(unpacking.isWrapped ? trailerOf(file) : undefined);
    return true;
  });
  return sent ?? false;
}

/**
 * Returns the streams that unpack stored bytes to `limit` bytes, in order. Each step is limited, as one that unpacks to
 * nothing could take any number of bytes from the one before.
 */
export function unpackersOf(packing: Packing, limit: number): NodeJS.ReadWriteStream[] {
  return packing === 'none' ? [] : limited(unpackingOf(packing, undefined), limit);
}

function limited({ steps }: Unpacking, limit: number): NodeJS.ReadWriteStream[] {
  return steps.flatMap((make) => [make(), upTo(limit)]);
}

/** Returns the gzip trailer from the zip directory's checksum and size. */
function trailerOf({ crc32, unpackedSize }: ServedFile): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32, 0);
  trailer.writeUInt32LE(unpackedSize % 2 ** 32, 4);
  return trailer;
}

async function sendUnpacked(
  cache: ServingCache,
  { file, unpacking, headers }: PackedReply,
  { response }: Exchange,
): Promise<boolean> {
  const sent = await cache.objects.use(file.blobId, async (object) => {
    response.writeHead(200, headers);
    const limit = lengthOf(file, unpacking) ?? maxUnpackedBytes(file);
    try {
      await pipeline([Readable.from(chunksOf(object, file)), ...limited(unpacking, limit), response], {
        signal: AbortSignal.timeout(maxUnpackingMs),
      });
    } catch {
      response.destroy(); // damaged or disconnected: the client must not take the response for complete
    }
    return true;
  });
  return sent ?? false;
}

async function* chunksOf(object: OpenObject, { offset, size }: ServedFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += chunkBytes)
    yield object.read(offset + at, Math.min(chunkBytes, size - at));
}

/** Limit of what a file unpacks to. */
export const maxUnpackedBytes = ({ size }: ServedFile): number => Math.max(minUnpackedBytes, maxRatio * size);

/** @throws Failure `unprocessable` if the archive declares more than a file of its length may unpack to */
export function requireModestSize(file: ServedFile): void {
  const isDeclared = file.packing === 'deflate' || file.packing === 'zstd';
  if (!isDeclared || file.unpackedSize <= maxUnpackedBytes(file)) return;
  throw new Failure(
    'unprocessable',
    `The file unpacks to more than ${maxRatio} times its size. Store it in its archive without compression.`,
  );
}

/** Fails when more bytes come out of a step than it may have. */
function upTo(limit: number): Transform {
  let left = limit;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new Error('a file unpacks to more than it declares or may'));
      else done(null, chunk);
    },
  });
}
