import { createInflateRaw } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { Bytes } from '../bytes/bytes.ts';
import { ZipError } from './zip-error.ts';
import type { LocatedMember } from './zip-member.ts';

const chunkBytes = 1 << 19;

/** Opens a deflated member that is too large to unpack. Reads beyond its first `maxBytes` throw ZipError. */
export function openMemberStart(bytes: Bytes, member: LocatedMember, maxBytes: number): Bytes {
  const { name, packing, dataOffset, packedSize, size } = member;
  async function* packed(): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < packedSize;) {
      const chunk = await bytes.read(dataOffset + at, Math.min(chunkBytes, packedSize - at));
      if (chunk.length === 0) return;
      at += chunk.length;
      yield chunk;
    }
  }
  const unpack = async (count: number): Promise<Buffer> => {
    const inflate = createInflateRaw({ chunkSize: chunkBytes });
    // errors are thrown by the iteration below
    pipeline(Readable.from(packed()), inflate, () => {});
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of inflate as AsyncIterable<Uint8Array>) {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= count) break;
      }
    } catch (error) {
      throw new ZipError('damaged', `the member "${name}" is damaged`, { cause: error });
    } finally {
      inflate.destroy();
    }
    return Buffer.concat(chunks).subarray(0, maxBytes);
  };
  let unpacked: Promise<Buffer> | undefined;
  let known = 0;
  return {
    size,
    async read(offset, length) {
      const end = Math.min(size, offset + length);
      if (end > maxBytes || packing !== 'deflate')
        throw new ZipError(
          'unsupported',
          `the member "${name}" is compressed and large: only its start can be read`,
        );
      if (unpacked === undefined || end > known) {
        // the first read needs a few bytes, later ones many
        known = unpacked === undefined && end <= chunkBytes ? chunkBytes : maxBytes;
        unpacked = unpack(known);
      }
      return (await unpacked).subarray(offset, end);
    },
  };
}
