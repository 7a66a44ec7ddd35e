import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Below this size, the additional header costs more than compression saves. */
const minBytes = 1024;
const brotliQuality = 9;
/** While a client waits: a sixth larger than the best form, in a fiftieth of the time. */
const quickly = { brotliQuality: 5, gzipLevel: 6 };
const best = { brotliQuality: 11, gzipLevel: 9 };
const gzipLevel = 9;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const compressible =
  /^(text\/|application\/(json|javascript|wasm|xml)|image\/svg|font\/(ttf|otf)|application\/vnd)/;

/** The best encoding that the client takes, for content that gains from it. */
export function encodingFor(
  accepted: string | string[] | undefined,
  { type, bytes }: { type: string; bytes: number },
  offered: readonly Encoding[] = ['br', 'gzip'],
): Encoding | undefined {
  if (bytes < minBytes || !compressible.test(type)) return undefined;
  const taken = new Set(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]!.trim()),
  );
  return offered.find((encoding) => taken.has(encoding));
}

export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return compressAs(body, encoding, { brotliQuality, gzipLevel });
}

/** The content of gzip that we have made, as a stream: all of it in memory would be a multiple of what is kept. */
export function unpack(packed: Buffer): Readable {
  return pipeline(Readable.from([packed]), createGunzip(), () => {}); // the last stream reports errors to its reader
}

export const compressQuickly = (body: Buffer, encoding: Encoding) => compressAs(body, encoding, quickly);

/** Takes seconds for a megabyte, and a hundred megabytes of memory: see compress-best.ts. */
export const compressSlowly = (body: Buffer, encoding: Encoding) => compressAs(body, encoding, best);

function compressAs(
  body: Buffer,
  encoding: Encoding,
  { brotliQuality: quality, gzipLevel: level }: typeof best,
): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(body, { level });
  return toBrotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
