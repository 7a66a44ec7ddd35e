import type { Bytes } from '../bytes/bytes.ts';
import { widened, type MemberFields } from './member-fields.ts';
import type { DirectoryPlace } from './read-end.ts';
import { ZipError } from './zip-error.ts';

const recordBytes = 46;
const recordSignature = 0x02014b50;
/** Gone through without a pause, in about ten milliseconds. */
const chunkBytes = 1 << 20;
const longestRecord = recordBytes + 3 * 0xffff;
/** Most records are shorter; the rest of a longer one takes another read. */
const usualRecord = 512;

export interface DirectoryRecord extends MemberFields {
  /** Of the file's system: in the upper half those of Unix. */
  readonly attributes: number;
  /** Behind it, in bytes from the start of what it was read from. */
  readonly end: number;
}

export interface PlacedRecord {
  readonly record: DirectoryRecord;
  /** In bytes from the start of the directory. */
  readonly at: number;
  /** Where the next one begins. */
  readonly next: number;
}

/**
 * All records in their order, as many at once as a read brings. @throws ZipError
 * @param from in bytes from the start of the directory, where one begins; how many they are is then not looked at
 */
export async function* readRecords(
  bytes: Bytes,
  { offset, end, count }: DirectoryPlace,
  from = 0,
): AsyncGenerator<PlacedRecord[]> {
  let seen = 0;
  for (let at = offset + from; at < end;) {
    const length = Math.min(end - at, chunkBytes);
    const chunk = await bytes.read(at, length);
    if (chunk.length < length) throw new ZipError('its directory is cut off');
    const records: PlacedRecord[] = [];
    let within = 0;
    for (let record = decodeRecord(chunk, 0); record; record = decodeRecord(chunk, within)) {
      records.push({ record, at: at + within - offset, next: at + record.end - offset });
      within = record.end;
    }
    if (records.length === 0) throw new ZipError('its directory is damaged');
    seen += records.length;
    if (seen > count) break;
    yield records;
    at += within;
  }
  if (from === 0 && seen !== count)
    throw new ZipError(`its directory has not the ${count} members that it should have`);
}

/** The record at this place of the directory. @throws ZipError */
export async function readRecord(
  bytes: Bytes,
  { offset, end }: DirectoryPlace,
  at: number,
): Promise<DirectoryRecord> {
  for (const length of [usualRecord, longestRecord]) {
    const chunk = await bytes.read(offset + at, Math.min(length, end - offset - at));
    const record = decodeRecord(chunk, 0);
    if (record) return record;
  }
  throw new ZipError('its directory is damaged');
}

/** undefined: it ends behind the bytes that there are. @throws ZipError */
export function decodeRecord(chunk: Uint8Array, at: number): DirectoryRecord | undefined {
  if (at + recordBytes > chunk.length) return undefined;
  const view = new DataView(chunk.buffer, chunk.byteOffset + at, recordBytes);
  if (view.getUint32(0, true) !== recordSignature) throw new ZipError('its directory is damaged');
  const nameEnd = at + recordBytes + view.getUint16(28, true);
  const extraEnd = nameEnd + view.getUint16(30, true);
  const end = extraEnd + view.getUint16(32, true);
  if (end > chunk.length) return undefined;
  const extra = chunk.subarray(nameEnd, extraEnd);
  const narrow = {
    size: view.getUint32(24, true),
    packedSize: view.getUint32(20, true),
    headerOffset: view.getUint32(42, true),
  };
  return {
    flags: view.getUint16(8, true),
    method: view.getUint16(10, true),
    crc32: view.getUint32(16, true),
    rawName: chunk.subarray(at + recordBytes, nameEnd),
    extra,
    attributes: view.getUint32(38, true),
    end,
    ...widened(narrow, extra),
  };
}
