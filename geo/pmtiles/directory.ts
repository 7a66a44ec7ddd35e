import { ArchiveError } from './header.ts';

/**
 * Entries of a directory as columns, ascending by tile id. A run length of 0 marks an entry that points to a
 * leaf directory, whose offset is relative to the leaves; other offsets are relative to the tile data.
 */
export interface Directory {
  readonly count: number;
  readonly tileIds: Float64Array;
  readonly runLengths: Uint32Array;
  readonly lengths: Uint32Array;
  readonly offsets: Float64Array;
}

/** Bytes of an entry in memory. */
export const entryBytes = 24;

export function createDirectory(count: number): Directory {
  return {
    count,
    tileIds: new Float64Array(count),
    runLengths: new Uint32Array(count),
    lengths: new Uint32Array(count),
    offsets: new Float64Array(count),
  };
}

/** Encodes the entries from `start` to `end` (exclusive), uncompressed. PMTiles v3, "Directories". */
export function encodeDirectory(directory: Directory, start = 0, end = directory.count): Uint8Array {
  const { tileIds, runLengths, lengths, offsets } = directory;
  // At most 8 bytes for an id or an offset (below 2^53), 5 for a length or a run.
  const bytes = new Uint8Array(10 + (end - start) * 26);
  let at = writeVarint(bytes, 0, end - start);
  for (let i = start, last = 0; i < end; i++) {
    at = writeVarint(bytes, at, tileIds[i]! - last);
    last = tileIds[i]!;
  }
  for (let i = start; i < end; i++) at = writeVarint(bytes, at, runLengths[i]!);
  for (let i = start; i < end; i++) at = writeVarint(bytes, at, lengths[i]!);
  for (let i = start; i < end; i++) {
    const follows = i > start && offsets[i] === offsets[i - 1]! + lengths[i - 1]!;
    at = writeVarint(bytes, at, follows ? 0 : offsets[i]! + 1);
  }
  return bytes.subarray(0, at);
}

/** @throws ArchiveError */
export function decodeDirectory(bytes: Uint8Array): Directory {
  const cursor = { bytes, at: 0 };
  const count = readVarint(cursor);
  // Four columns of at least one byte each: a forged count is refused before memory is allocated.
  if (count * 4 > bytes.length) throw new ArchiveError('a directory is shorter than its entry count');
  const directory = createDirectory(count);
  const { tileIds, runLengths, lengths, offsets } = directory;
  for (let i = 0, last = 0; i < count; i++) {
    const delta = readVarint(cursor);
    if (i > 0 && delta === 0) throw new ArchiveError('a directory has two entries for one tile');
    tileIds[i] = last += delta;
  }
  for (let i = 0; i < count; i++) runLengths[i] = readVarint(cursor);
  for (let i = 0; i < count; i++) lengths[i] = readVarint(cursor);
  for (let i = 0; i < count; i++) {
    const value = readVarint(cursor);
    if (value > 0) offsets[i] = value - 1;
    else if (i > 0) offsets[i] = offsets[i - 1]! + lengths[i - 1]!;
    else throw new ArchiveError('the first entry of a directory has no offset');
  }
  return directory;
}

/** The index of the entry that covers a tile id (the last at or before it, if its run reaches), or -1. */
export function findEntry(directory: Directory, tileId: number): number {
  const entry = lastEntryUpTo(directory, tileId);
  if (entry < 0) return -1;
  const run = directory.runLengths[entry]!;
  return run === 0 || tileId - directory.tileIds[entry]! < run ? entry : -1;
}

/** The index of the first entry that may cover this id or a later one. */
export function firstEntryFrom(directory: Directory, tileId: number): number {
  return Math.max(0, lastEntryUpTo(directory, tileId));
}

/** The index of the last entry at or before a tile id, or -1. */
function lastEntryUpTo({ tileIds, count }: Directory, tileId: number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (tileIds[middle]! <= tileId) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  while (value > 127) {
    bytes[at++] = (value % 128) | 128;
    value = Math.floor(value / 128);
  }
  bytes[at++] = value;
  return at;
}

function readVarint(cursor: { readonly bytes: Uint8Array; at: number }): number {
  let value = 0;
  for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw new ArchiveError('a directory ends too early');
    value += (byte & 127) * factor;
    if (byte < 128) {
      if (!Number.isSafeInteger(value)) break;
      return value;
    }
  }
  throw new ArchiveError('a number in a directory is out of range');
}
