import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Failure } from '../../base/failure.ts';
import { cacheHeaders, openToAll, takesGzip, type Caching, type ServedFile } from './file-headers.ts';
import type { Library } from './library.ts';
import { isNamed, mostRanges, rangeHolds, rangesOf, type Span } from '../../http/ranges.ts';
import { finish, pieceBytes, writePieces, type Exchange, type Headers } from './send-bytes.ts';
import { sendPacked } from './send-packed.ts';

/** A small file may unpack to a thousand times its size. */
const maxUnpackedBytes = 16 * 1024 * 1024;

/** Answers with a file, or those ranges of it that are asked for. @throws Failure `range_not_satisfiable` */
export async function sendFile(library: Library, file: ServedFile, exchange: Exchange): Promise<boolean> {
  const { request, caching } = exchange;
  if (file.packing !== 'none')
    return sendPacked(library, { file, headers: fileHeaders(file, caching) }, exchange);
  const { etag, size } = file;
  const headers: Headers = { ...fileHeaders(file, caching), etag, 'accept-ranges': 'bytes' };
  if (isNamed(request.headers['if-none-match'], etag)) return finish(exchange, 304, headers);
  const { range } = request.headers;
  const wanted =
    range !== undefined &&
    request.method === 'GET' &&
    rangeHolds(request.headers['if-range'] as string | undefined, etag, file.modified)
      ? rangesOf(range, size)
      : undefined;
  if (wanted === 'unsatisfiable') {
    exchange.response.setHeader('content-range', `bytes */${size}`);
    const most = `and at most ${mostRanges} ranges can be asked for at once`;
    throw new Failure('range_not_satisfiable', `The file has ${size} bytes, ${most}.`);
  }
  if (wanted && wanted.length > 1) return sendRanges(library, { file, spans: wanted, headers }, exchange);
  headers['content-type'] = file.contentType;
  const span = wanted?.[0] ?? { start: 0, end: size - 1 };
  if (wanted) headers['content-range'] = `bytes ${span.start}-${span.end}/${size}`;
  headers['content-length'] = span.end - span.start + 1;
  return sendSpan(library, { file, status: wanted ? 206 : 200, span, headers }, exchange);
}

interface SpanReply {
  readonly file: ServedFile;
  readonly status: number;
  readonly span: Span;
  readonly headers: Headers;
}

/** false: the bytes are no more, as their file was deleted an hour ago. */
async function sendSpan(
  library: Library,
  { file, status, span, headers }: SpanReply,
  exchange: Exchange,
): Promise<boolean> {
  if (exchange.request.method === 'HEAD') return finish(exchange, status, headers);
  const { response } = exchange;
  const length = span.end - span.start + 1;
  const start = file.offset + span.start;
  if (length <= pieceBytes) {
    const bytes = await library.piece(file.blobId, start, length);
    if (bytes) response.writeHead(status, headers).end(bytes);
    return bytes !== undefined;
  }
  const sent = await library.objects.use(file.blobId, async (object) => {
    response.writeHead(status, headers);
    if (await writePieces(object, { start, end: file.offset + span.end }, response)) response.end();
    return true;
  });
  return sent ?? false;
}

interface RangesReply {
  readonly file: ServedFile;
  readonly spans: readonly Span[];
  readonly headers: Headers;
}

/** Several ranges in one answer (RFC 9110, 14.6). */
async function sendRanges(
  library: Library,
  { file, spans, headers }: RangesReply,
  { response }: Exchange,
): Promise<boolean> {
  const boundary = randomUUID();
  const heads = spans.map(
    ({ start, end }) =>
      `\r\n--${boundary}\r\ncontent-type: ${file.contentType}\r\ncontent-range: bytes ${start}-${end}/${file.size}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  const sizes = spans.map(({ start, end }, i) => end - start + 1 + Buffer.byteLength(heads[i]!));
  headers['content-type'] = `multipart/byteranges; boundary=${boundary}`;
  headers['content-length'] = sizes.reduce((sum, size) => sum + size, tail.length);
  const sent = await library.objects.use(file.blobId, async (object) => {
    response.writeHead(206, headers);
    for (const [i, { start, end }] of spans.entries()) {
      response.write(heads[i]);
      const span = { start: file.offset + start, end: file.offset + end };
      if (!(await writePieces(object, span, response))) return true;
    }
    response.end(tail);
    return true;
  });
  return sent ?? false;
}

export interface TileReply {
  readonly etag: string;
  readonly contentType: string;
  readonly isPacked: boolean;
  /** undefined: the bytes are no more. */
  readonly read: () => Uint8Array | Promise<Uint8Array | undefined>;
}

/** A tile as it lies in its archive, unpacked only for clients that do not take gzip. */
export async function sendTile(
  { etag, contentType, isPacked, read }: TileReply,
  exchange: Exchange,
): Promise<boolean> {
  const { request, response, caching } = exchange;
  const mustUnpack = isPacked && !takesGzip(request.headers['accept-encoding']);
  const tag = `"${etag}${mustUnpack ? '-u' : ''}"`;
  const headers: Headers = { ...openToAll, ...cacheHeaders(caching), etag: tag };
  if (isNamed(request.headers['if-none-match'], tag)) return finish(exchange, 304, headers);
  headers['content-type'] = contentType;
  const stored = await read();
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
    throw new Failure('unprocessable', 'A tile in the archive is damaged.', { cause: error });
  }
}

/** There is no tile here, and that is no error: clients would complain of every 404 in their console. */
export function sendNoTile(exchange: Exchange): boolean {
  return finish(exchange, 204, { ...openToAll, ...cacheHeaders(exchange.caching) });
}

export function sendJson(body: unknown, exchange: Exchange): boolean {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    ...openToAll,
    ...cacheHeaders(exchange.caching),
    'content-type': 'application/json',
    'content-length': bytes.byteLength,
  };
  if (exchange.request.method === 'HEAD') return finish(exchange, 200, headers);
  exchange.response.writeHead(200, headers).end(bytes);
  return true;
}

function fileHeaders(file: ServedFile, caching: Caching): Headers {
  const headers: Headers = {
    ...openToAll,
    ...cacheHeaders(caching),
    'last-modified': file.lastModified,
  };
  if (file.isAttachment) headers['content-disposition'] = 'attachment';
  return headers;
}
