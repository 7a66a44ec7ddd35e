import { pushHeight, pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { powersOfTen } from '../text/powers-of-ten.ts';
import { isSpace } from './is-space.ts';
import { longDecimal, longQuotient } from './long-decimal.ts';

/** Text in which numbers are looked for. */
export interface NumberCursor {
  bytes: Uint8Array;
  at: number;
  end: number;
}

const comma = 44;

export function skipSpaces(cursor: NumberCursor): void {
  const { bytes, end } = cursor;
  let { at } = cursor;
  while (at < end && isSpace(bytes[at])) at++;
  cursor.at = at;
}

/** White space and commas, as old files have them between and within positions. */
export function skipSeparators(cursor: NumberCursor): void {
  const { bytes, end } = cursor;
  let { at } = cursor;
  while (at < end && (bytes[at] === comma || isSpace(bytes[at]))) at++;
  cursor.at = at;
}

/**
 * Reads a decimal number as XML Schema writes a double. Digits that fit into 53 bits times an exact power of ten are
 * exact; up to 22 digits take a longer way, and all others, and those with an exponent, the slow one.
 * @returns NaN, with the cursor unchanged, if there is none
 */
export function readNumber(cursor: NumberCursor): number {
  return parseNumber(cursor) ? parsed[0]! : NaN;
}

/** What was parsed last: as the result of a function that is too long to be inlined, it would be an object. */
const parsed = new Float64Array(1);

/** Up to here a further digit fits into 32 bits. */
const eightDigits = 99_999_999;

/** Whole numbers of 32 bits collect up to 18 digits, of which at most nine stand before the point. */
function parseNumber(cursor: NumberCursor): boolean {
  const { bytes, at: start, end } = cursor;
  const sign = bytes[start]!;
  const first = sign === 45 || sign === 43 ? start + 1 : start;
  let at = first;
  let head = 0;
  for (; at < end && head <= eightDigits; at++) {
    const digit = bytes[at]! - 48;
    if (digit < 0 || digit > 9) break;
    head = (head * 10 + digit) | 0;
  }
  let digits = at - first;
  let decimals = 0;
  let tail = 0;
  let power = 1;
  if (at < end && bytes[at] === 46) {
    const point = at++;
    for (; at < end && head <= eightDigits; at++) {
      const digit = bytes[at]! - 48;
      if (digit < 0 || digit > 9) break;
      head = (head * 10 + digit) | 0;
    }
    for (; at < end && power <= eightDigits * 10; at++) {
      const digit = bytes[at]! - 48;
      if (digit < 0 || digit > 9) break;
      tail = (tail * 10 + digit) | 0;
      power = (power * 10) | 0;
    }
    decimals = at - point - 1;
    digits += decimals;
  }
  const next = at < end ? bytes[at]! : 0;
  if (digits === 0 || (next >= 48 && next <= 57) || (next | 32) === 101) return parseLongNumber(cursor);
  const mantissa = head * power + tail;
  let value: number | undefined;
  if (mantissa > Number.MAX_SAFE_INTEGER) value = longQuotient(head, tail, power, decimals);
  else if (decimals <= 22) value = decimals === 0 ? mantissa : mantissa / powersOfTen[decimals]!;
  if (value === undefined) return parseLongNumber(cursor);
  cursor.at = at;
  parsed[0] = sign === 45 ? -value : value;
  return true;
}

function parseLongNumber(cursor: NumberCursor): boolean {
  const { bytes, at: start, end } = cursor;
  let at = start;
  const sign = bytes[at];
  if (sign === 45 || sign === 43) at++;
  const first = at;
  at = behindDigits(bytes, at, end);
  let digits = at - first;
  if (at < end && bytes[at] === 46) {
    const point = at;
    at = behindDigits(bytes, at + 1, end);
    digits += at - point - 1;
  }
  if (digits === 0) return false;
  const hasExponent = at < end && (bytes[at]! | 32) === 101;
  if (hasExponent) {
    at++;
    if (bytes[at] === 43 || bytes[at] === 45) at++;
    const from = at;
    at = behindDigits(bytes, at, end);
    if (at === from) return false;
  }
  cursor.at = at;
  const value = hasExponent ? undefined : longDecimal(bytes, first, at);
  if (value === undefined)
    parsed[0] = Number(Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start).toString('latin1'));
  else parsed[0] = sign === 45 ? -value : value;
  return true;
}

function behindDigits(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at]! >= 48 && bytes[at]! <= 57) at++;
  return at;
}

/** Numbers separated by white space. @returns the problem, if any */
export function readNumberList(cursor: NumberCursor, push: (value: number) => void): string | undefined {
  for (;;) {
    skipSpaces(cursor);
    if (cursor.at >= cursor.end) return undefined;
    const value = readNumber(cursor);
    if (!endsHere(cursor) || !Number.isFinite(value)) return notFinite(cursor);
    push(value);
  }
}

/**
 * Positions of `dimension` numbers each, separated by white space; the third is a height, others are dropped.
 * @returns the problem, if any
 */
export function readPositions(
  cursor: NumberCursor,
  dimension: number,
  geometry: GeometryBuffer,
): string | undefined {
  let x = 0;
  for (let index = 0; ; index++) {
    skipSpaces(cursor);
    if (cursor.at >= cursor.end) {
      const left = index % dimension;
      return left === 0 ? undefined : `the number of its coordinates is not a multiple of ${dimension}`;
    }
    const value = readNumber(cursor);
    // True of NaN and of both infinities.
    if (value - value !== 0 || !endsHere(cursor)) return notFinite(cursor);
    const axis = index % dimension;
    if (axis === 0) x = value;
    else if (axis === 1) pushPosition(geometry, x, value);
    else if (axis === 2) pushHeight(geometry, value);
  }
}

/**
 * Positions in the `coordinates` of KML and GML: commas between numbers, white space between positions; white space
 * around a comma is allowed.
 * @returns the problem, if any
 */
export function readTuples(cursor: NumberCursor, geometry: GeometryBuffer): string | undefined {
  const { bytes, end } = cursor;
  for (;;) {
    skipSpaces(cursor);
    if (cursor.at >= end) return undefined;
    let x = 0;
    let y = 0;
    let z = NaN;
    let count = 0;
    for (;;) {
      const value = readNumber(cursor);
      if (!Number.isFinite(value)) return notFinite(cursor);
      if (count === 0) x = value;
      else if (count === 1) y = value;
      else z = value;
      count++;
      const spaced = cursor.at;
      skipSpaces(cursor);
      if (bytes[cursor.at] !== comma || cursor.at >= end) {
        if (cursor.at === spaced && cursor.at < end) return notFinite(cursor);
        break;
      }
      cursor.at++;
      skipSpaces(cursor);
      if (cursor.at >= end) break;
    }
    if (count < 2) return 'a position has only one number';
    if (count > 3) return `a position has ${count} numbers: white space is missing between two positions`;
    pushPosition(geometry, x, y);
    if (count === 3) pushHeight(geometry, z);
  }
}

function endsHere({ bytes, at, end }: NumberCursor): boolean {
  return at >= end || bytes[at]! <= 32;
}

function notFinite({ bytes, at, end }: NumberCursor): string {
  const rest = new TextDecoder().decode(bytes.subarray(at, Math.min(end, at + 20)));
  return `a coordinate is not a finite number, at ${JSON.stringify(rest)}`;
}

const wholeNumber = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** Returns NaN unless the whole text is a decimal number. */
export function toNumber(text: string): number {
  return wholeNumber.test(text) ? Number(text) : NaN;
}
