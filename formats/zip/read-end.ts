import type { Bytes } from '../bytes/bytes.ts';
import { ZipError } from './zip-error.ts';

/** Where the central directory lies, in bytes from the start of the file. */
export interface DirectoryPlace {
  readonly offset: number;
  /** Behind its last byte. */
  readonly end: number;
  /** How many members it is said to have. */
  readonly count: number;
  /** Its last bytes, as many as came with the end of the file; they end at `end`. */
  readonly tail: Uint8Array;
}

const endBytes = 22;
const longestComment = 0xffff;
const endSignature = 0x06054b50;
const locatorBytes = 20;
const locatorSignature = 0x07064b50;
const end64Bytes = 56;
const end64Signature = 0x06064b50;

/** Reads the last 64 KiB of a zip file (APPNOTE 4.3.14 to 4.3.16). @throws ZipError */
export async function readEnd(bytes: Bytes): Promise<DirectoryPlace> {
  const start = Math.max(0, bytes.size - endBytes - longestComment);
  const last = await bytes.read(start, bytes.size - start);
  const view = new DataView(last.buffer, last.byteOffset, last.length);
  const at = findEnd(view);
  if (at === undefined)
    throw new ZipError('its end is missing: it is no zip file, or was not transferred completely');
  const disks = [view.getUint16(at + 4, true), view.getUint16(at + 6, true)];
  const count = view.getUint16(at + 10, true);
  const length = view.getUint32(at + 12, true);
  const offset = view.getUint32(at + 16, true);
  const isLarge = count === 0xffff || length === 0xffffffff || offset === 0xffffffff;
  const large = isLarge ? await readEnd64(bytes, view, at) : undefined;
  if (disks.some((disk) => disk !== 0 && disk !== 0xffff))
    throw new ZipError('it is one part of several: put them together first');
  const place = large ?? { count, offset, end: offset + length, before: start + at };
  if (place.end > place.before || place.offset > place.end || place.count > (place.end - place.offset) / 46)
    throw new ZipError('its directory does not lie where its end says: it is damaged or was cut off');
  const tail = last.subarray(0, Math.max(0, place.end - start));
  return { offset: place.offset, end: place.end, count: place.count, tail: tail.slice(-longestTail) };
}

/** Enough for the last record of an archive with an index, and little enough to be kept. */
const longestTail = 512;

function findEnd(view: DataView): number | undefined {
  for (let at = view.byteLength - endBytes; at >= 0; at--) {
    if (view.getUint32(at, true) !== endSignature) continue;
    if (at + endBytes + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return undefined;
}

interface LargePlace {
  readonly offset: number;
  readonly end: number;
  readonly count: number;
  readonly before: number;
}

/** The record of an archive above 4 GiB or 65,534 members; undefined where an honest small one just looks like it. */
async function readEnd64(bytes: Bytes, view: DataView, at: number): Promise<LargePlace | undefined> {
  if (at < locatorBytes || view.getUint32(at - locatorBytes, true) !== locatorSignature) return undefined;
  const before = safe(view.getBigUint64(at - locatorBytes + 8, true));
  const record = await bytes.read(before, end64Bytes);
  if (record.length < end64Bytes) throw new ZipError('its end is damaged');
  const end64 = new DataView(record.buffer, record.byteOffset, record.length);
  if (end64.getUint32(0, true) !== end64Signature) throw new ZipError('its end is damaged');
  const offset = safe(end64.getBigUint64(48, true));
  const end = offset + safe(end64.getBigUint64(40, true));
  return { offset, end, before, count: safe(end64.getBigUint64(32, true)) };
}

/** A number of 64 bits, by its lower and upper half. @throws ZipError for what no file has */
export function safeParts(low: number, high: number): number {
  if (high >= 2 ** 20) throw new ZipError('a size or place in it is impossible');
  return high * 2 ** 32 + low;
}

/** @throws ZipError for what no file has */
export function safe(value: bigint): number {
  return safeParts(Number(value & 0xffffffffn), Number(value >> 32n));
}
