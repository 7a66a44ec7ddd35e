import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import type { Bytes } from '../bytes/bytes.ts';
import { encodeEnd, encodeLocalHeader, encodeRecord } from './encode-records.ts';
import { methods } from './member-fields.ts';
import { utf8Flag } from './member-name.ts';

export interface TestMember {
  readonly name: string | Buffer;
  readonly content: string | Uint8Array;
  readonly method?: number;
  /** The stored bytes; by default the content, packed by the method. */
  readonly packed?: Uint8Array;
  /** Header fields that differ from the truth. */
  readonly says?: Partial<FalseFields>;
}

interface FalseFields {
  readonly size: number;
  readonly packedSize: number;
  readonly flags: number;
  readonly attributes: number;
  /** Only in the local header. */
  readonly localName: string;
  readonly headerOffset: number;
}

export interface TestZip {
  readonly bytes: Buffer;
  /** Offset of the local header of each member. */
  readonly offsets: readonly number[];
}

const packersOf: Readonly<Record<number, (plain: Buffer) => Buffer>> = {
  [methods.deflate]: (plain) => deflateRawSync(plain),
  [methods.zstd]: (plain) => zstdCompressSync(plain),
};

/** A zip file whose headers may contain false values; all sizes and offsets are in ZIP64 if `isLarge`. */
export function zipOf(members: readonly TestMember[], { isLarge = false } = {}): TestZip {
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const { name, content, method = methods.stored, says = {}, ...given } of members) {
    const plain = Buffer.from(content as Uint8Array);
    const packed = Buffer.from(given.packed ?? packersOf[method]?.(plain) ?? plain);
    const fields = {
      rawName: Buffer.from(name as string),
      flags: utf8Flag,
      method,
      crc32: crc32(plain),
      packedSize: packed.length,
      size: plain.length,
      attributes: 0,
      headerOffset: offset,
      ...says,
    };
    const localName = says.localName === undefined ? fields.rawName : Buffer.from(says.localName);
    const local = encodeLocalHeader({ ...fields, rawName: localName }, isLarge);
    offsets.push(offset);
    records.push(encodeRecord(fields, isLarge));
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const directory = Buffer.concat(records);
  const end = encodeEnd({ count: members.length, length: directory.length, offset }, isLarge);
  return { bytes: Buffer.concat([...parts, directory, end]), offsets };
}

/** A zip file of these files, all of them deflated. */
export function zipOfFiles(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const { deflate: method } = methods;
  return zipOf(Object.entries(files).map(([name, content]) => ({ name, content, method }))).bytes;
}

export interface IndexOptions {
  readonly kind?: '3tz' | 'slpk';
  /** Replaces an entry of the index. */
  readonly lie?: (name: string, offset: number) => { name: string; offset: number };
  readonly isLarge?: boolean;
}

/** A zip file with the index of a 3TZ or SLPK as its last member. */
export function indexedZipOf(
  members: readonly TestMember[],
  { kind = '3tz', lie = (name, offset) => ({ name, offset }), isLarge = false }: IndexOptions = {},
): Buffer {
  const { offsets } = zipOf(members, { isLarge });
  const entries = members.map(({ name }, i) => {
    const claimed = lie(String(name), offsets[i]!);
    const text = kind === '3tz' ? claimed.name : claimed.name.toLowerCase();
    const entry = Buffer.alloc(24);
    createHash('md5').update(text).digest().copy(entry);
    entry.writeBigUInt64LE(BigInt(claimed.offset), 16);
    return entry;
  });
  const high = (entry: Buffer) => entry.readBigUInt64LE(0);
  entries.sort((a, b) => (high(a) < high(b) ? -1 : 1));
  const name = kind === '3tz' ? '@3dtilesIndex1@' : '@specialIndexFileHASH128@';
  return zipOf([...members, { name, content: Buffer.concat(entries) }], { isLarge }).bytes;
}

export interface WatchedBytes extends Bytes {
  /** The number of reads and bytes since the last call. */
  look(): { reads: number; bytes: number };
}

/** Bytes in memory that count reads. */
export function inMemory(bytes: Uint8Array): WatchedBytes {
  let [reads, count] = [0, 0];
  return {
    size: bytes.length,
    async read(offset, length) {
      reads++;
      const chunk = bytes.slice(offset, offset + length);
      count += chunk.length;
      return chunk;
    },
    look() {
      const seen = { reads, bytes: count };
      [reads, count] = [0, 0];
      return seen;
    },
  };
}
