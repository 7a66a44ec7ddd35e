export type UploadState =
  /** Its name is looked up, or somebody is asked about it. */
  | 'checking'
  | 'queued'
  | 'running'
  | 'paused'
  /** The connection is gone: it goes on by itself. */
  | 'offline'
  | 'failed'
  | 'done';

/** Where files go to. */
export interface UploadTarget {
  readonly projectId: string;
  readonly bucketId: string;
  /** A folder, which ends in `/`, or nothing. */
  readonly prefix: string;
}

/** One file on its way. Its fields change; who shows it is told by the queue. */
export interface UploadItem {
  readonly id: number;
  /** Those that came together. */
  readonly batch: number;
  readonly projectId: string;
  readonly bucketId: string;
  readonly file: File;
  key: string;
  overwrite: boolean;
  /** Nothing had its name when that was looked up. */
  wasFree: boolean;
  state: UploadState;
  /** In bytes. */
  sent: number;
  /** In bytes a second, smoothed. */
  rate: number;
  /** How often it was tried in vain since it last got on. */
  attempts: number;
  /** It may have been stored although nobody heard of it: the next time, what has a name that was free may be itself. */
  wasInterrupted: boolean;
  failure: unknown;
  /** The address of its resumable upload, once it is begun. */
  address: string | undefined;
}

/** A file, and its path within what was chosen or dropped. */
export interface FoundFile {
  readonly path: string;
  readonly file: File;
}

export const isOpen = ({ state }: Pick<UploadItem, 'state'>): boolean =>
  state !== 'done' && state !== 'failed';

export const nameOf = (key: string): string => key.replace(/\/$/, '').split('/').at(-1)!;
export const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);
