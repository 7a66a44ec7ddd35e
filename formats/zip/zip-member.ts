/** A file or folder in a zip file. */
export interface ZipMember {
  /** In NFC, with / between folders; the name of a folder ends with /. */
  readonly name: string;
  readonly packing: ZipPacking;
  /** Unpacked size in bytes, as the archive claims. */
  readonly size: number;
  readonly packedSize: number;
  readonly crc32: number;
  /** Offset of the local header in the archive. */
  readonly headerOffset: number;
}

export type ZipPacking = 'stored' | 'deflate' | 'zstd';

export interface LocatedMember extends ZipMember {
  /** Offset of the packed bytes in the archive. */
  readonly dataOffset: number;
}
