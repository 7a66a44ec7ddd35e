import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';
import { baseLengthOf } from './point-format.ts';

/** The public header block of LAS 1.0 to 1.5 (ASPRS). */
export interface LasHeader {
  /** `1.4` */
  readonly version: string;
  /** From 0 to 10. */
  readonly pointFormat: number;
  /** Length of a point record, in bytes. */
  readonly recordLength: number;
  readonly pointCount: number;
  readonly isCompressed: boolean;
  /** The CRS is in WKT rather than in GeoTIFF keys. */
  readonly isWkt: boolean;
  readonly headerSize: number;
  /** Offset of the first point, in bytes. */
  readonly pointOffset: number;
  readonly recordCount: number;
  /** Offset of the records behind the points; 0 if there are none. */
  readonly lateRecordOffset: number;
  readonly lateRecordCount: number;
  readonly scale: readonly [number, number, number];
  readonly offset: readonly [number, number, number];
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
  readonly software: string;
  /** Points of the first, second … return. */
  readonly returns: readonly number[];
  readonly created: { readonly year: number; readonly day: number };
}

const minBytes = 227;
const maxHeaderBytes = 375;
const compressedBits = 0xc0;
const wktBit = 16;

export function isLas(head: Uint8Array): boolean {
  return Buffer.from(head).toString('latin1', 0, 4) === 'LASF';
}

/** @throws BytesError */
export async function readLasHeader(bytes: Bytes): Promise<LasHeader> {
  const raw = await bytes.read(0, maxHeaderBytes);
  if (!isLas(raw)) throw new BytesError('it is not a LAS file');
  if (raw.length < minBytes) throw new BytesError('it is cut off in its header');
  const view = viewOf(raw);
  const [major, minor] = [view.getUint8(24), view.getUint8(25)];
  if (major !== 1 || minor > 5) throw new BytesError(`its version, LAS ${major}.${minor}, does not exist`);
  const headerSize = view.getUint16(94, true);
  const isLong = minor >= 4 && headerSize >= maxHeaderBytes;
  if (isLong && raw.length < maxHeaderBytes) throw new BytesError('it is cut off in its header');
  const format = view.getUint8(104);
  const pointFormat = format & ~compressedBits;
  const recordLength = view.getUint16(105, true);
  const minLength = baseLengthOf(pointFormat);
  if (minLength === undefined) throw new BytesError(`the point format ${pointFormat} does not exist`);
  if (recordLength < minLength)
    throw new BytesError(`its points are too short for point format ${pointFormat}`);
  const long = (at: number) => Number(view.getBigUint64(at, true));
  const three = (x: number, y: number, z: number) =>
    [view.getFloat64(x, true), view.getFloat64(y, true), view.getFloat64(z, true)] as const;
  const short = view.getUint32(107, true);
  return {
    version: `${major}.${minor}`,
    pointFormat,
    recordLength,
    pointCount: isLong ? long(247) || short : short,
    isCompressed: (format & compressedBits) !== 0,
    isWkt: minor >= 4 && (view.getUint16(6, true) & wktBit) !== 0,
    headerSize,
    pointOffset: view.getUint32(96, true),
    recordCount: view.getUint32(100, true),
    lateRecordOffset: isLong ? long(235) : 0,
    lateRecordCount: isLong ? view.getUint32(243, true) : 0,
    scale: three(131, 139, 147),
    offset: three(155, 163, 171),
    min: three(187, 203, 219),
    max: three(179, 195, 211),
    software: textIn(raw.subarray(58, 90)),
    returns: Array.from({ length: isLong ? 15 : 5 }, (_, i) =>
      isLong ? long(255 + i * 8) : view.getUint32(111 + i * 4, true),
    ),
    created: { year: view.getUint16(92, true), day: view.getUint16(90, true) },
  };
}

/** Up to the first NUL. */
export function textIn(raw: Uint8Array): string {
  const end = raw.indexOf(0);
  return Buffer.from(end < 0 ? raw : raw.subarray(0, end))
    .toString('latin1')
    .trim();
}

/** A variable length record: metadata besides the points. */
export interface LasRecord {
  readonly user: string;
  readonly id: number;
  /** Offset of its content, in bytes. */
  readonly offset: number;
  readonly length: number;
}

const maxRecords = 2000;

interface Records {
  readonly records: readonly LasRecord[];
  /** The problem with the records. */
  readonly fault: string | undefined;
}

/** The records before the points, and of LAS 1.4 those behind them. */
export async function listRecords(bytes: Bytes, header: LasHeader): Promise<Records> {
  const { headerSize, recordCount, lateRecordOffset, lateRecordCount } = header;
  const early = await listAt(bytes, { at: headerSize, count: recordCount, isLate: false });
  if (lateRecordOffset === 0) return early;
  const late = await listAt(bytes, { at: lateRecordOffset, count: lateRecordCount, isLate: true });
  return { records: [...early.records, ...late.records], fault: early.fault ?? late.fault };
}

async function listAt(
  bytes: Bytes,
  { at, count, isLate }: { at: number; count: number; isLate: boolean },
): Promise<Records> {
  const records: LasRecord[] = [];
  const headBytes = isLate ? 60 : 54;
  let place = at;
  for (let i = 0; i < count; i++) {
    if (i === maxRecords) return { records, fault: 'it has too many records' };
    const head = place + headBytes <= bytes.size ? await bytes.read(place, headBytes) : new Uint8Array(0);
    if (head.length < headBytes) return { records, fault: 'its records continue beyond the end of the file' };
    const view = viewOf(head);
    const length = isLate ? Number(view.getBigUint64(20, true)) : view.getUint16(20, true);
    records.push({
      user: textIn(head.subarray(2, 18)),
      id: view.getUint16(18, true),
      offset: place + headBytes,
      length,
    });
    place += headBytes + length;
  }
  return { records, fault: undefined };
}

const maxRecordBytes = 4 << 20;

/** @throws BytesError */
export async function readRecord(bytes: Bytes, { offset, length }: LasRecord): Promise<Uint8Array> {
  if (length > maxRecordBytes) throw new BytesError('one of its records is too long');
  return readExactly(bytes, offset, length);
}
