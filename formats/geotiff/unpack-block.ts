import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { BytesError } from '../bytes/bytes.ts';
import { unpackLzw } from './lzw.ts';
import { compression } from './tags.ts';

/** Unpacks a block that has so many bytes. */
export type Unpack = (packed: Uint8Array, size: number) => Uint8Array;

/** Some writers fill up the last block. */
const maxTailBytes = 1 << 16;
const inflate: Unpack = (packed, size) => inflateSync(packed, { maxOutputLength: size + maxTailBytes });
const unpackZstd: Unpack = (packed, size) =>
  zstdDecompressSync(packed, { maxOutputLength: size + maxTailBytes });

const unpackers: Readonly<Record<number, Unpack>> = {
  [compression.none]: (packed) => packed,
  [compression.lzw]: unpackLzw,
  [compression.deflate]: inflate,
  [compression.oldDeflate]: inflate,
  [compression.zstd]: unpackZstd,
  [compression.packBits]: unpackBits,
};

/** What unpacks blocks to exactly `size` bytes, or throws BytesError; undefined for what is no general compression. */
export function unpackerOf(code: number): Unpack | undefined {
  const unpack = unpackers[code];
  return unpack && ((packed, size) => unpackOrFail(unpack, packed, size));
}

function unpackOrFail(unpack: Unpack, packed: Uint8Array, size: number): Uint8Array {
  const raw = guarded(unpack, packed, size);
  if (raw.length < size) throw new BytesError('one of its tiles is damaged');
  // aligned, and not part of what was read for others, too
  const isOwn = raw.length === size && raw.buffer.byteLength === size;
  return isOwn ? raw : new Uint8Array(raw.subarray(0, size));
}

/** What LERC may be packed in besides, by the codes of its parameters: 1 Deflate, 2 ZSTD. @throws BytesError */
export function unpackAroundLerc(code: number, packed: Uint8Array, maxBytes: number): Uint8Array {
  if (code === 0) return packed;
  if (code !== 1 && code !== 2) throw new BytesError('its LERC is packed in a way that is not known');
  return guarded(code === 1 ? inflate : unpackZstd, packed, maxBytes);
}

function guarded(unpack: Unpack, packed: Uint8Array, size: number): Uint8Array {
  try {
    return unpack(packed, size);
  } catch (error) {
    throw new BytesError('one of its tiles is damaged', { cause: error });
  }
}

function unpackBits(packed: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  let to = 0;
  for (let at = 0; at < packed.length && to < size;) {
    const head = packed[at++]!;
    if (head < 128) {
      const literal = packed.subarray(at, Math.min(at + head + 1, at + size - to));
      output.set(literal, to);
      to += literal.length;
      at += head + 1;
    } else if (head > 128) {
      output.fill(packed[at++] ?? 0, to, to + 257 - head);
      to += 257 - head;
    }
  }
  return output.subarray(0, Math.min(to, size));
}

/** Turns the bits of each byte around, where the lowest is the first (FillOrder 2). */
export function reverseBits(packed: Uint8Array): Uint8Array {
  return packed.map((byte) => {
    const pairs = ((byte & 0x55) << 1) | ((byte >> 1) & 0x55);
    const nibbles = ((pairs & 0x33) << 2) | ((pairs >> 2) & 0x33);
    return ((nibbles & 0x0f) << 4) | (nibbles >> 4);
  });
}
