import { crc32, deflateRawSync } from 'node:zlib';

/** A member as it is written into an archive. Plain data, so that threads can pack and one can write. */
export interface PackedMember {
  readonly name: string;
  readonly packing: 'stored' | 'deflate';
  /** The content, packed. */
  readonly bytes: Uint8Array;
  /** Size and checksum of the content. */
  readonly size: number;
  readonly crc32: number;
}

/** What Deflate does not make smaller is stored. */
export function packMember(
  name: string,
  content: Uint8Array,
  packing: PackedMember['packing'],
): PackedMember {
  const stored = {
    name,
    bytes: content,
    packing: 'stored',
    size: content.length,
    crc32: crc32(content),
  } as const;
  if (packing === 'stored') return stored;
  const bytes = deflateRawSync(content);
  return bytes.length < content.length ? { ...stored, packing, bytes } : stored;
}
