/** A file that is read by ranges: on the disk, in an object store, or as a member of an archive. */
export interface Bytes {
  /** In bytes. */
  readonly size: number;
  /** Fewer bytes, or none, where the range passes the end. Reads may run side by side. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Reads at once into what is given, where that is possible. @returns how many bytes: fewer where the range passes the end */
  readInto?(offset: number, target: Uint8Array): number;
}

/** Why a file cannot be read. The message follows a colon. */
export class BytesError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BytesError';
  }
}
