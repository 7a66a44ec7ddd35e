import type { ScratchFile } from '../kit/scratch-file.ts';
import type { BucketRanges } from './tasks.ts';

/** Rows of points by bucket, in memory until a task is done. */
export interface Spill {
  /** The place for a further row of a bucket: `rows` from `at` on. */
  next(bucket: number): void;
  readonly rows: Uint32Array;
  readonly at: number;
  /** Writes all rows, those of a bucket together, and forgets them. */
  flush(): BucketRanges;
}

const firstRows = 1024;

interface HeldRows {
  rows: Uint32Array<ArrayBuffer>;
  length: number;
}

export function createSpill(file: ScratchFile, columns: number): Spill {
  let held = new Map<number, HeldRows>();
  // points that follow each other are mostly of one bucket
  let last = -1;
  let own: HeldRows = { rows: new Uint32Array(0), length: 0 };
  const turnTo = (bucket: number): void => {
    own = held.get(bucket) ?? { rows: new Uint32Array(firstRows * columns), length: 0 };
    held.set(bucket, own);
    last = bucket;
  };
  const spill = {
    rows: new Uint32Array(0),
    at: 0,
    next(bucket: number) {
      if (bucket !== last) turnTo(bucket);
      if (own.length === own.rows.length) {
        const larger = new Uint32Array(own.rows.length * 2);
        larger.set(own.rows);
        own.rows = larger;
      }
      spill.rows = own.rows;
      spill.at = own.length;
      own.length += columns;
    },
    flush() {
      const ranges = [...held].map(([bucket, { rows, length }]) => {
        const start = file.length;
        file.append(new Uint8Array(rows.buffer, 0, length * 4));
        return [bucket, { path: file.path, start, end: file.length }] as const;
      });
      file.flush();
      held = new Map();
      last = -1;
      return ranges;
    },
  };
  return spill;
}
