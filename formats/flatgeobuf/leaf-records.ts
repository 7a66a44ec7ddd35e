import { readAll } from '../bytes/file-appender.ts';

/** Doubles of a record: the box of a feature, its position in the scratch file, and two words. */
export const recordDoubles = 6;
export const recordBytes = recordDoubles * 8;
const startAt = 4;
const lengthWord = 10;
const placeWord = 11;

/** What the index needs of some features, side by side in memory as in files: 48 bytes of each. */
export interface LeafRecords {
  readonly doubles: Float64Array;
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  readonly capacity: number;
}

export function createLeafRecords(capacity: number): LeafRecords {
  const doubles = new Float64Array(capacity * recordDoubles);
  const words = new Uint32Array(doubles.buffer);
  return { doubles, words, bytes: new Uint8Array(doubles.buffer), capacity };
}

/** A range of the scratch file. */
export interface ScratchRange {
  start: number;
  length: number;
}

// oxlint-disable-next-line max-params -- called for each feature, without an object for it
export function writeLeaf(
  { doubles, words }: LeafRecords,
  i: number,
  box: Float64Array,
  { start, length }: ScratchRange,
): void {
  const at = i * recordDoubles;
  doubles.set(box, at);
  doubles[at + startAt] = start;
  words[at * 2 + lengthWord] = length;
}

export function rangeOfLeaf({ doubles, words }: LeafRecords, i: number): ScratchRange {
  const at = i * recordDoubles;
  return { start: doubles[at + startAt]!, length: words[at * 2 + lengthWord]! };
}

/** The place on the Hilbert curve. */
export function placeOfLeaf({ words }: LeafRecords, i: number): number {
  return words[i * recordDoubles * 2 + placeWord]!;
}

export function setPlaceOfLeaf({ words }: LeafRecords, i: number, place: number): void {
  words[i * recordDoubles * 2 + placeWord] = place;
}

/** Reads `count` records of a file, from its record `first` on. */
export function readLeaves(file: number, records: LeafRecords, first: number, count: number): void {
  readAll(file, records.bytes.subarray(0, count * recordBytes), first * recordBytes);
}
