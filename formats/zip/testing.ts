import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import type { Bytes } from '../bytes/bytes.ts';

export interface TestMember {
  readonly name: string | Buffer;
  readonly content: string | Uint8Array;
  readonly method?: number;
  /** What its headers say instead of the truth. */
  readonly says?: Partial<Said>;
}

interface Said {
  readonly size: number;
  readonly packedSize: number;
  readonly flags: number;
  readonly attributes: number;
  /** Of the local header. */
  readonly localName: string;
  readonly headerOffset: number;
}

export interface TestZip {
  readonly bytes: Buffer;
  /** Where the local header of each member lies. */
  readonly offsets: readonly number[];
}

/** A zip file, field by field, which may lie; with sizes and places of 64 bits where that is asked for. */
export function zipOf(members: readonly TestMember[], { isLarge = false } = {}): TestZip {
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const { name, content, method = 0, says = {} } of members) {
    const plain = Buffer.from(content as Uint8Array);
    const packed = method === 8 ? deflateRawSync(plain) : method === 93 ? zstdCompressSync(plain) : plain;
    const said = { size: plain.length, packedSize: packed.length, flags: 0x800, attributes: 0, ...says };
    const common = { ...said, method, crc: crc32(plain), isLarge };
    const local = header({ ...common, name: Buffer.from(says.localName ?? (name as string)) });
    offsets.push(offset);
    records.push(
      header({ ...common, name: Buffer.from(name as string), headerOffset: said.headerOffset ?? offset }),
    );
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const directory = Buffer.concat(records);
  const end = endOf({ count: members.length, length: directory.length, offset, isLarge });
  return { bytes: Buffer.concat([...parts, directory, end]), offsets };
}

interface Header extends Omit<Said, 'localName' | 'headerOffset'> {
  readonly name: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly isLarge: boolean;
  /** Makes it a record of the directory. */
  readonly headerOffset?: number;
}

function header({
  name,
  method,
  crc,
  isLarge,
  headerOffset,
  size,
  packedSize,
  flags,
  attributes,
}: Header): Buffer {
  const isRecord = headerOffset !== undefined;
  const wide = isLarge ? [size, packedSize, ...(isRecord ? [headerOffset] : [])] : [];
  const extra = Buffer.alloc(isLarge ? 4 + wide.length * 8 : 0);
  if (isLarge) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(wide.length * 8, 2);
    for (const [i, value] of wide.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + i * 8);
  }
  const narrow = (value: number) => (isLarge ? 0xffffffff : value);
  const fields = Buffer.alloc(isRecord ? 46 : 30);
  const at = isRecord ? 2 : 0;
  fields.writeUInt32LE(isRecord ? 0x02014b50 : 0x04034b50, 0);
  if (isRecord) fields.writeUInt16LE(0x0314, 4);
  fields.writeUInt16LE(isLarge ? 45 : 20, at + 4);
  fields.writeUInt16LE(flags, at + 6);
  fields.writeUInt16LE(method, at + 8);
  fields.writeUInt32LE(crc, at + 14);
  fields.writeUInt32LE(narrow(packedSize), at + 18);
  fields.writeUInt32LE(narrow(size), at + 22);
  fields.writeUInt16LE(name.length, at + 26);
  fields.writeUInt16LE(extra.length, at + 28);
  if (isRecord) {
    fields.writeUInt32LE(attributes, 38);
    fields.writeUInt32LE(narrow(headerOffset), 42);
  }
  return Buffer.concat([fields, name, extra]);
}

interface End {
  readonly count: number;
  readonly length: number;
  readonly offset: number;
  readonly isLarge: boolean;
}

function endOf({ count, length, offset, isLarge }: End): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isLarge ? 0xffff : count, 8);
  end.writeUInt16LE(isLarge ? 0xffff : count, 10);
  end.writeUInt32LE(isLarge ? 0xffffffff : length, 12);
  end.writeUInt32LE(isLarge ? 0xffffffff : offset, 16);
  if (!isLarge) return end;
  const large = Buffer.alloc(76);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(length), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(offset + length), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

export interface IndexOptions {
  readonly kind?: '3tz' | 'slpk';
  /** What the index claims instead of the truth. */
  readonly lie?: (name: string, offset: number) => { name: string; offset: number };
  readonly isLarge?: boolean;
}

/** A zip file with the index that 3TZ or SLPK have as their last member. */
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
  /** How often and how much was read since the last look. */
  look(): { reads: number; bytes: number };
}

/** Bytes in memory that count what is read of them. */
export function inMemory(bytes: Uint8Array): WatchedBytes {
  let [reads, count] = [0, 0];
  return {
    size: bytes.length,
    async read(offset, length) {
      reads++;
      const piece = bytes.slice(offset, offset + length);
      count += piece.length;
      return piece;
    },
    look() {
      const seen = { reads, bytes: count };
      [reads, count] = [0, 0];
      return seen;
    },
  };
}
