/** What is told of a file to whoever will serve it; folders of a disk tell nothing. */
export interface FileHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly isGzipped: boolean;
  /** In bytes; absent where it is known only once it is read. */
  readonly size?: number;
}

/** All of a file is there, and nobody sees it yet. */
export interface Draft {
  /** From now on the file at its path is this one: at no moment there is none, or a part of one. */
  switch(): Promise<void>;
  /** Removes it. */
  drop(): Promise<void>;
}

/**
 * A place that bundles are carried to. Paths are relative, with / between folders, and were checked (`clean-path.ts`).
 * What its functions throw is a JobFailure, TransientError where another attempt may do better, and holds no secret.
 */
export interface Destination {
  /** For people, without what opens it. */
  readonly address: string;
  /** Where gzipped content goes: `instead` of the plain file, with a header that says so, or `beside` it as `.gz`. */
  readonly gzip: 'instead' | 'beside';
  /** Drafts lie there, so that thousands of them may wait; otherwise they may take memory here. */
  readonly keepsDrafts: boolean;
  /** Undefined: there is none. @param longest in bytes; what is longer is as good as none */
  read(path: string, longest: number): Promise<Uint8Array | undefined>;
  /** The sizes of those files of one folder, in bytes, that are there. */
  sizes(folder: string, names: ReadonlySet<string>): Promise<Map<string, number>>;
  draft(path: string, body: AsyncIterable<Uint8Array>, about: FileHeaders): Promise<Draft>;
  /** What is not there is no error, nor a folder at this path. A folder that becomes empty goes, too. */
  remove(path: string): Promise<void>;
  /** Removes what a run that died has left unfinished at any of these paths. */
  tidy(isOurs: (path: string) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** What is ours alone at a destination; no bundle may have such a file. */
export const ownFolder = '.platen';
