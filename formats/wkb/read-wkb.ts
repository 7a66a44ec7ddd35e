import { clearGeometry, pushHeight, pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';
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
  type HeightRun,
  type PositionRun,
} from './build-geometry.ts';

interface Cursor {
  readonly view: DataView;
  readonly geometry: GeometryBuffer;
  at: number;
  /** Byte order of the last header. */
  littleEndian: boolean;
  stride: number;
  hasZ: boolean;
  hasM: boolean;
}

/** Allowed member types; a collection may contain any. */
const membersOf: Readonly<Record<number, readonly number[]>> = {
  [code.multiPoint]: [code.point],
  [code.multiLineString]: [code.lineString],
  [code.multiPolygon]: [code.polygon],
  [code.compoundCurve]: [code.lineString, code.circularString],
  [code.curvePolygon]: [code.lineString, code.circularString, code.compoundCurve],
  [code.multiCurve]: [code.lineString, code.circularString, code.compoundCurve],
  [code.multiSurface]: [code.polygon, code.curvePolygon],
  [code.polyhedralSurface]: [code.polygon, code.triangle],
  [code.tin]: [code.triangle, code.polygon],
};

/** Byte order, type and a count: no geometry is shorter. */
const shortestGeometry = 9;

/**
 * Reads one geometry in WKB: ISO (ISO 19125-1, SQL/MM part 3) or EWKB (PostGIS), either byte order, curves as chords (linearArc), surfaces and triangles as polygons. Trailing bytes are ignored. Empty geometries,
 * including points of NaN, have no part. Z and M are kept where the buffer has room for them.
 * @param geometry overwritten
 * @returns the problem, if any; then the geometry is empty
 */
export function readWkb(bytes: Uint8Array, start: number, geometry: GeometryBuffer): string | undefined {
  clearGeometry(geometry);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const format = { littleEndian: true, stride: 16, hasZ: false, hasM: false };
    readGeometry({ view, geometry, at: start, ...format }, 0);
    return undefined;
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error;
    clearGeometry(geometry);
    return error.message;
  }
}

function readGeometry(cursor: Cursor, depth: number): void {
  const type = readHeader(cursor);
  const { geometry } = cursor;
  if (type !== code.collection) {
    const polygonStart = geometry.polygonEnds.length;
    readBody(cursor, type);
    endPart(geometry, partTypes[type]!, polygonStart);
    return;
  }
  if (depth === maxNesting) throw new GeometryFault(`collections are nested more than ${maxNesting} deep`);
  const count = readCount(cursor, shortestGeometry);
  for (let i = 0; i < count; i++) readGeometry(cursor, depth + 1);
}

/** Appends everything but a collection. What its members may be is narrower at each step, so the recursion ends. */
function readBody(cursor: Cursor, type: number): void {
  const { geometry } = cursor;
  switch (type) {
    case code.point:
      return readPoint(cursor);
    case code.lineString:
      return appendPositions(geometry, readRun(cursor));
    case code.circularString:
      return appendArcs(geometry, readRun(cursor));
    case code.compoundCurve:
      return readMembers(cursor, type, (member) => readCurve(cursor, member));
    case code.polygon:
    case code.triangle:
    case code.curvePolygon:
      return readPolygon(cursor, type);
    case code.multiPoint:
      return readMembers(cursor, type, () => readPoint(cursor));
    case code.multiLineString:
    case code.multiCurve:
      return readMembers(cursor, type, (member) => {
        readBody(cursor, member);
        endRing(geometry);
      });
    default:
      return readMembers(cursor, type, (member) => {
        readPolygon(cursor, member);
        endPolygon(geometry);
      });
  }
}

function readPoint(cursor: Cursor): void {
  const { view, at, littleEndian, stride, geometry } = cursor;
  need(cursor, stride);
  cursor.at += stride;
  const x = view.getFloat64(at, littleEndian);
  const y = view.getFloat64(at + 8, littleEndian);
  // OGC GeoPackage 2.1.3: a point of NaN is the empty point.
  if (Number.isNaN(x) && Number.isNaN(y)) return;
  if (!Number.isFinite(x) || !Number.isFinite(y))
    throw new GeometryFault('a coordinate is not a finite number');
  pushPosition(geometry, x, y);
  if (geometry.heights === undefined) return;
  const z = cursor.hasZ ? view.getFloat64(at + 16, littleEndian) : NaN;
  const m = cursor.hasM ? view.getFloat64(at + stride - 8, littleEndian) : NaN;
  pushHeight(geometry, z, m);
}

