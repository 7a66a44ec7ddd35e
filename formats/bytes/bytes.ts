/** A file that is read in pieces, wherever it lies: on the disk, in an object store, or as a member of an archive. */
export interface Bytes {
  /** In bytes. */
  readonly size: number;
  /** Fewer bytes, or none, where the range passes the end. Reads may run side by side. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** What is wrong with a file that is read in pieces, in words that follow a colon. */
export class BytesError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BytesError';
  }
}
