import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createFileAppender, readAll } from '../bytes/file-appender.ts';
import { createLeafRecords, rangeOfLeaf, recordBytes, writeLeaf, type ScratchRange } from './leaf-records.ts';
import { sortLeaves, type LeafCursor } from './sort-leaves.ts';

/** Encoded features, and what the index needs of them, in files. */
export interface FeatureScratch {
  readonly count: number;
  append(bytes: Uint8Array, box: Float64Array): void;
  /** After the last append: the features along the Hilbert curve. */
  sorted(around: Float64Array, memoryBytes: number): Promise<Iterable<LeafCursor>>;
  /** Valid until the next read. */
  read(cursor: LeafCursor): Buffer;
  remove(): void;
}

/** Many layers are written at the same time. */
const bufferBytes = 1 << 16;
const leavesAtOnce = 256;

export function createFeatureScratch(parentFolder: string): FeatureScratch {
  const folder = mkdtempSync(join(parentFolder, 'features-'));
  const features = openSync(join(folder, 'features'), 'wx+');
  const leaves = openSync(join(folder, 'leaves'), 'wx+');
  const featureAppender = createFileAppender(features, 0, bufferBytes);
  const leafAppender = createFileAppender(leaves, 0, leavesAtOnce * recordBytes);
  const leaf = createLeafRecords(1);
  let count = 0;
  let held = Buffer.alloc(0);
  return {
    get count() {
      return count;
    },
    append(bytes, box) {
      writeLeaf(leaf, 0, box, { start: featureAppender.position, length: bytes.length });
      leafAppender.append(leaf.bytes);
      featureAppender.append(bytes);
      count++;
    },
    sorted(around, memoryBytes) {
      featureAppender.flush();
      leafAppender.flush();
      return sortLeaves({ file: leaves, count, scratchPath: join(folder, 'runs'), around, memoryBytes });
    },
    read({ records, index }) {
      const { start, length }: ScratchRange = rangeOfLeaf(records, index);
      if (length > held.length) held = Buffer.allocUnsafeSlow(Math.max(bufferBytes, length));
      const bytes = held.subarray(0, length);
      readAll(features, bytes, start);
      return bytes;
    },
    remove() {
      closeSync(features);
      closeSync(leaves);
      rmSync(folder, { recursive: true });
    },
  };
}
