import { stat } from 'node:fs/promises';
import { SourceError } from '../source/source.ts';
import { inflateRange } from './inflate-range.ts';
import { createUnpackMeter, type RatioLimit, type UnpackOptions } from './unpack-meter.ts';
import { writeUnpacked } from './write-unpacked.ts';

/** DEFLATE reaches a ratio of 1032, and GeoJSON that repeats a few features comes close to it. */
const maxRatio: RatioLimit = { times: 400, aboveBytes: 1e9 };

/**
 * Unpacks gzip of one or several members (RFC 1952, 2.2) into a new file; if that fails, none is left.
 * @returns the size in bytes
 * @throws SourceError brokenGzip, refusedZip
 */
export async function unpackGzip(
  path: string,
  target: string,
  { signal, maxBytes }: UnpackOptions,
): Promise<number> {
  signal.throwIfAborted();
  const { size } = await stat(path);
  const meter = createUnpackMeter(size, maxRatio, maxBytes);
  try {
    const chunks = inflateRange(path, { packing: 'gzip', start: 0, end: size });
    return await writeUnpacked(target, chunks, { meter, signal });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string' || !code.startsWith('Z_')) throw error;
    const what = code === 'Z_BUF_ERROR' ? 'the gzip file is cut off' : 'the gzip file is damaged';
    throw new SourceError('brokenGzip', `${what}: upload it again`, {}, { cause: error });
  }
}
