import { zstdCompressSync, zstdDecompressSync, constants } from 'node:zlib';
import type { FileRange } from '../../kit/scratch-file.ts';
import { readInto } from '../../kit/scratch-file.ts';

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The blocks of a unit in one piece: how many bytes each takes, 0 for those without data, and then these bytes. */
export function packUnit(blocks: readonly (Float32Array | undefined)[]): Uint8Array {
  const lengths = new Uint32Array(blocks.length);
  const packed = blocks.flatMap((block, i) => {
    if (block === undefined) return [];
    const bytes = zstdCompressSync(split(block), options);
    lengths[i] = bytes.length;
    return [bytes];
  });
  return Buffer.concat([Buffer.from(lengths.buffer), ...packed]);
}

/** Where the blocks of a unit are in its piece. */
export interface UnitIndex {
  readonly range: FileRange;
  readonly lengths: Uint32Array;
}

export function readUnitIndex(range: FileRange, count: number): UnitIndex {
  const lengths = new Uint32Array(count);
  const bytes = new Uint8Array(lengths.buffer);
  readInto(bytes, 0, { ...range, end: range.start + bytes.length });
  return { range, lengths };
}

export function readBlock({ range, lengths }: UnitIndex, index: number): Float32Array | undefined {
  const length = lengths[index]!;
  if (length === 0) return undefined;
  let start = range.start + lengths.byteLength;
  for (let i = 0; i < index; i++) start += lengths[i]!;
  const packed = new Uint8Array(length);
  readInto(packed, 0, { path: range.path, start, end: start + length });
  return join(zstdDecompressSync(packed));
}

/** The bytes of floats by their weight: those of neighbours are alike, which compresses better and faster. */
function split(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const planes = new Uint8Array(bytes.length);
  const count = values.length;
  for (let i = 0, at = 0; i < count; i++, at += 4) {
    planes[i] = bytes[at]!;
    planes[count + i] = bytes[at + 1]!;
    planes[2 * count + i] = bytes[at + 2]!;
    planes[3 * count + i] = bytes[at + 3]!;
  }
  return planes;
}

function join(planes: Uint8Array): Float32Array {
  const count = planes.length / 4;
  const values = new Float32Array(count);
  const bytes = new Uint8Array(values.buffer);
  for (let i = 0, at = 0; i < count; i++, at += 4) {
    bytes[at] = planes[i]!;
    bytes[at + 1] = planes[count + i]!;
    bytes[at + 2] = planes[2 * count + i]!;
    bytes[at + 3] = planes[3 * count + i]!;
  }
  return values;
}
