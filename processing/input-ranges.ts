/** A byte range of an input. */
export interface InputRange {
  /** Index of the input in the job. */
  readonly input: number;
  /** For a folder: the file's path in it. */
  readonly member?: string;
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

/** The local copy of an input file of which at least one range has been fetched. */
export interface FetchedFile {
  /** Absolute path of a sparse copy: fetched ranges are at their offsets, the rest is zeros. */
  readonly path: string;
  /** Size of the whole file, in bytes. */
  readonly size: number;
  /** The copy is complete; no further ranges need to be fetched. */
  readonly isWhole: boolean;
}

/** A file of a folder. */
export interface InputMember {
  /** Path within the folder. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Absent without a runner. */
  readonly sha256?: string;
}

/** Access to the inputs of a job type with `reads: 'ranges'`, whose files are fetched only as they are read. */
export interface InputRanges {
  /** Returns undefined if there is no such file. @throws JobFailure if it was removed or changed */
  fetch(range: InputRange): Promise<FetchedFile | undefined>;
  /** The first files of a folder, sorted by path; empty for a file. */
  list(input: number, limit: number): Promise<readonly InputMember[]>;
}
