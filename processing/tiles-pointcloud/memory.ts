import { planMemory } from '../kit/memory-plan.ts';

/** How the job's memory budget is divided. */
export interface PointMemory {
  readonly workers: number;
  /** Of each thread: a bucket of points, or what a thread has read. */
  readonly bucketBytes: number;
}

const megabyte = 2 ** 20;

export function planPointMemory(budgetBytes: number, maxWorkers: number): PointMemory {
  const { workers, bytes } = planMemory({
    budgetBytes,
    workers: maxWorkers,
    shares: { bucket: { weight: 100, isPerWorker: true, minBytes: 8 * megabyte } },
  });
  return { workers, bucketBytes: bytes.bucket };
}

/** Of each point of a bucket: its columns as they come and sorted, keys of both, and the order. */
export const bytesPerPoint = (columns: number): number => columns * 8 + 32;

const maxBucketPoints = 2_000_000;
/** A bucket may turn out larger than expected. */
const spareShare = 1.5;

/** The points that a bucket is planned with, and those above which it is divided once more. */
export function bucketSizes(
  { bucketBytes }: PointMemory,
  columns: number,
): { readonly planned: number; readonly max: number } {
  const max = Math.floor(Math.min(maxBucketPoints * spareShare, bucketBytes / bytesPerPoint(columns)));
  return { planned: Math.floor(max / spareShare), max };
}
