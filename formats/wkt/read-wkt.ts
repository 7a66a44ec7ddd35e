import { clearGeometry, pushHeight, pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { parseDecimal } from '../text/parse-decimal.ts';
import {
  appendArcs,
  appendPositions,
  code,
  codeNames,
  maxNesting,
  dropRings,
  endPart,
  endPolygon,
  endRing,
  GeometryFault,
  partTypes,
  type PositionRun,
} from '../wkb/build-geometry.ts';

interface Cursor {
  readonly bytes: Buffer;
  readonly geometry: GeometryBuffer;
  at: number;
  /** The third number of a position is M. */
  hasOnlyM: boolean;
}

const codes: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    Object.entries(codeNames).map(([number, name]) => [name.toUpperCase(), Number(number)]),
  ),
  GEOMETRYCOLLECTION: code.collection,
};

/** Type of a member without a name, and the names it may have. */
const membersOf: Readonly<Record<number, readonly [unnamed: number, ...named: number[]]>> = {
  [code.compoundCurve]: [code.lineString, code.circularString],
  [code.curvePolygon]: [code.lineString, code.circularString, code.compoundCurve],
  [code.multiCurve]: [code.lineString, code.circularString, code.compoundCurve],
  [code.multiSurface]: [code.polygon, code.curvePolygon],
  [code.polyhedralSurface]: [code.polygon, code.triangle],
  [code.tin]: [code.triangle, code.polygon],
};

const open = 40;
const close = 41;
const comma = 44;

/**
 * Reads one geometry in well-known text: ISO 19125-1 and SQL/MM part 3 with Z, M and ZM, or EWKT of PostGIS
 * (`SRID=4326;POINT(1 2)`); curves as chords (linearArc), surfaces as polygons. Empty geometries have no part.
 * @param geometry overwritten
 * @returns the problem and its position, if any; then the geometry is empty
 */
export function readWkt(text: string, geometry: GeometryBuffer): string | undefined {
  clearGeometry(geometry);
  const at = sridPrefix.exec(text)?.[0].length ?? 0;
  const cursor: Cursor = { bytes: Buffer.from(text), geometry, at, hasOnlyM: false };
  try {
    readGeometry(cursor, 0);
    if (nextByte(cursor) !== undefined) expected(cursor, 'the end');
    return undefined;
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error;
    clearGeometry(geometry);
    return error.message;
  }
}

const sridPrefix = /^\s*SRID\s*=\s*(\d{1,9})\s*;/i;

/** The number before the semicolon of EWKT. */
export function ewktSrid(text: string): number | undefined {
  const srid = sridPrefix.exec(text)?.[1];
  return srid === undefined ? undefined : Number(srid);
}

function readGeometry(cursor: Cursor, depth: number): void {
  const type = readType(cursor);
  const { geometry } = cursor;
  if (type !== code.collection) {
    const polygonStart = geometry.polygonEnds.length;
    readBody(cursor, type);
    endPart(geometry, partTypes[type]!, polygonStart);
    return;
  }
  if (depth === maxNesting) throw new GeometryFault(`collections are nested more than ${maxNesting} deep`);
  readList(cursor, () => readGeometry(cursor, depth + 1));
}

/** Appends anything but a collection. What its members may be is narrower at each step, so the recursion ends. */
function readBody(cursor: Cursor, type: number): void {
  const { geometry } = cursor;
  switch (type) {
    case code.point:
      return readList(cursor, () => readPoint(cursor), 1);
    case code.lineString:
      return readList(cursor, () => readPosition(cursor));
    case code.circularString:
      return appendArcs(geometry, readRun(cursor));
    case code.compoundCurve:
      return readMembers(cursor, type, (member) =>
        member === code.circularString
          ? appendArcs(geometry, readRun(cursor), true)
          : appendPositions(geometry, readRun(cursor), true),
      );
    case code.multiPoint:
      return readList(cursor, () => readMemberPoint(cursor));
    case code.multiLineString:
      return readList(cursor, () => {
        readBody(cursor, code.lineString);
        endRing(geometry);
      });
    case code.multiCurve:
      return readMembers(cursor, type, (member) => {
        readBody(cursor, member);
        endRing(geometry);
      });
    case code.polygon:
    case code.triangle:
    case code.curvePolygon:
      return readPolygon(cursor, type);
    case code.multiPolygon:
      return readList(cursor, () => {
        readPolygon(cursor, code.polygon);
        endPolygon(geometry);
      });
    default:
      return readMembers(cursor, type, (member) => {
        readPolygon(cursor, member);
        endPolygon(geometry);
      });
  }
}

function readPolygon(cursor: Cursor, type: number): void {
  const { geometry } = cursor;
  const ringStart = geometry.ringEnds.length;
  let outer: boolean | undefined;
  const readRing = (ringType: number): void => {
    readBody(cursor, ringType);
    endRing(geometry);
    outer ??= geometry.ringEnds.length > ringStart;
  };
  if (type === code.curvePolygon) readMembers(cursor, type, readRing);
  else readList(cursor, () => readRing(code.lineString));
  if (outer === false) dropRings(geometry, ringStart);
}

function readMembers(cursor: Cursor, type: number, read: (member: number) => void): void {
  const [unnamed, ...named] = membersOf[type]!;
  readList(cursor, () => {
    const start = cursor.at;
    if (nextByte(cursor) === open || isEmpty(cursor)) {
      cursor.at = start;
      return read(unnamed);
    }
    const member = readType(cursor);
    if (member !== unnamed && !named.includes(member))
      throw new GeometryFault(`a ${codeNames[type]} contains a ${codeNames[member]}`);
    read(member);
  });
}

