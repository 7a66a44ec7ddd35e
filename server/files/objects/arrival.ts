/** A file being stored in a bucket, from any kind of upload. */
export interface Arrival {
  readonly projectId: string;
  readonly bucketId: string;
  /** Normalised by `keyOf`. */
  readonly key: string;
  readonly by: string;
  readonly overwrite: boolean;
}
