import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Failure } from '../../base/failure.ts';
import { matchesEtag } from '../../http/ranges.ts';
import { cacheHeaders, takesGzip } from './file-headers.ts';
import { openToAll } from '../../http/open-to-all.ts';
import { finish, type Exchange, type Headers } from './send-bytes.ts';
import { maxUnpackingMs, unpackersOf } from './send-packed.ts';

/** Limit of an unpacked tile, because a few bytes may unpack to a thousand times their size. */
const maxUnpackedBytes = 16 * 1024 * 1024;
/** Tiles that unpack to more are sent while they are unpacked, so that many readers of them do not fill the memory. */
const maxBytesInMemory = 1024 * 1024;

export interface TileReply {
  readonly kind: 'tile';
  /** Without quotes. */
  readonly etag: string;
  readonly contentType: string;
  /** The stored bytes are gzipped. */
  readonly isPacked: boolean;
  /** undefined: the bytes no longer exist. */
  readonly read: () => Uint8Array | Promise<Uint8Array | undefined>;
}

/** Sends a tile as it is stored, unpacked only for clients that do not accept gzip; false if its bytes no longer exist. */
export async function sendTile(
  { etag, contentType, isPacked, read }: TileReply,
  exchange: Exchange,
): Promise<boolean> {
  const { request, response, caching } = exchange;
  const mustUnpack = isPacked && !takesGzip(request.headers['accept-encoding']);
  const tag = `"${etag}${mustUnpack ? '-u' : ''}"`;
  const headers: Headers = { ...openToAll, ...cacheHeaders(caching), etag: tag };
  if (matchesEtag(request.headers['if-none-match'], tag)) return finish(exchange, 304, headers);
  headers['content-type'] = contentType;
  const stored = await read();
  if (!stored) return false;
  if (contentType === 'image/jpeg' && startsAsPng(stored)) headers['content-type'] = 'image/png';
  const bytes = mustUnpack ? await unpack(stored) : stored;
  if (!bytes) return sendUnpacked(stored, headers, exchange);
  if (isPacked && !mustUnpack) headers['content-encoding'] = 'gzip';
  headers['content-length'] = bytes.byteLength;
  if (request.method === 'HEAD') return finish(exchange, 200, headers);
  response.writeHead(200, headers).end(bytes);
  return true;
}

/** Archives of JPEG may have PNG where pixels are transparent. */
const startsAsPng = (bytes: Uint8Array): boolean => bytes[0] === 0x89 && bytes[1] === 0x50;

const gunzipAll = promisify(gunzip);

/** Returns undefined if it is too large for the memory. @throws Failure `unprocessable` */
async function unpack(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return await gunzipAll(bytes, { maxOutputLength: maxBytesInMemory });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw new Failure('unprocessable', 'A tile in the archive is damaged.', { cause: error });
  }
}

async function sendUnpacked(bytes: Uint8Array, headers: Headers, exchange: Exchange): Promise<boolean> {
  if (exchange.request.method === 'HEAD') return finish(exchange, 200, headers);
  const { response } = exchange;
  response.writeHead(200, headers);
  const steps = unpackersOf('gzip', maxUnpackedBytes);
  const signal = AbortSignal.timeout(maxUnpackingMs);
  await pipeline([Readable.from([bytes]), ...steps, response], { signal }).catch(() => response.destroy());
  return true;
}
