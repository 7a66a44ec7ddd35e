/** A stretch of an input. */
export interface Piece {
  /** Its number among the inputs of the job. */
  readonly input: number;
  /** Of a folder: which file, by its path in it. */
  readonly member?: string;
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

/** Where a file of an input lies, of which a piece was brought. */
export interface Brought {
  /** Absolute. What was brought stands there at its offset; where nothing was brought yet, there are zeros. */
  readonly path: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
  /** All of it lies there: nothing more need be brought. */
  readonly isWhole: boolean;
}

/** Inputs of jobs that read them by pieces (`reads: 'pieces'`): on the disk they come only as they are asked for. */
export interface InputPieces {
  /** undefined: there is no such file. @throws JobFailure when it is there no more, or was changed */
  bring(piece: Piece): Promise<Brought | undefined>;
  /** The first files of a folder in the order of their paths; of a file none. */
  list(input: number, limit: number): Promise<readonly { readonly name: string; readonly size: number }[]>;
}
