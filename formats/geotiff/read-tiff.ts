import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';

/** The location and type of a tag's values. */
export interface TagEntry {
  /** The TIFF type: 3 is SHORT, 12 DOUBLE … */
  readonly type: number;
  readonly count: number;
  /** Offset of the values from the start of the file. */
  readonly offset: number;
  /** The values themselves, where they stand in the directory. */
  readonly inline: Uint8Array | undefined;
}

/** An image file directory: one image, overview or mask. */
export interface Directory {
  /** From the start of the file. */
  readonly offset: number;
  readonly tags: ReadonlyMap<number, TagEntry>;
}

export interface Tiff {
  readonly bytes: Bytes;
  readonly isLittle: boolean;
  /** BigTIFF: offsets of 8 bytes. */
  readonly isBig: boolean;
  /** At least one, in the order of the file's chain. */
  readonly directories: readonly Directory[];
  /** The problem that follows the last readable directory. */
  readonly fault: string | undefined;
}

const maxDirectories = 1000;
const maxTags = 1000;

/** Whether the first 4 bytes are those of a TIFF or BigTIFF. */
export function isTiff(head: Uint8Array): boolean {
  const [a, b, c, d] = head;
  if (a === 0x49 && b === 0x49) return (c === 42 || c === 43) && d === 0;
  return a === 0x4d && b === 0x4d && c === 0 && (d === 42 || d === 43);
}

/** Reads all directories, but no value that does not stand in them. @throws BytesError */
export async function readTiff(bytes: Bytes): Promise<Tiff> {
  const start = await bytes.read(0, 16);
  if (!isTiff(start)) throw new BytesError('it is not a TIFF file');
  if (start.length < 16) throw new BytesError('it is cut off');
  const view = viewOf(start);
  const isLittle = start[0] === 0x49;
  const isBig = view.getUint16(2, isLittle) === 43;
  const layout = { bytes, isLittle, isBig };
  const directories: Directory[] = [];
  const seen = new Set<number>();
  let offset = isBig ? Number(view.getBigUint64(8, isLittle)) : view.getUint32(4, isLittle);
  let fault: string | undefined;
  while (offset !== 0) {
    if (directories.length === maxDirectories) fault = `it has more than ${maxDirectories} images`;
    if (seen.has(offset)) fault = 'its directories form a loop';
    if (fault !== undefined) break;
    seen.add(offset);
    try {
      const { directory, next } = await readDirectory(layout, offset);
      directories.push(directory);
      offset = next;
    } catch (error) {
      if (!(error instanceof BytesError) || directories.length === 0) throw error;
      fault = error.message;
    }
  }
  if (directories.length === 0) throw new BytesError('it holds no image');
  return { ...layout, directories, fault };
}

export type Layout = Pick<Tiff, 'bytes' | 'isLittle' | 'isBig'>;

/** @throws BytesError */
export async function readDirectory(
  layout: Layout,
  offset: number,
): Promise<{ directory: Directory; next: number }> {
  const { bytes, isLittle, isBig } = layout;
  const [countBytes, entryBytes, longBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const long = (view: DataView, at: number) =>
    isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle);
  const head = viewOf(await readExactly(bytes, offset, countBytes));
  const count = isBig ? Number(head.getBigUint64(0, isLittle)) : head.getUint16(0, isLittle);
  if (count === 0 || count > maxTags) throw new BytesError('one of its directories is damaged');
  const body = await readExactly(bytes, offset + countBytes, count * entryBytes + longBytes);
  const view = viewOf(body);
  const tags = new Map<number, TagEntry>();
  for (let at = 0; at < count * entryBytes; at += entryBytes) {
    const type = view.getUint16(at + 2, isLittle);
    const values = long(view, at + 4);
    const valueAt = at + entryBytes - longBytes;
    const length = (typeBytes[type] ?? 0) * values;
    const isInline = length <= longBytes;
    tags.set(view.getUint16(at, isLittle), {
      type,
      count: values,
      offset: isInline ? offset + countBytes + valueAt : long(view, valueAt),
      inline: isInline ? body.subarray(valueAt, valueAt + length) : undefined,
    });
  }
  return { directory: { offset, tags }, next: long(view, count * entryBytes) };
}

/** BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, UNDEFINED, SSHORT, SLONG, SRATIONAL, FLOAT, DOUBLE, IFD, LONG8 … */
const typeBytes: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};

/** The largest number of values that is read. */
const maxValues = 4 << 20;

interface Range {
  readonly from?: number;
  readonly count?: number;
}

/** The values of a tag, or some of them; none where it is absent. @throws BytesError */
export async function numbersOf(
  tiff: Tiff,
  { tags }: Directory,
  name: number,
  { from = 0, count = Infinity }: Range = {},
): Promise<Float64Array> {
  const entry = tags.get(name);
  if (entry === undefined) return new Float64Array(0);
  const size = typeBytes[entry.type];
  const valueCount = Math.max(0, Math.min(count, entry.count - from));
  if (size === undefined || valueCount > maxValues) throw new BytesError(`its tag ${name} is damaged`);
  const raw =
    entry.inline?.subarray(from * size, (from + valueCount) * size) ??
    (await readExactly(tiff.bytes, entry.offset + from * size, valueCount * size));
  const view = viewOf(raw);
  const read = readers[entry.type]!;
  return Float64Array.from({ length: valueCount }, (_, i) => read(view, i * size, tiff.isLittle));
}

type ReadValue = (view: DataView, at: number, isLittle: boolean) => number;

const readByte: ReadValue = (view, at) => view.getUint8(at);
const readShort: ReadValue = (view, at, isLittle) => view.getUint16(at, isLittle);
const readLong: ReadValue = (view, at, isLittle) => view.getUint32(at, isLittle);
const readLong8: ReadValue = (view, at, isLittle) => Number(view.getBigUint64(at, isLittle));

const readers: Readonly<Record<number, ReadValue>> = {
  1: readByte,
  2: readByte,
  3: readShort,
  4: readLong,
  5: (view, at, isLittle) => view.getUint32(at, isLittle) / view.getUint32(at + 4, isLittle),
  6: (view, at) => view.getInt8(at),
  7: readByte,
  8: (view, at, isLittle) => view.getInt16(at, isLittle),
  9: (view, at, isLittle) => view.getInt32(at, isLittle),
  10: (view, at, isLittle) => view.getInt32(at, isLittle) / view.getInt32(at + 4, isLittle),
  11: (view, at, isLittle) => view.getFloat32(at, isLittle),
  12: (view, at, isLittle) => view.getFloat64(at, isLittle),
  13: readLong,
  16: readLong8,
  17: (view, at, isLittle) => Number(view.getBigInt64(at, isLittle)),
  18: readLong8,
};

/** The first value of a tag. @throws BytesError */
export async function numberOf(tiff: Tiff, directory: Directory, name: number): Promise<number | undefined> {
  return (await numbersOf(tiff, directory, name, { count: 1 }))[0];
}

/** A text up to its first NUL; empty where it is absent. @throws BytesError */
export async function textOf(tiff: Tiff, directory: Directory, name: number): Promise<string> {
  const raw = await rawOf(tiff, directory, name);
  const end = raw.indexOf(0);
  return new TextDecoder().decode(end < 0 ? raw : raw.subarray(0, end));
}

const maxRawBytes = 1 << 20;

/** The bytes of a tag as they are. @throws BytesError */
export async function rawOf(tiff: Tiff, { tags }: Directory, name: number): Promise<Uint8Array> {
  const entry = tags.get(name);
  if (entry === undefined) return new Uint8Array(0);
  if (entry.inline) return entry.inline;
  const length = (typeBytes[entry.type] ?? 0) * entry.count;
  if (length > maxRawBytes) throw new BytesError(`its tag ${name} is damaged`);
  return readExactly(tiff.bytes, entry.offset, length);
}
