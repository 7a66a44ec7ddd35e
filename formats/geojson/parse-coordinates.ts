import { fault, needMore, skipJson, SyntaxFault, type Cursor } from './cursor.ts';
import { pushHeight, pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { powersOfTen } from '../text/powers-of-ten.ts';

export interface CoordinatesResult {
  /** Nesting depth of the positions; 0 if there are none. */
  readonly depth: number;
  /** The problem with coordinates that are valid JSON. */
  readonly problem: string | undefined;
}

const maxPositionDepth = 4;
let depthOfPositions = 0;
let problem: string | undefined;

/**
 * Reads nested arrays of numbers without making objects of them. The type of a geometry may follow its
 * coordinates, so rings and polygons are recognised by the depth of the positions alone.
 * @param cursor at the opening bracket; left behind the closing one
 */
export function parseCoordinates(cursor: Cursor, geometry: GeometryBuffer): CoordinatesResult {
  const { bytes, end } = cursor;
  const ringsBefore = geometry.ringEnds.length;
  const polygonsBefore = geometry.polygonEnds.length;
  const positionsBefore = geometry.positionCount;
  depthOfPositions = 0;
  problem = undefined;
  if (geometry.heights !== undefined) further.fill(NaN); // of a position that was not read to its end
  let depth = 0;
  let afterValue = false;
  for (;;) {
    const byte = bytes[cursor.at]!;
    if (byte === 91) {
      if (afterValue) fault(cursor, cursor.at, '","');
      depth++;
      cursor.at++;
      const next = bytes[cursor.at]!;
      if ((next >= 48 && next <= 57) || next === 45) {
        parsePosition(cursor, geometry, depth);
        depth--;
        afterValue = true;
      }
    } else if (byte === 93) {
      cursor.at++;
      if (!afterValue) problem ??= 'an array of coordinates is empty';
      else if (depth === depthOfPositions - 1) geometry.ringEnds.push(geometry.positionCount);
      else if (depth === depthOfPositions - 2) geometry.polygonEnds.push(geometry.ringEnds.length);
      depth--;
      afterValue = true;
    } else if (byte === 44) {
      if (!afterValue) fault(cursor, cursor.at, 'a value');
      cursor.at++;
      afterValue = false;
      continue;
    } else if (byte === 32 || byte === 10 || byte === 13 || byte === 9) {
      cursor.at++;
      continue;
    } else if ((byte >= 48 && byte <= 57) || byte === 45) {
      if (afterValue) fault(cursor, cursor.at, '","');
      parsePosition(cursor, geometry, depth);
      depth--;
      afterValue = true;
    } else {
      if (byte === 0 && cursor.at >= end) throw needMore;
      if (afterValue) fault(cursor, cursor.at, '","');
      skipScalarInCoordinates(cursor);
      problem ??= 'a coordinate is not a number';
      afterValue = true;
    }
    if (depth === 0) break;
  }
  if (geometry.positionCount > positionsBefore) {
    if (geometry.ringEnds.at(-1) !== geometry.positionCount || geometry.ringEnds.length === ringsBefore) {
      geometry.ringEnds.push(geometry.positionCount);
    }
    if (
      geometry.polygonEnds.at(-1) !== geometry.ringEnds.length ||
      geometry.polygonEnds.length === polygonsBefore
    ) {
      geometry.polygonEnds.push(geometry.ringEnds.length);
    }
  }
  return { depth: depthOfPositions, problem };
}

/** At the first number of a position, at any depth; left behind its closing bracket. */
function parsePosition(cursor: Cursor, geometry: GeometryBuffer, depth: number): void {
  const { bytes } = cursor;
  let x = 0;
  let y = 0;
  for (let count = 0; ; count++) {
    let byte = bytes[cursor.at]!;
    while (byte === 32 || byte === 10 || byte === 13 || byte === 9) byte = bytes[++cursor.at]!;
    if ((byte >= 48 && byte <= 57) || byte === 45) {
      const value = parseNumber(cursor);
      if (count === 0) x = value;
      else if (count === 1) y = value;
      else if (geometry.heights !== undefined) further[count - 2] = value;
    } else {
      // A further bracket, a string, null or true among the numbers.
      if (byte === 0 && cursor.at >= cursor.end) throw needMore;
      if (byte === 93) fault(cursor, cursor.at, 'a number');
      skipJson(cursor);
      problem ??= 'a coordinate is not a number';
    }
    byte = bytes[cursor.at]!;
    while (byte === 32 || byte === 10 || byte === 13 || byte === 9) byte = bytes[++cursor.at]!;
    cursor.at++;
    if (byte === 44) continue;
    if (byte !== 93) fault(cursor, cursor.at - 1, '"," or "]"');
    if (count === 0) problem ??= 'a position has fewer than two numbers';
    break;
  }
  if (depthOfPositions === 0) {
    depthOfPositions = depth;
    if (depth > maxPositionDepth) problem ??= 'the coordinates are nested too deep';
  } else if (depthOfPositions !== depth) problem ??= 'the coordinates are nested unevenly';
  pushPosition(geometry, x, y);
  if (geometry.heights !== undefined) takeHeight(geometry);
}

/** Z and M of the position that is read, in a place of their own, so that others cost nothing. */
const further = new Float64Array(2).fill(NaN);

function takeHeight(geometry: GeometryBuffer): void {
  pushHeight(geometry, further[0]!, further[1]!);
  further.fill(NaN);
}

function skipScalarInCoordinates(cursor: Cursor): void {
  const byte = cursor.bytes[cursor.at]!;
  if (byte === 125 || byte === 58) fault(cursor, cursor.at, 'a coordinate');
  skipJson(cursor);
}

/** Digits that fit a double's 53 bits times an exact power of ten are exact; all else goes the slow way. */
function parseNumber(cursor: Cursor): number {
  const { bytes } = cursor;
  const start = cursor.at;
  let at = start;
  let byte = bytes[at]!;
  const negative = byte === 45;
  if (negative) byte = bytes[++at]!;
  let mantissa = 0;
  const digitsFrom = at;
  while (byte >= 48 && byte <= 57) {
    mantissa = mantissa * 10 + (byte - 48);
    byte = bytes[++at]!;
  }
  const whole = at - digitsFrom;
  let decimals = 0;
  if (byte === 46) {
    byte = bytes[++at]!;
    const from = at;
    while (byte >= 48 && byte <= 57) {
      mantissa = mantissa * 10 + (byte - 48);
      byte = bytes[++at]!;
    }
    decimals = at - from;
    if (decimals === 0) fault(cursor, at, 'a digit');
  }
  const leadingZero = whole > 1 && bytes[digitsFrom] === 48;
  if (whole === 0) fault(cursor, at, 'a digit');
  if (leadingZero) throw new SyntaxFault('a number has a leading zero', digitsFrom);
  const exponent = byte === 101 || byte === 69;
  if (exponent) {
    byte = bytes[++at]!;
    if (byte === 43 || byte === 45) byte = bytes[++at]!;
    const from = at;
    while (byte >= 48 && byte <= 57) byte = bytes[++at]!;
    if (at === from) fault(cursor, at, 'a digit');
  }
  if (at >= cursor.end) throw needMore;
  cursor.at = at;
  if (exponent || mantissa > Number.MAX_SAFE_INTEGER || decimals > 22) {
    return Number(bytes.toString('latin1', start, at));
  }
  const value = decimals === 0 ? mantissa : mantissa / powersOfTen[decimals]!;
  return negative ? -value : value;
}
