import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import type { OpenObject } from '@platen/storage/object-store';
import { Failure } from '../failure.ts';
import { cacheHeaders, openToAll, takesGzip } from './file-headers.ts';
import type { Library, ServedFile } from './library.ts';
import { isNamed, rangeHolds, rangeOf, type Span } from './ranges.ts';

/** One request for data, past Fastify: at tens of thousands a second its hooks and serialisers would be half the cost. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly isPublic: boolean;
}

/** Read and written in one piece up to here, in pieces of this size beyond. */
const pieceBytes = 256 * 1024;
/** A small file may unpack to a thousand times its size: beyond this it is unpacked as a stream. */
const maxUnpackedBytes = 16 * 1024 * 1024;

type Headers = Record<string, string | number>;

/** Answers with a file, or the one range of it that is asked for. @throws Failure `range_not_satisfiable` */
export async function sendFile(library: Library, file: ServedFile, exchange: Exchange): Promise<boolean> {
  if (file.isPacked) return sendPacked(library, file, exchange);
  const { request, isPublic } = exchange;
  const { etag, size } = file;
  const headers: Headers = { ...fileHeaders(file, isPublic), etag, 'accept-ranges': 'bytes' };
  if (isNamed(request.headers['if-none-match'], etag)) return finish(exchange, 304, headers);
  const { range } = request.headers;
  const wanted =
    range !== undefined &&
    request.method === 'GET' &&
    rangeHolds(request.headers['if-range'] as string | undefined, etag, file.modified)
      ? rangeOf(range, size)
      : undefined;
  if (wanted === 'unsatisfiable') {
    exchange.response.setHeader('content-range', `bytes */${size}`);
    throw new Failure('range_not_satisfiable', `The file has ${size} bytes.`);
  }
  headers['content-type'] = file.contentType;
  if (wanted) headers['content-range'] = `bytes ${wanted.start}-${wanted.end}/${size}`;
  const span = wanted ?? { start: 0, end: size - 1 };
  headers['content-length'] = span.end - span.start + 1;
  return sendSpan(library, { blobId: file.blobId, status: wanted ? 206 : 200, span, headers }, exchange);
}

interface SpanReply {
  readonly blobId: string;
  readonly status: number;
  readonly span: Span;
  readonly headers: Headers;
}

/** false: the bytes are no more, as their file was deleted an hour ago. */
async function sendSpan(
  library: Library,
  { blobId, status, span, headers }: SpanReply,
  exchange: Exchange,
): Promise<boolean> {
  if (exchange.request.method === 'HEAD') return finish(exchange, status, headers);
  const { response } = exchange;
  const length = span.end - span.start + 1;
  if (length <= pieceBytes) {
    const bytes = await library.piece(blobId, span.start, length);
    if (bytes) response.writeHead(status, headers).end(bytes);
    return bytes !== undefined;
  }
  const sent = await library.objects.use(blobId, async (object) => {
    response.writeHead(status, headers);
    await sendPieces(object, span, response);
    return true;
  });
  return sent ?? false;
}

/** No faster than the client takes them; ends early when it goes. */
async function sendPieces(object: OpenObject, { start, end }: Span, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    for (let at = start; at <= end && !response.destroyed; at += pieceBytes) {
      const bytes = await object.read(at, Math.min(pieceBytes, end - at + 1));
      if (!response.write(bytes)) await once(response, 'drain', { signal: gone.signal });
    }
    response.end();
  } catch (error) {
    response.destroy();
    if (!gone.signal.aborted) throw error;
  } finally {
    response.off('close', leave);
  }
}

