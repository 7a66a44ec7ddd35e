import type { Bytes } from '../bytes/bytes.ts';
import { readZip64Sizes, type MemberFields } from './member-fields.ts';
import type { DirectoryRange } from './find-directory.ts';
import { ZipError } from './zip-error.ts';

export const recordBytes = 46;
export const recordSignature = 0x02014b50;
/** Decoding so much blocks the thread for about ten milliseconds. */
const chunkBytes = 1 << 20;
const maxRecordBytes = recordBytes + 3 * 0xffff;
/** Most records are shorter. A longer one takes another read. */
const usualRecordBytes = 512;

export interface DirectoryRecord extends MemberFields {
  /** External attributes: the upper half holds the Unix mode. */
  readonly attributes: number;
  /** End of the record, in bytes from the start of the chunk it was decoded from. */
  readonly end: number;
}

export interface RecordEntry {
  readonly record: DirectoryRecord;
  /** Offset from the start of the directory, in bytes. */
  readonly at: number;
  /** Offset of the next record, likewise. */
  readonly next: number;
}

/**
 * Reads all records in the order of the directory, and yields them in batches, one for each read.
 * @param from offset of a record in the directory to start at; unless it is 0, the number of records is not checked
 * @throws ZipError
 */
export async function* readRecords(
  bytes: Bytes,
  { offset, end, count }: DirectoryRange,
  from = 0,
): AsyncGenerator<RecordEntry[]> {
  let seen = 0;
  for (let at = offset + from; at < end;) {
    const length = Math.min(end - at, chunkBytes);
    const chunk = await bytes.read(at, length);
    if (chunk.length < length) throw new ZipError('damaged', 'its directory is cut off');
    const records: RecordEntry[] = [];
    let within = 0;
    for (let record = decodeRecord(chunk, 0); record; record = decodeRecord(chunk, within)) {
      records.push({ record, at: at + within - offset, next: at + record.end - offset });
      within = record.end;
    }
    if (records.length === 0) throw new ZipError('damaged', 'its directory is damaged');
    seen += records.length;
    if (seen > count) break;
    yield records;
    at += within;
  }
  if (from === 0 && seen !== count)
    throw new ZipError(
      'damaged',
      `its directory does not have the ${count} members that its end record announces`,
    );
}

/** @param at offset of the record in the directory, in bytes @throws ZipError */
export async function readRecord(
  bytes: Bytes,
  { offset, end }: DirectoryRange,
  at: number,
): Promise<DirectoryRecord> {
  for (const length of [usualRecordBytes, maxRecordBytes]) {
    const chunk = await bytes.read(offset + at, Math.min(length, end - offset - at));
    const record = decodeRecord(chunk, 0);
    if (record) return record;
  }
  throw new ZipError('damaged', 'its directory is damaged');
}

/** Undefined if the record continues beyond the chunk. @throws ZipError */
export function decodeRecord(chunk: Uint8Array, at: number): DirectoryRecord | undefined {
  if (at + recordBytes > chunk.length) return undefined;
  const view = new DataView(chunk.buffer, chunk.byteOffset + at, recordBytes);
  if (view.getUint32(0, true) !== recordSignature) throw new ZipError('damaged', 'its directory is damaged');
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
    ...readZip64Sizes(narrow, extra),
  };
}
