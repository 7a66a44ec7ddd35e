import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactlyInto } from '../bytes/read-exactly.ts';
import type { PointBuffer } from '../points/point-buffer.ts';
import { decodeChunk } from './decode/decode-chunk.ts';
import { createRecordDecoder, decodeBlocks, decodeRecords, type RecordReading } from './decode-records.ts';
import {
  compressionAdvice,
  decodeLazSettings,
  readChunks,
  type Chunk,
  type LazSettings,
} from './laz-chunks.ts';
import { listRecords, readLasHeader, readRecord, type LasHeader, type LasRecord } from './read-header.ts';

/** A LAS, LAZ or COPC file whose points can be read part by part. */
export interface LasPoints {
  readonly header: LasHeader;
  readonly records: readonly LasRecord[];
  /** Plain data: another thread may read any of them. */
  readonly parts: readonly Chunk[];
  /** Points that the header promises and the file does not have. */
  readonly missing: number;
}

/** Points of a part of an uncompressed file. */
const partPoints = 65_536;
/** Points may have thousands of extra bytes. */
const maxPartBytes = 16 << 20;
/** A longer chunk would not fit into memory, packed or not. */
const maxChunkBytes = 256 << 20;
const maxRecordBytes = 512 << 20;

/** @throws BytesError */
export async function openLas(bytes: Bytes): Promise<LasPoints> {
  const header = await readLasHeader(bytes);
  const { records } = await listRecords(bytes, header);
  if (header.pointCount === 0) throw new BytesError('it contains no points');
  if (![...header.scale, ...header.offset].every(Number.isFinite) || header.scale.includes(0))
    throw new BytesError('its scale is damaged');
  if (!header.isCompressed) return { header, records, ...plainParts(bytes, header) };
  const parts = await readChunks(bytes, header, await readLazSettings(bytes, records));
  return { header, records, parts: parts.filter(({ points }) => points > 0), missing: 0 };
}

/** How the points of a LAZ are compressed. @throws BytesError if that is unknown, or they cannot be decoded */
export async function readLazSettings(bytes: Bytes, records: readonly LasRecord[]): Promise<LazSettings> {
  const encoded = records.find(({ user, id }) => user === 'laszip encoded' && id === 22_204);
  if (encoded === undefined) throw new BytesError('it is compressed, but does not say how');
  const laz = decodeLazSettings(await readRecord(bytes, encoded));
  if (laz.fault !== undefined) throw new BytesError(compressionAdvice[laz.fault]);
  return laz;
}

/** @throws BytesError where it is damaged */
export async function readLasPart(
  bytes: Bytes,
  header: LasHeader,
  part: Chunk & RecordReading,
): Promise<PointBuffer> {
  return decodeRecords(await readRecords(bytes, header, part), header, part);
}

/** Memory of larger parts is not used again: a thread has several files open, and each would hold it. */
const maxKeptBytes = 8 << 20;

/** Gives memory for parts that are read one after the other; what was in it stays. */
type PartMemory = (use: 'packed' | 'records', length: number) => Uint8Array;

function createPartMemory(): PartMemory {
  const kept = { packed: new Uint8Array(0), records: new Uint8Array(0) };
  return (use, length) => {
    if (length > maxKeptBytes) return new Uint8Array(length);
    if (kept[use].length < length) kept[use] = new Uint8Array(length);
    return kept[use].subarray(0, length);
  };
}

/** Reads parts of a file block by block: a block is valid until the next, of whatever part. */
export function createBlockReader(
  bytes: Bytes,
  header: LasHeader,
  reading: RecordReading,
): (part: Chunk) => Promise<Iterable<PointBuffer>> {
  const decode = createRecordDecoder(header, reading);
  const memory = createPartMemory();
  return async (part) =>
    decodeBlocks(await readRecords(bytes, header, { ...reading, ...part }, memory), header, decode);
}

async function readRecords(
  bytes: Bytes,
  header: LasHeader,
  { offset, length, points, isVersion4, fields }: Chunk & Pick<RecordReading, 'fields'>,
  memory: PartMemory = (_, length) => new Uint8Array(length),
): Promise<Uint8Array> {
  const size = points * header.recordLength;
  if (length > maxChunkBytes || size > maxRecordBytes)
    throw new BytesError('one of its point chunks is too long');
  const packed = await readExactlyInto(bytes, offset, length, (needed) => memory('packed', needed));
  if (!header.isCompressed) return packed;
  return decodeChunk(packed, { ...header, fields, isVersion4 }, points, memory('records', size).fill(0));
}

function plainParts(
  { size }: Bytes,
  { pointOffset, pointCount, recordLength }: LasHeader,
): Pick<LasPoints, 'parts' | 'missing'> {
  const there = Math.min(pointCount, Math.max(0, Math.floor((size - pointOffset) / recordLength)));
  const perPart = Math.max(1, Math.min(partPoints, Math.floor(maxPartBytes / recordLength)));
  const parts: Chunk[] = [];
  for (let first = 0; first < there; first += perPart) {
    const points = Math.min(perPart, there - first);
    parts.push({ offset: pointOffset + first * recordLength, length: points * recordLength, points });
  }
  return { parts, missing: pointCount - there };
}
