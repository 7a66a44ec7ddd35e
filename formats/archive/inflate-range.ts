import { createReadStream } from 'node:fs';
import { createGunzip, createInflateRaw } from 'node:zlib';

const chunkBytes = 1 << 18;

export interface PackedRange {
  readonly packing: 'gzip' | 'deflate' | 'none';
  readonly start: number;
  /** Behind the last byte. */
  readonly end: number;
}

/** Inflates a range of a file; ending the iteration early closes the file. */
export async function* inflateRange(
  path: string,
  { packing, start, end }: PackedRange,
): AsyncGenerator<Uint8Array> {
  if (end <= start) return;
  const packed = createReadStream(path, {
    start,
    end: end - 1,
    highWaterMark: Math.min(chunkBytes, end - start),
  });
  if (packing === 'none') {
    for await (const chunk of packed) yield chunk as Buffer;
    return;
  }
  const unpack = (packing === 'gzip' ? createGunzip : createInflateRaw)({ chunkSize: chunkBytes });
  packed.on('error', (error) => unpack.destroy(error));
  packed.pipe(unpack);
  try {
    for await (const chunk of unpack) yield chunk as Buffer;
  } finally {
    packed.destroy();
    unpack.destroy();
  }
}