/** `EMPTY`, or items between brackets and commas. */
function readList(cursor: Cursor, readItem: () => void, maxCount = Infinity): void {
  if (isEmpty(cursor)) return;
  if (nextByte(cursor) !== open) expected(cursor, '"(" or EMPTY');
  let byte: number | undefined = comma;
  for (let count = 0; byte === comma && count < maxCount; count++) {
    cursor.at++;
    readItem();
    byte = nextByte(cursor);
  }
  if (byte !== close) expected(cursor, maxCount === 1 ? '")"' : '"," or ")"');
  cursor.at++;
}

/** Points of a MultiPoint may be in brackets. */
function readMemberPoint(cursor: Cursor): void {
  if (nextByte(cursor) === open) readList(cursor, () => readPoint(cursor), 1);
  else if (!isEmpty(cursor)) readPoint(cursor);
}

const pair = { x: 0, y: 0, z: NaN, m: NaN };

/** A point of NaN is empty; some writers use it. */
function readPoint(cursor: Cursor): void {
  readNumbers(cursor);
  if (!Number.isNaN(pair.x) || !Number.isNaN(pair.y)) push(cursor.geometry);
}

function readPosition(cursor: Cursor): void {
  readNumbers(cursor);
  push(cursor.geometry);
}

function push(geometry: GeometryBuffer): void {
  if (!Number.isFinite(pair.x) || !Number.isFinite(pair.y))
    throw new GeometryFault('a coordinate is not a finite number');
  pushPosition(geometry, pair.x, pair.y);
  pushHeight(geometry, pair.z, pair.m);
}

/** The positions of a segment of a curve. */
function readRun(cursor: Cursor): PositionRun {
  const numbers: number[] = [];
  readList(cursor, () => {
    readNumbers(cursor);
    numbers.push(pair.x, pair.y, pair.z, pair.m);
  });
  const view = new DataView(new ArrayBuffer(numbers.length * 8));
  for (const [i, value] of numbers.entries()) view.setFloat64(i * 8, value, true);
  const heights = { zAt: 16, mAt: 24, stride: 32 };
  return { view, at: 0, count: numbers.length / 4, stride: 32, littleEndian: true, heights };
}

/** Two to four numbers, into `pair`. */
function readNumbers(cursor: Cursor): void {
  pair.x = readNumber(cursor);
  pair.y = readNumber(cursor);
  pair.z = NaN;
  pair.m = NaN;
  for (let more = 0; more < 2; more++) {
    const byte = nextByte(cursor);
    if (byte === comma || byte === close || byte === undefined) return;
    const value = readNumber(cursor);
    if (more === 1 || cursor.hasOnlyM) pair.m = value;
    else pair.z = value;
  }
}

function readNumber(cursor: Cursor): number {
  nextByte(cursor);
  const { bytes } = cursor;
  const start = cursor.at;
  let at = start;
  while (isOfNumber(bytes[at])) at++;
  const value = parseDecimal(bytes, start, at);
  if (Number.isNaN(value) && !/^[+-]?nan$/i.test(bytes.toString('latin1', start, Math.min(at, start + 4)))) {
    expected(cursor, 'a number');
  }
  cursor.at = at;
  return value;
}

/** Includes letters, for exponents and NaN. */
function isOfNumber(byte = 0): boolean {
  return (byte >= 48 && byte <= 57) || byte === 45 || byte === 46 || byte === 43 || isLetter(byte);
}

function isLetter(byte = 0): boolean {
  const lower = byte | 32;
  return lower >= 97 && lower <= 122;
}

/** `POINT`, `POINT Z`, `PointZM` … */
function readType(cursor: Cursor): number {
  const word = peekWord(cursor);
  const type = codes[word] ?? codes[word.replace(/(?:ZM|Z|M)$/, '')];
  if (type === undefined) expected(cursor, 'the name of a geometry type');
  cursor.at += word.length;
  const dimensions = peekWord(cursor);
  if (dimensions === 'Z' || dimensions === 'M' || dimensions === 'ZM') cursor.at += dimensions.length;
  cursor.hasOnlyM ||= dimensions === 'M' || /[^Z]M$/.test(word);
  return type;
}

function isEmpty(cursor: Cursor): boolean {
  if (peekWord(cursor) !== 'EMPTY') return false;
  cursor.at += 5;
  return true;
}

/** The letters behind any white space, in upper case; not consumed. */
function peekWord(cursor: Cursor): string {
  if (!isLetter(nextByte(cursor))) return '';
  let end = cursor.at;
  while (end < cursor.at + maxWordLength && isLetter(cursor.bytes[end])) end++;
  return cursor.bytes.toString('latin1', cursor.at, end).toUpperCase();
}

const maxWordLength = 32;

/** Skips white space; undefined at the end. */
function nextByte(cursor: Cursor): number | undefined {
  let byte = cursor.bytes[cursor.at];
  while (byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13)) byte = cursor.bytes[++cursor.at];
  return byte;
}

function expected(cursor: Cursor, token: string): never {
  const byte = nextByte(cursor);
  const found =
    byte === undefined
      ? 'the text ends'
      : `found "${cursor.bytes.toString('utf8', cursor.at, cursor.at + 12)}"`;
  throw new GeometryFault(
    `the WKT is not valid: expected ${token} at character ${cursor.at + 1}, but ${found}`,
  );
}
