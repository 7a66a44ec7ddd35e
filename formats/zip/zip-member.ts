/** A file in a zip file, or a folder. */
export interface ZipMember {
  /** Composed (NFC), with / between folders; of a folder it ends with /. */
  readonly name: string;
  readonly packing: ZipPacking;
  /** In bytes, unpacked, as the archive says. */
  readonly size: number;
  readonly packedSize: number;
  readonly crc32: number;
  /** Where its local header lies in the archive. */
  readonly headerOffset: number;
}

export type ZipPacking = 'stored' | 'deflate' | 'zstd';

export interface LocatedMember extends ZipMember {
  /** Where its packed bytes lie in the archive. */
  readonly dataOffset: number;
}
