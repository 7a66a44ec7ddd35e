/** Metadata stored with an object; destinations on file systems ignore it. */
export interface FileHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly isGzipped: boolean;
  /** In bytes; absent if it is known only after reading. */
  readonly size?: number;
}

/** A complete file at the destination that is not visible yet. */
export interface Draft {
  /** Makes the file visible at its path, atomically. */
  switch(): Promise<void>;
  /** Removes it. */
  drop(): Promise<void>;
}

/**
 * A place that bundles are published to. Paths are relative, with / between folders, and have been checked
 * (`clean-path.ts`). All errors are JobFailures without secrets, or TransientErrors if another attempt may succeed.
 */
export interface Destination {
  /** Shown to people; holds no credentials. */
  readonly address: string;
  /** The path of a folder of the server that runs Platen, for reports that are not in English. */
  readonly folder?: string | undefined;
  /**
   * How gzipped content is stored: `instead` of the plain file, with a content-encoding header, or `beside` it as
   * `.gz`.
   */
  readonly gzip: 'instead' | 'beside';
  /** True if drafts are stored at the destination, so that thousands can wait; false if they may take memory here. */
  readonly keepsDrafts: boolean;
  /** Reads a file. @returns undefined if there is none, or if it is longer than `maxBytes` bytes */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** The sizes in bytes of those files of a folder that exist. */
  sizes(folder: string, names: ReadonlySet<string>): Promise<Map<string, number>>;
  draft(path: string, body: AsyncIterable<Uint8Array>, about: FileHeaders): Promise<Draft>;
  /** Removes a file and folders that become empty. Ignores missing files, and folders at this path. */
  remove(path: string): Promise<void>;
  /** Removes unfinished drafts of earlier runs at these paths. */
  tidy(isOurs: (path: string) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** The folder for our own records at a destination; no bundle may contain it. */
export const ownFolder = '.platen';
