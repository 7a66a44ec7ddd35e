/** A file on its way into a bucket, whichever way it comes. */
export interface Arrival {
  readonly projectId: string;
  readonly bucketId: string;
  /** As `keyOf` gives it. */
  readonly key: string;
  readonly by: string;
  readonly overwrite: boolean;
}
