import type { Bytes } from '../bytes/bytes.ts';
import { ZipError } from './zip-error.ts';

/** The range of the central directory, in bytes from the start of the file. */
export interface DirectoryRange {
  readonly offset: number;
  /** Exclusive. */
  readonly end: number;
  /** The number of members according to the end record, which may be wrong. */
  readonly count: number;
  /** The last bytes of the directory, as many as were read with the end record. */
  readonly tail: Uint8Array;
}

const endBytes = 22;
const maxCommentBytes = 0xffff;
export const endSignature = 0x06054b50;
const locatorBytes = 20;
export const locatorSignature = 0x07064b50;
const end64Bytes = 56;
export const end64Signature = 0x06064b50;

/** Reads the end records, which are in the last 64 KiB of a zip file (APPNOTE 4.3.14 to 4.3.16). @throws ZipError */
export async function findDirectory(bytes: Bytes): Promise<DirectoryRange> {
  const start = Math.max(0, bytes.size - endBytes - maxCommentBytes);
  const last = await bytes.read(start, bytes.size - start);
  const view = new DataView(last.buffer, last.byteOffset, last.length);
  const at = findEnd(view);
  if (at === undefined)
    throw new ZipError('damaged', 'its end is missing: it is not a zip file, or it is incomplete');
  const disks = [view.getUint16(at + 4, true), view.getUint16(at + 6, true)];
  const count = view.getUint16(at + 10, true);
  const length = view.getUint32(at + 12, true);
  const offset = view.getUint32(at + 16, true);
  const isLarge = count === 0xffff || length === 0xffffffff || offset === 0xffffffff;
  const large = isLarge ? await readZip64End(bytes, view, at) : undefined;
  if (disks.some((disk) => disk !== 0 && disk !== 0xffff))
    throw new ZipError('damaged', 'it is one part of a split archive: join the parts first');
  const place = large ?? { count, offset, end: offset + length, before: start + at };
  if (place.end > place.before || place.offset > place.end || place.count > (place.end - place.offset) / 46)
    throw new ZipError(
      'damaged',
      'its directory is not where its end record points: it is damaged or cut off',
    );
  const tail = last.subarray(0, Math.max(0, place.end - start));
  return { offset: place.offset, end: place.end, count: place.count, tail: tail.slice(-maxTailBytes) };
}

/** Holds the last record of an archive with an index, and is small enough to stay in memory. */
const maxTailBytes = 512;

function findEnd(view: DataView): number | undefined {
  for (let at = view.byteLength - endBytes; at >= 0; at--) {
    if (view.getUint32(at, true) !== endSignature) continue;
    if (at + endBytes + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return undefined;
}

interface Zip64Range {
  readonly offset: number;
  readonly end: number;
  readonly count: number;
  readonly before: number;
}

/** The ZIP64 end record. Undefined for a small archive whose values happen to be 0xffff or 0xffffffff. */
async function readZip64End(bytes: Bytes, view: DataView, at: number): Promise<Zip64Range | undefined> {
  if (at < locatorBytes || view.getUint32(at - locatorBytes, true) !== locatorSignature) return undefined;
  const before = toSafeNumber(view.getBigUint64(at - locatorBytes + 8, true));
  const record = await bytes.read(before, end64Bytes);
  if (record.length < end64Bytes) throw new ZipError('damaged', 'its end record is damaged');
  const end64 = new DataView(record.buffer, record.byteOffset, record.length);
  if (end64.getUint32(0, true) !== end64Signature) throw new ZipError('damaged', 'its end record is damaged');
  const offset = toSafeNumber(end64.getBigUint64(48, true));
  const end = offset + toSafeNumber(end64.getBigUint64(40, true));
  return { offset, end, before, count: toSafeNumber(end64.getBigUint64(32, true)) };
}

/** The number of 64 bits with these halves. @throws ZipError if no file can be so large */
export function joinUint64(low: number, high: number): number {
  if (high >= 2 ** 20) throw new ZipError('damaged', 'a size or offset in it is impossible');
  return high * 2 ** 32 + low;
}

/** @throws ZipError if no file can be so large */
export function toSafeNumber(value: bigint): number {
  return joinUint64(Number(value & 0xffffffffn), Number(value >> 32n));
}
