import type { FileRange } from '../kit/scratch-file.ts';

/**
 * Rows of points in a scratch file, of one bucket after the other. Points in no order make one of nearly every bucket with
 * each task, which are millions, so none is an object. Plain data.
 */
export interface BucketRanges {
  /** All of them. */
  readonly range: FileRange;
  /** The numbers of the buckets in a plan. */
  readonly buckets: Uint32Array;
  /** Of the rows of each bucket. */
  readonly bytes: Uint32Array;
}

/** The rows of all buckets, whichever tasks have written them. */
export interface BucketIndex {
  /** Numbers of buckets that have rows. */
  readonly buckets: readonly number[];
  bytesOf(bucket: number): number;
  /** In the order in which they were given. */
  rangesOf(bucket: number): FileRange[];
}

export function indexRanges(all: readonly BucketRanges[]): BucketIndex {
  const counts = new Map<number, number>();
  for (const { buckets } of all)
    for (const bucket of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  /** Where the rows of each bucket begin among all; those of the next end them. */
  const firsts = new Map<number, number>();
  let total = 0;
  for (const [bucket, count] of counts) {
    firsts.set(bucket, total);
    total += count;
  }
  const sources = new Uint32Array(total);
  const starts = new Float64Array(total);
  const bytes = new Uint32Array(total);
  const next = new Map(firsts);
  for (const [source, one] of all.entries()) {
    let { start } = one.range;
    for (const [i, bucket] of one.buckets.entries()) {
      const at = next.get(bucket)!;
      next.set(bucket, at + 1);
      sources[at] = source;
      starts[at] = start;
      bytes[at] = one.bytes[i]!;
      start += bytes[at];
    }
  }
  const paths = all.map(({ range }) => range.path);
  const placesOf = (bucket: number): number[] => {
    const first = firsts.get(bucket) ?? 0;
    return Array.from({ length: counts.get(bucket) ?? 0 }, (_, i) => first + i);
  };
  return {
    buckets: [...counts.keys()],
    bytesOf: (bucket) => placesOf(bucket).reduce((sum, at) => sum + bytes[at]!, 0),
    rangesOf: (bucket) =>
      placesOf(bucket).map((at) => ({
        path: paths[sources[at]!]!,
        start: starts[at]!,
        end: starts[at]! + bytes[at]!,
      })),
  };
}
