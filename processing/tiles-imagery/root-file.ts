import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { readInto, type FileRange } from '../kit/scratch-file.ts';

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** RGBA for a scratch file. */
export function packRoot(rgba: Uint8Array): Uint8Array {
  return zstdCompressSync(rgba, options);
}

export function unpackRoot(range: FileRange): Uint8Array {
  const packed = new Uint8Array(range.end - range.start);
  readInto(packed, 0, range);
  // aligned, as pixels are read as words
  return new Uint8Array(zstdDecompressSync(packed));
}