/** Appends a segment to the current ring. */
function readCurve(cursor: Cursor, type: number): void {
  if (type === code.circularString) appendArcs(cursor.geometry, readRun(cursor), true);
  else appendPositions(cursor.geometry, readRun(cursor), true);
}

function readPolygon(cursor: Cursor, type: number): void {
  const { geometry } = cursor;
  const ringStart = geometry.ringEnds.length;
  let outer: boolean | undefined;
  const ended = (): void => {
    endRing(geometry);
    outer ??= geometry.ringEnds.length > ringStart;
  };
  if (type === code.curvePolygon) {
    readMembers(cursor, type, (member) => {
      readBody(cursor, member);
      ended();
    });
  } else {
    const count = readCount(cursor, 4);
    for (let ring = 0; ring < count; ring++) {
      appendPositions(geometry, readRun(cursor));
      ended();
    }
  }
  if (outer === false) dropRings(geometry, ringStart);
}

function readMembers(cursor: Cursor, type: number, read: (member: number) => void): void {
  const count = readCount(cursor, shortestGeometry);
  for (let i = 0; i < count; i++) {
    const member = readHeader(cursor);
    if (!membersOf[type]!.includes(member)) {
      throw new GeometryFault(`a ${codeNames[type]} contains a ${codeNames[member]}`);
    }
    read(member);
  }
}

/** Byte order and type; EWKB says Z, M and SRID in the type's highest bits, ISO by thousands. */
function readHeader(cursor: Cursor): number {
  need(cursor, 5);
  const { view } = cursor;
  const order = view.getUint8(cursor.at);
  if (order > 1)
    throw new GeometryFault(`the first byte of a geometry, its byte order, is ${order} instead of 0 or 1`);
  cursor.littleEndian = order === 1;
  const full = view.getUint32(cursor.at + 1, cursor.littleEndian);
  cursor.at += 5;
  const low = full & 0x1fffffff;
  const thousands = Math.floor(low / 1000);
  const type = low % 1000;
  if (thousands > 3 || codeNames[type] === undefined) {
    throw new GeometryFault(`the geometry type ${full} is unknown`);
  }
  cursor.hasZ = full >= 0x80000000 || thousands === 1 || thousands === 3;
  cursor.hasM = (full & 0x40000000) !== 0 || thousands >= 2;
  cursor.stride = 16 + (cursor.hasZ ? 8 : 0) + (cursor.hasM ? 8 : 0);
  if ((full & 0x20000000) !== 0) {
    need(cursor, 4);
    cursor.at += 4;
  }
  return type;
}

function readRun(cursor: Cursor): PositionRun {
  const { view, stride, littleEndian } = cursor;
  const count = readCount(cursor, stride);
  const at = cursor.at;
  cursor.at += count * stride;
  const heights = cursor.geometry.heights === undefined ? undefined : heightsOf(cursor, at);
  return { view, at, count, stride, littleEndian, heights };
}

function heightsOf({ hasZ, hasM, stride }: Cursor, at: number): HeightRun | undefined {
  if (!hasZ && !hasM) return undefined;
  return { zAt: hasZ ? at + 16 : -1, mAt: hasM ? at + stride - 8 : -1, stride };
}

/** @param minBytes minimum size of an item: counts that exceed the remaining bytes are refused before allocation */
function readCount(cursor: Cursor, minBytes: number): number {
  need(cursor, 4);
  const count = cursor.view.getUint32(cursor.at, cursor.littleEndian);
  cursor.at += 4;
  const left = cursor.view.byteLength - cursor.at;
  if (count * minBytes > left) {
    throw new GeometryFault(`the geometry announces ${count} more items, but only ${left} bytes follow`);
  }
  return count;
}

function need(cursor: Cursor, bytes: number): void {
  if (cursor.at + bytes > cursor.view.byteLength) throw new GeometryFault('the geometry is cut off');
}
