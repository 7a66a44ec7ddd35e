import type { ScratchFile } from '../kit/scratch-file.ts';
import type { BucketRanges } from './bucket-ranges.ts';
import { packRows, type RowShape } from './tree/row-shape.ts';

/** Rows of points by bucket, in memory until a task is done. */
export interface Spill {
  /** Where a further row of a bucket has room in `rows`: whoever writes it there moves `at` behind it. */
  room(bucket: number): RowRoom;
  /** Another array once they need more memory. */
  readonly rows: Uint32Array;
  /** Writes all rows, those of a bucket together, and forgets them; their memory is used again. */
  flush(): BucketRanges[];
}

export interface RowRoom {
  at: number;
  /** A row from here on needs other room. */
  readonly end: number;
}

/** Buckets take memory by blocks of so many rows. */
const blockRows = 256;
const firstBlocks = 64;

/** The room is that of its last block. */
interface HeldRows extends RowRoom {
  readonly bucket: number;
  /** Where its blocks begin. */
  readonly blocks: number[];
  end: number;
}

/** @param shapeOf how rows of a bucket are written @param columns words of a row in memory */
export function createSpill(
  file: ScratchFile,
  columns: number,
  shapeOf: (bucket: number) => RowShape,
): Spill {
  const blockWords = blockRows * columns;
  let rows = new Uint32Array(firstBlocks * blockWords);
  let usedWords = 0;
  let held: HeldRows[] = [];
  const byBucket = new Map<number, HeldRows>();
  const startBlock = (to: HeldRows): void => {
    if (usedWords === rows.length) {
      const larger = new Uint32Array(rows.length + Math.ceil(rows.length / blockWords / 2) * blockWords);
      larger.set(rows);
      rows = larger;
    }
    to.blocks.push(usedWords);
    to.at = usedWords;
    usedWords += blockWords;
    to.end = usedWords;
  };
  /** @returns how many bytes they take */
  const write = ({ bucket, blocks, at, end }: HeldRows): number => {
    const start = file.length;
    const shape = shapeOf(bucket);
    for (const [i, block] of blocks.entries()) {
      const to = i === blocks.length - 1 ? block + blockWords - (end - at) : block + blockWords;
      const { buffer, byteOffset, byteLength } = packRows(rows.subarray(block, to), shape);
      file.append(new Uint8Array(buffer, byteOffset, byteLength));
    }
    return file.length - start;
  };
  return {
    get rows() {
      return rows;
    },
    room(bucket) {
      let found = byBucket.get(bucket);
      if (found === undefined) {
        found = { bucket, blocks: [], at: 0, end: 0 };
        byBucket.set(bucket, found);
        held.push(found);
      }
      if (found.at === found.end) startBlock(found);
      return found;
    },
    flush() {
      const start = file.length;
      const buckets = Uint32Array.from(held, ({ bucket }) => bucket);
      const bytes = Uint32Array.from(held, write);
      file.flush();
      held = [];
      byBucket.clear();
      usedWords = 0;
      if (buckets.length === 0) return [];
      return [{ range: { path: file.path, start, end: file.length }, buckets, bytes }];
    },
  };
}
