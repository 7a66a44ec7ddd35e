export type UploadState =
  /** Its name is being looked up, or the user is being asked about it. */
  | 'checking'
  | 'queued'
  | 'running'
  | 'paused'
  /** The connection is lost; it resumes by itself. */
  | 'offline'
  | 'failed'
  | 'done';

/** The destination of uploads. */
export interface UploadTarget {
  readonly projectId: string;
  readonly bucketId: string;
  /** A folder ending in `/`, or empty. */
  readonly prefix: string;
}

/** One upload. Its fields change in place; the queue notifies readers. */
export interface UploadItem {
  readonly id: number;
  /** Uploads started together share a batch. */
  readonly batch: number;
  readonly projectId: string;
  readonly bucketId: string;
  readonly file: File;
  key: string;
  overwrite: boolean;
  /** Whether its name was free when it was looked up. */
  wasFree: boolean;
  state: UploadState;
  /** Bytes. */
  sent: number;
  /** Bytes per second, smoothed. */
  rate: number;
  /** Failed attempts since the last progress. */
  attempts: number;
  /**
   * It may have been stored without an acknowledgement: on retry, a file under a name that was free may be its own.
   */
  wasInterrupted: boolean;
  failure: unknown;
  /** The address of its resumable upload, once created. */
  address: string | undefined;
}

/** A file and its path within what was chosen or dropped. */
export interface FoundFile {
  readonly path: string;
  readonly file: File;
}

export const isOpen = ({ state }: Pick<UploadItem, 'state'>): boolean =>
  state !== 'done' && state !== 'failed';

export const nameOf = (key: string): string => key.replace(/\/$/, '').split('/').at(-1)!;
export const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);
