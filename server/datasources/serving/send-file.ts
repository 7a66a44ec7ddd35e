import { randomUUID } from 'node:crypto';
import { Failure } from '../../base/failure.ts';
import { cacheHeaders, type Caching, type ServedFile } from './file-headers.ts';
import { openToAll } from '../../http/open-to-all.ts';
import type { ServingCache } from './serving-cache.ts';
import { matchesEtag, maxRanges, matchesIfRange, rangesOf, type ByteRange } from '../../http/ranges.ts';
import { finish, chunkBytes, writeRange, type Exchange, type Headers } from './send-bytes.ts';
import { sendPacked } from './send-packed.ts';

/** Sends a file or the requested ranges of it; false if its bytes no longer exist. @throws Failure `range_not_satisfiable` */
export async function sendFile(cache: ServingCache, file: ServedFile, exchange: Exchange): Promise<boolean> {
  const { request, caching } = exchange;
  if (file.packing !== 'none')
    return sendPacked(cache, { file, headers: fileHeaders(file, caching) }, exchange);
  const { etag, size } = file;
  const headers: Headers = { ...fileHeaders(file, caching), etag, 'accept-ranges': 'bytes' };
  if (matchesEtag(request.headers['if-none-match'], etag)) return finish(exchange, 304, headers);
  const { range } = request.headers;
  const ranges =
    range !== undefined &&
    request.method === 'GET' &&
    matchesIfRange(request.headers['if-range'] as string | undefined, etag, file.modified)
      ? rangesOf(range, size)
      : undefined;
  if (ranges === 'unsatisfiable') {
    exchange.response.setHeader('content-range', `bytes */${size}`);
    const limit = `a request can name at most ${maxRanges} ranges`;
    throw new Failure('range_not_satisfiable', `The file has ${size} bytes, and ${limit}.`);
  }
  if (ranges && ranges.length > 1) return sendMultipart(cache, { file, ranges, headers }, exchange);
  headers['content-type'] = file.contentType;
  const span = ranges?.[0] ?? { start: 0, end: size - 1 };
  if (ranges) headers['content-range'] = `bytes ${span.start}-${span.end}/${size}`;
  headers['content-length'] = span.end - span.start + 1;
  return sendRange(cache, { file, status: ranges ? 206 : 200, span, headers }, exchange);
}

interface RangeReply {
  readonly file: ServedFile;
  readonly status: number;
  readonly span: ByteRange;
  readonly headers: Headers;
}

/** Sends one range; false if the bytes no longer exist, as their file was deleted an hour ago. */
async function sendRange(
  cache: ServingCache,
  { file, status, span, headers }: RangeReply,
  exchange: Exchange,
): Promise<boolean> {
  if (exchange.request.method === 'HEAD') return finish(exchange, status, headers);
  const { response } = exchange;
  const length = span.end - span.start + 1;
  const start = file.offset + span.start;
  if (length <= chunkBytes) {
    const bytes = await cache.range(file.blobId, start, length);
    if (bytes) response.writeHead(status, headers).end(bytes);
    return bytes !== undefined;
  }
  const sent = await cache.objects.use(file.blobId, async (object) => {
    response.writeHead(status, headers);
    if (await writeRange(object, { start, end: file.offset + span.end }, response)) response.end();
    return true;
  });
  return sent ?? false;
}

interface MultipartReply {
  readonly file: ServedFile;
  readonly ranges: readonly ByteRange[];
  readonly headers: Headers;
}

/** Sends several ranges in one response (RFC 9110, 14.6). */
async function sendMultipart(
  cache: ServingCache,
  { file, ranges, headers }: MultipartReply,
  { response }: Exchange,
): Promise<boolean> {
  const boundary = randomUUID();
  const heads = ranges.map(
    ({ start, end }) =>
      `\r\n--${boundary}\r\ncontent-type: ${file.contentType}\r\ncontent-range: bytes ${start}-${end}/${file.size}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  const sizes = ranges.map(({ start, end }, i) => end - start + 1 + Buffer.byteLength(heads[i]!));
  headers['content-type'] = `multipart/byteranges; boundary=${boundary}`;
  headers['content-length'] = sizes.reduce((sum, size) => sum + size, tail.length);
  const sent = await cache.objects.use(file.blobId, async (object) => {
    response.writeHead(206, headers);
    for (const [i, { start, end }] of ranges.entries()) {
      response.write(heads[i]);
      const span = { start: file.offset + start, end: file.offset + end };
      if (!(await writeRange(object, span, response))) return true;
    }
    response.end(tail);
    return true;
  });
  return sent ?? false;
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
