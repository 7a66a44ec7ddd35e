import {
  constants,
  crc32,
  deflateRawSync,
  inflateRawSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';

/** A member as it is written into an archive. Plain data, so that threads can pack and one can write. */
export interface PackedMember {
  readonly name: string;
  readonly packing: 'stored' | 'deflate' | 'zstd';
  /** The content, packed. */
  readonly bytes: Uint8Array;
  /** Size and checksum of the content. */
  readonly size: number;
  readonly crc32: number;
}

/**
 * Members of zstd are columns of numbers that are packed fast: higher levels take many times as long and gain little. A block is as large as the
 * window: each column has codes of its own in small ones.
 */
const zstdParams = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 14,
  [constants.ZSTD_c_minMatch]: 5,
};

/** How hard `deflate` tries, as zlib counts it. */
export interface DeflateEffort {
  readonly level: number;
  readonly memLevel: number;
}

/** What packing does not make smaller is stored. @param effort that of zlib if it is left out */
export function packMember(
  name: string,
  content: Uint8Array,
  packing: PackedMember['packing'],
  effort?: DeflateEffort,
): PackedMember {
  const stored = {
    name,
    bytes: content,
    packing: 'stored',
    size: content.length,
    crc32: crc32(content),
  } as const;
  if (packing === 'stored') return stored;
  const bytes =
    packing === 'zstd' ? zstdCompressSync(content, { params: zstdParams }) : deflateRawSync(content, effort);
  return bytes.length < content.length ? { ...stored, packing, bytes } : stored;
}

/** The content of a member that `packMember` has made. */
export function unpackMember({ packing, bytes }: Pick<PackedMember, 'packing' | 'bytes'>): Uint8Array {
  if (packing === 'stored') return bytes;
  return packing === 'zstd' ? zstdDecompressSync(bytes) : inflateRawSync(bytes);
}
