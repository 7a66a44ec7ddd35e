import type { Decode } from '../text/open-decoder.ts';
import { parseDecimal } from '../text/parse-decimal.ts';
import type { Cells } from './scan-record.ts';

export type CellType = 'string' | 'integer' | 'number' | 'boolean';

/** The cells of one record as texts and values. */
export interface CellReader {
  /** The record's cells are read from `bytes` from now on. */
  open(bytes: Buffer, start: number, end: number): void;
  /** Empty if the record has no such cell. */
  text(column: number): string;
  /** Null for an empty cell; a value that does not match the type stays a string. */
  value(column: number, type: CellType): string | number | boolean | null;
  /** NaN if it is not a number. Unlike in `value`, +1 and 007 are numbers. */
  number(column: number): number;
}

const maxDigits = 15;

export function createCellReader(cells: Cells, decode: Decode, point: number): CellReader {
  let bytes: Buffer = Buffer.alloc(0);
  let recordStart = 0;
  /** The record as text, if it is ASCII: one string for all cells. */
  let record: string | undefined;
  const text = (column: number): string => {
    if (column >= cells.count) return '';
    const start = cells.starts[column]!;
    const end = cells.ends[column]!;
    const cell =
      record === undefined ? decode(bytes, start, end) : record.slice(start - recordStart, end - recordStart);
    return cells.quotes[column] === 2 ? cell.replaceAll('""', '"') : cell;
  };
  /** Trims spaces: sets `from` and `to`. */
  let from = 0;
  let to = 0;
  const trim = (column: number): void => {
    from = column < cells.count ? cells.starts[column]! : 0;
    to = column < cells.count ? cells.ends[column]! : 0;
    while (from < to && (bytes[from] === 32 || bytes[from] === 9)) from++;
    while (to > from && (bytes[to - 1] === 32 || bytes[to - 1] === 9)) to--;
  };
  return {
    open(from, start, end) {
      bytes = from;
      recordStart = start;
      record = isAscii(from, start, end) ? from.toString('latin1', start, end) : undefined;
    },
    text,
    number(column) {
      trim(column);
      return parseDecimal(bytes, from, to, point);
    },
    value(column, type) {
      trim(column);
      if (from === to) return null;
      if (type === 'string') return text(column);
      if (type === 'boolean') return booleanOf(bytes, from, to) ?? text(column);
      const value = canonicalNumber(bytes, from, to, point);
      const fits =
        type === 'integer' ? Number.isInteger(value) && to - from <= maxDigits + 1 : value === value;
      return fits ? value : text(column);
    },
  };
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 127) return false;
  return true;
}

function booleanOf(bytes: Buffer, start: number, end: number): boolean | undefined {
  if (end - start > 5) return undefined;
  const text = bytes.toString('latin1', start, end).toLowerCase();
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

/** Returns NaN for codes as well: a postcode 01069, a telephone number +49. */
function canonicalNumber(bytes: Buffer, start: number, end: number, point: number): number {
  const first = bytes[start] === minus ? start + 1 : start;
  const isDigit = (byte = 0): boolean => byte >= 48 && byte <= 57;
  if (bytes[first] === 48 && first + 1 < end && isDigit(bytes[first + 1])) return Number.NaN;
  if (bytes[first] === plus || bytes[end - 1] === point) return Number.NaN;
  const value = parseDecimal(bytes, start, end, point);
  // More digits than a double keeps: an identifier.
  const long = end - first > maxDigits && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return Number.isFinite(value) && !(long && isInteger(bytes, first, end)) ? value : Number.NaN;
}

const minus = 45;
const plus = 43;

function isInteger(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! < 48 || bytes[at]! > 57) return false;
  return true;
}

/** The narrowest type that all values of a column fit so far; undefined where nothing stood yet. */
export function widenType(
  reader: CellReader,
  column: number,
  known: CellType | undefined,
): CellType | undefined {
  if (known === 'string') return known;
  const found = typeOf(reader, column);
  if (found === undefined || known === undefined || found === known) return known ?? found;
  const numeric = (type: CellType): boolean => type === 'integer' || type === 'number';
  return numeric(found) && numeric(known) ? 'number' : 'string';
}

function typeOf(reader: CellReader, column: number): CellType | undefined {
  const number = reader.value(column, 'number');
  if (number === null) return undefined;
  if (typeof number === 'number')
    return typeof reader.value(column, 'integer') === 'number' ? 'integer' : 'number';
  return typeof reader.value(column, 'boolean') === 'boolean' ? 'boolean' : 'string';
}
