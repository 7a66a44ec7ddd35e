/** Size of the blocks of a tar archive, in bytes. */
export const blockBytes = 512;

/** The number of bytes that fill the last block of a file. */
export function paddingBytes(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

/** The sum of all bytes of a header, with its checksum field taken as blanks. */
export function checksumOf(header: Uint8Array): number {
  let sum = 8 * 0x20;
  for (let i = 0; i < blockBytes; i++) if (i < 148 || i >= 156) sum += header[i]!;
  return sum;
}
