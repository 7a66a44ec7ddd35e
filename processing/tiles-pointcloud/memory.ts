import { planMemory } from '../kit/memory-plan.ts';

/** How the job's memory budget is divided. */
export interface PointMemory {
  readonly workers: number;
  /** Of each thread: a bucket of points, or what a thread has read. */
  readonly bucketBytes: number;
  /** Of each thread: unpacked blocks of images that points get colours from. */
  readonly imageBytes: number;
}

const megabyte = 2 ** 20;

export function planPointMemory(
  budgetBytes: number,
  maxWorkers: number,
  { hasImages }: { readonly hasImages: boolean },
): PointMemory {
  const { workers, bytes } = planMemory({
    budgetBytes,
    workers: maxWorkers,
    shares: {
      bucket: { weight: 100, isPerWorker: true, minBytes: 8 * megabyte },
      images: hasImages
        ? { weight: 40, isPerWorker: true, minBytes: 16 * megabyte }
        : { weight: 0, isPerWorker: true },
    },
  });
  return { workers, bucketBytes: bytes.bucket, imageBytes: bytes.images };
}

/** Of a bucket's memory, what its own points do not need any more once they are sorted. */
const olderShare = 0.2;
/** Of each: its place, and its part of the boxes of nodes. */
const olderBytes = 24;

/** Points of an older cloud that a thread compares with at a time. */
export function olderPointsOf({ bucketBytes }: PointMemory): number {
  return Math.floor((bucketBytes * olderShare) / olderBytes);
}

/** Of each point of a bucket: its columns as they come and sorted, its key and its number while they are sorted, and what chooses it. */
export const bytesPerPoint = (columns: number): number => columns * 8 + 32;

const maxBucketPoints = 1_000_000;
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
