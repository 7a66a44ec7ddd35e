export interface ObjectHead {
  /** In bytes. */
  size: number;
  modifiedAt: Date;
}

export interface StoredObject {
  /** In bytes. */
  size: number;
  /** 64 lower-case hexadecimal digits. */
  sha256: string;
}
