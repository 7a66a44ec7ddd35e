import type { DataBucket } from '@platen/contract/buckets';

/** The name of a data bucket as people know it: the one that comes with a project has only a technical one. */
export function bucketName({ _id, name, projectId }: DataBucket, nameOfFirst: string): string {
  const isTechnical = name === `default-${projectId}` || name === `default-${_id}`;
  return isTechnical ? nameOfFirst : name;
}
