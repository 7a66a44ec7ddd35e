import type { TextEncoding } from './read-header.ts';

/** A number beyond what a double holds exactly is a bigint. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** A number of 1 to 9 bytes, the highest bits first; 64 bits as two's complement (fileformat2, 1.6). @throws RangeError */
export function readVarint(view: DataView, at: number): { value: number | bigint; end: number } {
  let value = 0;
  for (let i = 0; i < 7; i++) {
    const byte = view.getUint8(at + i);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  let large = BigInt(value);
  const eighth = view.getUint8(at + 7);
  large = (large << 7n) | BigInt(eighth & 0x7f);
  if (eighth < 0x80) return { value: narrowed(large), end: at + 8 };
  large = (large << 8n) | BigInt(view.getUint8(at + 8));
  return { value: narrowed(BigInt.asIntN(64, large)), end: at + 9 };
}

function narrowed(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8] as const;

/** The most columns that SQLite can be built for (sqlite.org/limits). */
const maxValues = 32_767;

/**
 * The values of a record (fileformat2, 2.1), or the first `count` of them; then the payload may be cut off behind them.
 * @throws RangeError
 */
export function decodeRecord(payload: Uint8Array, encoding: TextEncoding, count = Infinity): SqlValue[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const header = readVarint(view, 0);
  const headerEnd = Number(header.value);
  if (headerEnd > payload.length) throw new RangeError('the header of the record passes its end');
  const values: SqlValue[] = [];
  let body = headerEnd;
  for (let at = header.end; at < headerEnd && values.length < count;) {
    if (values.length >= maxValues) throw new RangeError('the record has too many values');
    const { value, end } = readVarint(view, at);
    at = end;
    const type = Number(value);
    const length = lengthOf(type);
    if (body + length > payload.length) throw new RangeError('a value passes the end of the record');
    values.push(valueOf(view, { type, at: body, length }, encoding));
    body += length;
  }
  return values;
}

function lengthOf(type: number): number {
  if (type < 0) throw new RangeError('a value has an unknown type');
  if (type <= 6) return integerBytes[type]!;
  if (type === 7) return 8;
  return type < 12 ? 0 : (type - 12) >> 1;
}

function valueOf(
  view: DataView,
  { type, at, length }: { type: number; at: number; length: number },
  encoding: TextEncoding,
): SqlValue {
  if (type === 0) return null;
  if (type <= 6) return readInteger(view, at, length);
  if (type === 7) return view.getFloat64(at);
  if (type < 12) return type === 9 ? 1 : type === 8 ? 0 : null;
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  return type % 2 === 0 ? bytes : decoderOf(encoding).decode(bytes);
}

function readInteger(view: DataView, at: number, length: number): number | bigint {
  if (length === 8) return narrowed(view.getBigInt64(at));
  let value = view.getInt8(at);
  for (let i = 1; i < length; i++) value = value * 256 + view.getUint8(at + i);
  return value;
}

const decoders = new Map<TextEncoding, TextDecoder>();

function decoderOf(encoding: TextEncoding): TextDecoder {
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding, { ignoreBOM: true });
  decoders.set(encoding, decoder);
  return decoder;
}

/** The order of an index with the collation BINARY (sqlite.org/datatype3, 4.1). */
export function compareValues(one: SqlValue, other: SqlValue, encoding: TextEncoding): number {
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  if (rank !== otherRank) return rank - otherRank;
  if (typeof one === 'string') return compareTexts(one, other as string, encoding);
  if (one instanceof Uint8Array) return Buffer.compare(one, other as Uint8Array);
  if (one === null) return 0;
  const number = other as number | bigint;
  return one < number ? -1 : one > number ? 1 : 0;
}

function rankOf(value: SqlValue): number {
  if (value === null) return 0;
  return typeof value === 'string' ? 2 : value instanceof Uint8Array ? 3 : 1;
}

/** Texts compare as their bytes do in the database. */
function compareTexts(one: string, other: string, encoding: TextEncoding): number {
  if (one === other) return 0;
  if (encoding === 'utf-16be') return one < other ? -1 : 1;
  const node = encoding === 'utf-8' ? 'utf8' : 'utf16le';
  return Buffer.compare(Buffer.from(one, node), Buffer.from(other, node));
}
