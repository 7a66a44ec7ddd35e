import { parseDecimal } from '../text/parse-decimal.ts';
import type { Decode } from '../text/open-decoder.ts';
import type { DbfField, DbfHeader } from './dbf-header.ts';

type ReadCell = (bytes: Buffer, start: number, end: number) => unknown;

/** Reads rows of a dBase table, always into the same object. */
export interface DbfRows {
  /** Overwritten by `read`. */
  readonly properties: Record<string, unknown>;
  /** @param at where the row begins in `bytes`; @returns false if the row is deleted */
  read(bytes: Buffer, at: number): boolean;
  /** Sets all attributes to null, as for a missing row. */
  clear(): void;
}

const deleted = 0x2a;

export function createDbfRows({ fields, recordBytes }: DbfHeader, decode: Decode): DbfRows {
  // Every name its own property from the start, `__proto__` too.
  const properties: Record<string, unknown> = Object.fromEntries(fields.map(({ name }) => [name, null]));
  const columns = fields.map((field) => ({ ...field, isText: isText(field), readCell: cellReader(field) }));
  let text = '';
  let isClear = true;
  return {
    properties,
    read(bytes, at) {
      if (bytes[at] === deleted) return false;
      isClear = false;
      const ascii = isPlainAscii(bytes, at, at + recordBytes);
      // One string for the row, as each one out of bytes costs a call out of JavaScript.
      if (ascii) text = bytes.toString('latin1', at, at + recordBytes);
      for (const { name, at: offset, length, isText: texts, readCell } of columns) {
        const start = at + offset;
        if (!texts) {
          properties[name] = readCell(bytes, start, start + length);
          continue;
        }
        const end = endOfText(bytes, start, start + length);
        if (end === start) properties[name] = null;
        else properties[name] = ascii ? text.slice(offset, end - at) : decode(bytes, start, end);
      }
      return true;
    },
    clear() {
      if (isClear) return;
      for (const { name } of fields) properties[name] = null;
      isClear = true;
    },
  };
}

/** NUL is none of it: some writers leave old bytes behind it. */
function isPlainAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 127) return false;
  return true;
}

/** Without the spaces at its end, and without what follows a NUL. */
function endOfText(bytes: Buffer, start: number, end: number): number {
  let last = end;
  while (last > start && (bytes[last - 1] === 32 || bytes[last - 1] === 0)) last--;
  for (let at = start; at < last; at++) {
    if (bytes[at] === 0) return endOfText(bytes, start, at);
  }
  return last;
}

function isText({ type }: DbfField): boolean {
  return !'NFLDIO+T@MBGPY0'.includes(type);
}

function cellReader({ type, length }: DbfField): ReadCell {
  if (type === 'N' || type === 'F') return readNumber;
  if (type === 'L') return readBoolean;
  if (type === 'D') return readDate;
  if ((type === 'I' || type === '+') && length === 4) return (bytes, start) => bytes.readInt32LE(start);
  if (type === 'O' && length === 8) return readDouble;
  if ((type === 'T' || type === '@') && length === 8) return readTimestamp;
  // Memos and objects stand in files that no shapefile has.
  return () => null;
}

/** An integer too long for a double stays a string: it is an identifier, and none of its digits may change. */
function readNumber(bytes: Buffer, from: number, to: number): number | string | null {
  let start = from;
  let end = to;
  while (start < end && bytes[start] === 32) start++;
  while (end > start && (bytes[end - 1] === 32 || bytes[end - 1] === 0)) end--;
  if (start === end) return null;
  let value = parseDecimal(bytes, start, end);
  if (Number.isNaN(value)) value = parseDecimal(bytes, start, end, comma);
  // Stars fill a number that was too long for its column.
  if (!Number.isFinite(value)) return null;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  const digits = bytes.toString('latin1', start, end);
  return /^-?\d+$/.test(digits) ? digits : value;
}

const comma = 44;

function readBoolean(bytes: Buffer, start: number, end: number): boolean | null {
  const letter = start < end ? String.fromCharCode(bytes[start]! | 32) : '';
  if (letter === 't' || letter === 'y') return true;
  return letter === 'f' || letter === 'n' ? false : null;
}

function readDate(bytes: Buffer, start: number, end: number): string | null {
  const text = bytes.toString('latin1', start, end);
  const parts = /^(\d{4})(\d{2})(\d{2})/.exec(text);
  if (parts === null || parts[0] === '00000000') return null;
  return `${parts[1]}-${parts[2]}-${parts[3]}`;
}

function readDouble(bytes: Buffer, start: number): number | null {
  const value = bytes.readDoubleLE(start);
  return Number.isFinite(value) ? value : null;
}

/** The Julian day of 1 January 1970. */
const epochDay = 2_440_588;
const dayMs = 86_400_000;

/** A Julian day and the milliseconds since midnight. */
function readTimestamp(bytes: Buffer, start: number): string | null {
  const day = bytes.readInt32LE(start);
  if (day === 0) return null;
  const time = new Date((day - epochDay) * dayMs + bytes.readInt32LE(start + 4));
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
