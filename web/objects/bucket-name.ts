import type { DataBucket } from '@platen/contract/buckets';

/** A bucket's display name: the project's first bucket has only a technical one. */
export function bucketName({ _id, name, projectId }: DataBucket, nameOfFirst: string): string {
  const isTechnical = name === `default-${projectId}` || name === `default-${_id}`;
  return isTechnical ? nameOfFirst : name;
}