/** A file of gzipped bytes: as it is to whoever takes gzip, unpacked to others. Ranges of it are not served. */
async function sendPacked(library: Library, file: ServedFile, exchange: Exchange): Promise<boolean> {
  const { request, response, isPublic } = exchange;
  const isTaken = takesGzip(request.headers['accept-encoding']);
  const etag = isTaken ? file.etag : file.etagUnpacked;
  const headers: Headers = { ...fileHeaders(file, isPublic), etag };
  if (isNamed(request.headers['if-none-match'], etag)) return finish(exchange, 304, headers);
  headers['content-type'] = file.contentType;
  const { blobId, size } = file;
  if (isTaken) {
    headers['content-encoding'] = 'gzip';
    headers['content-length'] = size;
    return sendSpan(library, { blobId, status: 200, span: { start: 0, end: size - 1 }, headers }, exchange);
  }
  if (request.method === 'HEAD') return finish(exchange, 200, headers);
  const sent = await library.objects.use(blobId, async (object) => {
    response.writeHead(200, headers);
    const unpacked = createGunzip();
    unpacked.on('error', () => response.destroy()); // damaged: the client must not take it for the whole
    response.once('close', () => unpacked.destroy());
    unpacked.pipe(response);
    for (let at = 0; at < size && !unpacked.destroyed; at += pieceBytes) {
      const bytes = await object.read(at, Math.min(pieceBytes, size - at));
      if (!unpacked.write(bytes))
        await Promise.race([once(unpacked, 'drain'), once(unpacked, 'close')]).catch(() => {});
    }
    unpacked.end();
    return true;
  });
  return sent ?? false;
}

export interface TileReply {
  readonly blobId: string;
  readonly offset: number;
  readonly length: number;
  readonly etag: string;
  readonly contentType: string;
  readonly isPacked: boolean;
}

/** A tile as it lies in its archive, unpacked only for clients that do not take gzip. */
export async function sendTile(
  library: Library,
  { blobId, offset, length, etag, contentType, isPacked }: TileReply,
  exchange: Exchange,
): Promise<boolean> {
  const { request, response, isPublic } = exchange;
  const mustUnpack = isPacked && !takesGzip(request.headers['accept-encoding']);
  const tag = `"${etag}${mustUnpack ? '-u' : ''}"`;
  const headers: Headers = { ...openToAll, ...cacheHeaders(isPublic), etag: tag };
  if (isNamed(request.headers['if-none-match'], tag)) return finish(exchange, 304, headers);
  headers['content-type'] = contentType;
  const stored = await library.piece(blobId, offset, length);
  if (!stored) return false;
  const bytes = mustUnpack ? await unpack(stored) : stored;
  if (isPacked && !mustUnpack) headers['content-encoding'] = 'gzip';
  headers['content-length'] = bytes.byteLength;
  if (request.method === 'HEAD') return finish(exchange, 200, headers);
  response.writeHead(200, headers).end(bytes);
  return true;
}

const gunzipAll = promisify(gunzip);

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await gunzipAll(bytes, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    throw new Failure('unprocessable', 'The tile is damaged in its archive.', { cause: error });
  }
}

/** There is no tile here, and that is no error: clients would complain of every 404 in their console. */
export function sendNoTile(exchange: Exchange): boolean {
  return finish(exchange, 204, { ...openToAll, ...cacheHeaders(exchange.isPublic) });
}

export function sendJson(body: unknown, exchange: Exchange): boolean {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    ...openToAll,
    ...cacheHeaders(exchange.isPublic),
    'content-type': 'application/json',
    'content-length': bytes.byteLength,
  };
  if (exchange.request.method === 'HEAD') return finish(exchange, 200, headers);
  exchange.response.writeHead(200, headers).end(bytes);
  return true;
}

export function finish({ response }: Exchange, status: number, headers: Headers): boolean {
  response.writeHead(status, headers).end();
  return true;
}

function fileHeaders(file: ServedFile, isPublic: boolean): Headers {
  const headers: Headers = {
    ...openToAll,
    ...cacheHeaders(isPublic),
    'last-modified': file.lastModified,
  };
  if (file.isAttachment) headers['content-disposition'] = 'attachment';
  return headers;
}
