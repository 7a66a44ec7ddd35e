import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Bytes } from '../bytes/bytes.ts';
import { readLocalHeader } from './local-header.ts';
import { decodeRecord } from './read-records.ts';
import { toSafeNumber, type DirectoryRange } from './find-directory.ts';
import { ZipError } from './zip-error.ts';

/**
 * The last member of a 3TZ or SLPK: for each other member the MD5 of its name (16 bytes) and the offset of its local
 * header (8 bytes), sorted by hash (3D Tiles Archive Format 1.3; I3S, slpk_hashtable). It spares readers the directory
 * of millions of members.
 */
export interface HashIndex {
  /** The claimed offset of a member's local header; undefined if the index has no such name. */
  find(name: string): Promise<number | undefined>;
}

/** The spellings of a name to look up. I3S hashes lower case, but not all writers do. */
const hashedNames: Readonly<Record<string, (name: string) => readonly string[]>> = {
  '@3dtilesIndex1@': (name) => [name],
  '@specialIndexFileHASH128@': (name) => [...new Set([name.toLowerCase(), name])],
};
const entryBytes = 24;
const hashBytes = 16;
const blockEntries = 1024;
const maxBlocks = 64;

/** Undefined if there is no index that can be trusted: the directory has to be read. */
export async function openHashIndex(bytes: Bytes, directory: DirectoryRange): Promise<HashIndex | undefined> {
  const last = lastRecord(directory);
  const hashed = last && hashedNames[last.name];
  if (!hashed) return undefined;
  const { packedSize, size, method, headerOffset } = last;
  const count = size / entryBytes;
  if (method !== 0 || size !== packedSize || count !== directory.count - 1 || count === 0) return undefined;
  const dataOffset = (await readLocalHeader(bytes, headerOffset).catch(nothing))?.dataOffset;
  if (dataOffset === undefined || dataOffset + size > directory.offset) return undefined;
  const block = openBlocks(bytes, dataOffset, count);
  const [first, final] = [await block(0), await block(Math.floor((count - 1) / blockEntries))];
  const order = orders.find((each) => isSorted(first, each) && isSorted(final, each));
  if (!order) return undefined;
  return {
    async find(name) {
      for (const text of hashed(name)) {
        const offset = await search({ block, count, order }, hash('md5', text, 'buffer'));
        if (offset !== undefined) return offset;
      }
      return undefined;
    },
  };
}

function lastRecord({ tail }: DirectoryRange) {
  for (const name of Object.keys(hashedNames)) {
    const from = Buffer.from(tail.buffer, tail.byteOffset, tail.length).lastIndexOf(name) - 46;
    if (from < 0) continue;
    try {
      const record = decodeRecord(tail, from);
      if (record?.end === tail.length && record.rawName.length === name.length) return { ...record, name };
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
    }
  }
  return undefined;
}

function nothing(error: unknown): undefined {
  if (!(error instanceof ZipError)) throw error;
}

type Block = (number: number) => Promise<Buffer>;

/** Reads blocks of the index, and keeps the most recently used ones. */
function openBlocks(bytes: Bytes, offset: number, count: number): Block {
  const blocks = new LRUCache<number, Promise<Buffer>>({ max: maxBlocks });
  return (number) => {
    const known = blocks.get(number);
    if (known) return known;
    const first = number * blockEntries;
    const length = Math.min(blockEntries, count - first) * entryBytes;
    const block = readEntries(bytes, offset + first * entryBytes, length);
    blocks.set(number, block);
    block.catch(() => blocks.delete(number));
    return block;
  };
}

async function readEntries(bytes: Bytes, offset: number, length: number): Promise<Buffer> {
  const entries = await bytes.read(offset, length);
  if (entries.length < length) throw new ZipError('damaged', 'its index is cut off');
  return Buffer.from(entries.buffer, entries.byteOffset, length);
}

/** An order of hashes: as two little-endian numbers of 64 bits, as the specifications say, or byte by byte. */
interface Order {
  readonly compare: (one: Buffer, at: number, other: Buffer) => number;
  /** Position among all possible hashes, from 0 to 1. */
  readonly position: (bytes: Buffer, at: number) => number;
}

const orders: readonly Order[] = [
  {
    compare(one, at, other) {
      const [a, b] = [one.readBigUInt64LE(at), other.readBigUInt64LE(0)];
      if (a !== b) return a < b ? -1 : 1;
      const [c, d] = [one.readBigUInt64LE(at + 8), other.readBigUInt64LE(8)];
      return c === d ? 0 : c < d ? -1 : 1;
    },
    position: (bytes, at) => bytes.readUInt32LE(at + 4) / 2 ** 32,
  },
  {
    compare: (one, at, other) => one.compare(other, 0, hashBytes, at, at + hashBytes),
    position: (bytes, at) => bytes.readUInt32BE(at) / 2 ** 32,
  },
];

function isSorted(block: Buffer, { compare }: Order): boolean {
  for (let at = entryBytes; at < block.length; at += entryBytes) {
    if (compare(block, at, block.subarray(at - entryBytes)) < 0) return false;
  }
  return true;
}

interface SortedEntries {
  readonly block: Block;
  readonly count: number;
  readonly order: Order;
}

/** Interpolation search, as hashes are spread evenly: one or two reads among millions of entries. Falls back to bisection. */
async function search({ block, count, order }: SortedEntries, target: Buffer): Promise<number | undefined> {
  let low = 0;
  let high = Math.ceil(count / blockEntries);
  let guess = Math.floor((order.position(target, 0) * count) / blockEntries);
  for (let tries = 0; low < high; tries++) {
    const number = Math.min(Math.max(guess, low), high - 1);
    const entries = await block(number);
    if (order.compare(entries, 0, target) > 0) high = number;
    else if (order.compare(entries, entries.length - entryBytes, target) < 0) low = number + 1;
    else return searchBlock(entries, order, target);
    guess = tries < 2 ? (guess < low ? low : high - 1) : (low + high) >> 1;
  }
  return undefined;
}

function searchBlock(entries: Buffer, { compare }: Order, target: Buffer): number | undefined {
  let low = 0;
  let high = entries.length / entryBytes;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compare(entries, middle * entryBytes, target);
    if (order === 0) return toSafeNumber(entries.readBigUInt64LE(middle * entryBytes + hashBytes));
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}
