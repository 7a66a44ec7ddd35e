import { closeSync, openSync, rmSync } from 'node:fs';
import { readAll, writeAll } from '../bytes/file-appender.ts';

/** The MD5 of a name (16 bytes), then a number of 64 bits. */
export const rowBytes = 24;

const buckets = 256;
const bucketBufferRows = 170;
const chunkRows = 10_000;

/**
 * The rows of a file sorted by hash, as the index of a 3TZ needs them: as two little-endian numbers of 64 bits. Hashes
 * are spread evenly, so the rows are divided by their highest byte, and each part is sorted in memory: a 256th of all.
 * A part is valid until the next is taken.
 * @param scratch a path for a file as large as the rows
 */
export function* sortHashRows(source: number, rowCount: number, scratch: string): Generator<Buffer, void> {
  const counts = new Float64Array(buckets);
  eachRow(source, rowCount, (rows, at) => counts[rows[at + 7]!]!++);
  const starts = counts.map((_, bucket) => counts.subarray(0, bucket).reduce((sum, count) => sum + count, 0));
  const file = openSync(scratch, 'w+');
  try {
    divide(source, rowCount, { file, starts });
    const largest = Math.max(...counts);
    const [unsorted, result] = [0, 1].map(() => Buffer.allocUnsafeSlow(largest * rowBytes));
    const numbers = new Float64Array(largest);
    for (let bucket = 0; bucket < buckets; bucket++) {
      const rows = unsorted!.subarray(0, counts[bucket]! * rowBytes);
      readAll(file, rows, starts[bucket]! * rowBytes);
      yield sorted(rows, result!.subarray(0, rows.length), numbers.subarray(0, counts[bucket]));
    }
  } finally {
    closeSync(file);
    rmSync(scratch);
  }
}

function eachRow(file: number, rowCount: number, visit: (rows: Buffer, at: number) => void): void {
  const chunk = Buffer.allocUnsafeSlow(chunkRows * rowBytes);
  for (let row = 0; row < rowCount; row += chunkRows) {
    const rows = chunk.subarray(0, Math.min(chunkRows, rowCount - row) * rowBytes);
    readAll(file, rows, row * rowBytes);
    for (let at = 0; at < rows.length; at += rowBytes) visit(rows, at);
  }
}

function divide(
  source: number,
  rowCount: number,
  { file, starts }: { readonly file: number; readonly starts: Float64Array },
): void {
  const bufferBytes = bucketBufferRows * rowBytes;
  const buffers = Buffer.allocUnsafeSlow(buckets * bufferBytes);
  const filled = new Uint32Array(buckets);
  const positions = starts.map((start) => start * rowBytes);
  const flush = (bucket: number): void => {
    const from = bucket * bufferBytes;
    writeAll(file, buffers.subarray(from, from + filled[bucket]!), positions[bucket]!);
    positions[bucket]! += filled[bucket]!;
    filled[bucket] = 0;
  };
  eachRow(source, rowCount, (rows, at) => {
    const bucket = rows[at + 7]!;
    rows.copy(buffers, bucket * bufferBytes + filled[bucket]!, at, at + rowBytes);
    filled[bucket]! += rowBytes;
    if (filled[bucket] === bufferBytes) flush(bucket);
  });
  for (let bucket = 0; bucket < buckets; bucket++) flush(bucket);
}

/** All have the same highest byte. The next bytes and the position share one number, so that sorting needs no comparator. */
function sorted(rows: Buffer, result: Buffer, numbers: Float64Array): Buffer {
  const count = numbers.length;
  const positions = 2 ** Math.max(1, Math.ceil(Math.log2(count)));
  const bits = 53 - Math.log2(positions); // of the hash, at least 32
  for (let i = 0; i < count; i++) {
    const high = rows.readUInt32LE(i * rowBytes + 3);
    const low = rows.readUIntLE(i * rowBytes, 3) >>> Math.max(0, 24 - (bits - 32));
    numbers[i] = (high * 2 ** Math.min(24, bits - 32) + low) * positions + i;
  }
  numbers.sort();
  for (let i = 0; i < count; i++) {
    const from = (numbers[i]! % positions) * rowBytes;
    rows.copy(result, i * rowBytes, from, from + rowBytes);
  }
  settleTies(result);
  return result;
}

/** Rows whose compared bytes are equal are few: each moves back until it follows a smaller one. */
function settleTies(rows: Buffer): void {
  const moved = Buffer.alloc(rowBytes);
  for (let at = rowBytes; at < rows.length; at += rowBytes) {
    let to = at;
    while (to > 0 && compareHashes(rows, to - rowBytes, rows, at) > 0) to -= rowBytes;
    if (to === at) continue;
    rows.copy(moved, 0, at, at + rowBytes);
    rows.copyWithin(to + rowBytes, to, at);
    moved.copy(rows, to);
  }
}

const bytesByWeight = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

// oxlint-disable-next-line max-params -- two places in two buffers
export function compareHashes(one: Buffer, at: number, other: Buffer, otherAt: number): number {
  for (const byte of bytesByWeight) {
    const difference = one[at + byte]! - other[otherAt + byte]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
