/** A file of a map viewer or a plugin; the content at its address never changes. */
export interface WebFile {
  /** Names the content for good; hexadecimal digits. */
  readonly id: string;
  readonly type: string;
  /** Its size. */
  readonly bytes: number;
  readonly etag: string;
  read(): Promise<Buffer>;
}
