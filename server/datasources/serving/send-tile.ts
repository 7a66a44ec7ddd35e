import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Failure } from '../../base/failure.ts';
import { matchesEtag } from '../../http/ranges.ts';
import { cacheHeaders, takesGzip } from './file-headers.ts';
import { openToAll } from '../../http/open-to-all.ts';
import { finish, type Exchange, type Headers } from './send-bytes.ts';

/** Limit of an unpacked tile, because a few bytes may unpack to a thousand times their size. */
const maxUnpackedBytes = 16 * 1024 * 1024;

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
