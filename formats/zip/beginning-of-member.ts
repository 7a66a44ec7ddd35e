import { createInflateRaw } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { Bytes } from '../bytes/bytes.ts';
import { ZipError } from './zip-error.ts';
import type { LocatedMember } from './zip-member.ts';

const pieceBytes = 1 << 19;

/**
 * A packed member that is too large to be unpacked: its beginning can be read, from the first byte on up to `most`
 * bytes. Reading on throws ZipError.
 */
export function beginningOfMember(bytes: Bytes, member: LocatedMember, most: number): Bytes {
  const { name, packing, dataOffset, packedSize, size } = member;
  async function* packed(): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < packedSize;) {
      const piece = await bytes.read(dataOffset + at, Math.min(pieceBytes, packedSize - at));
      if (piece.length === 0) return;
      at += piece.length;
      yield piece;
    }
  }
  const unpack = async (wanted: number): Promise<Buffer> => {
    const inflate = createInflateRaw({ chunkSize: pieceBytes });
    // its errors come out of the iteration
    pipeline(Readable.from(packed()), inflate, () => {});
    const pieces: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const piece of inflate as AsyncIterable<Uint8Array>) {
        pieces.push(piece);
        length += piece.length;
        if (length >= wanted) break;
      }
    } catch (error) {
      throw new ZipError(`its member "${name}" is damaged`, { cause: error });
    } finally {
      inflate.destroy();
    }
    return Buffer.concat(pieces).subarray(0, most);
  };
  let unpacked: Promise<Buffer> | undefined;
  let known = 0;
  return {
    size,
    async read(offset, length) {
      const end = Math.min(size, offset + length);
      if (end > most || packing !== 'deflate')
        throw new ZipError(`its member "${name}" is packed and large: only its beginning can be read`);
      if (unpacked === undefined || end > known) {
        // the first look is at a few bytes, the second at much
        known = unpacked === undefined && end <= pieceBytes ? pieceBytes : most;
        unpacked = unpack(known);
      }
      return (await unpacked).subarray(offset, end);
    },
  };
}
