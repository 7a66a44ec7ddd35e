import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BytesError, type Bytes } from './bytes.ts';

const unpack = promisify(gunzip);

/** A file in memory. */
export function bytesOf(content: Uint8Array): Bytes {
  return {
    size: content.length,
    read: async (offset, length) => content.subarray(offset, offset + Math.max(0, length)),
  };
}

/**
 * The file itself, or its content if it is gzip.
 * @param maxBytes limit of the unpacked size, in bytes
 * @throws BytesError
 */
export async function unpackedBytes(bytes: Bytes, maxBytes: number): Promise<Bytes> {
  const [first, second] = await bytes.read(0, 2);
  if (first !== 0x1f || second !== 0x8b) return bytes;
  if (bytes.size > maxBytes) throw new BytesError(`it has ${bytes.size} bytes, which is too large to unpack`);
  const packed = await bytes.read(0, bytes.size);
  try {
    return bytesOf(await unpack(packed, { maxOutputLength: maxBytes }));
  } catch (error) {
    throw new BytesError('its gzip is damaged, or its content is too large', { cause: error });
  }
}
