import { clearGeometry, pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';
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
  sliceRun,
  type HeightRun,
  type PositionRun,
} from '../wkb/build-geometry.ts';
import { fieldAt, followOffset, vectorIn, vectorLength, type FlatBytes } from './flat-table.ts';

/** Fields of the table Geometry, feature.fbs; t and tm are not read. */
const slot = { ends: 0, xy: 1, z: 2, m: 3, type: 6, parts: 7 };

interface Reading {
  readonly flat: FlatBytes;
  readonly geometry: GeometryBuffer;
  /** Bytes that may still be used: tables that share their parts could else grow without end. */
  budget: number;
}

/**
 * Reads the table Geometry of a feature. Empty geometries leave no part; curves become chords (linearArc).
 * @param type of the header; 0 if each geometry says its own
 * @param geometry overwritten
 * @throws FlatFault, GeometryFault
 */
export function readGeometry(flat: FlatBytes, table: number, type: number, geometry: GeometryBuffer): void {
  clearGeometry(geometry);
  const reading = { flat, geometry, budget: flat.end - flat.start };
  readPart(reading, table, type === 0 ? typeOf(flat, table) : type, 0);
}

function typeOf(flat: FlatBytes, table: number): number {
  const at = fieldAt(flat, table, slot.type, 1);
  return at === 0 ? 0 : flat.view.getUint8(at);
}

function readPart(reading: Reading, table: number, type: number, depth: number): void {
  const { geometry } = reading;
  const partType = partTypes[type];
  if (partType !== undefined) {
    const polygonStart = geometry.polygonEnds.length;
    readBody(reading, table, type);
    endPart(geometry, partType, polygonStart);
    return;
  }
  if (codeNames[type] === undefined) throw new GeometryFault(`the geometry type ${type} is unknown`);
  if (depth === maxNesting) throw new GeometryFault(`collections are nested more than ${maxNesting} deep`);
  for (const member of parts(reading, table)) {
    readPart(reading, member, typeOf(reading.flat, member), depth + 1);
  }
}

/** Appends everything but a collection. */
function readBody(reading: Reading, table: number, type: number): void {
  const { geometry } = reading;
  switch (type) {
    case code.point:
      return readPoint(reading, table);
    case code.lineString:
    case code.multiPoint:
    case code.circularString:
    case code.compoundCurve:
      return readCurve(reading, table, type);
    case code.multiLineString:
      return readRings(reading, table, () => endRing(geometry));
    case code.multiCurve:
      for (const curve of parts(reading, table)) {
        readCurve(reading, curve, curveType(reading.flat, curve));
        endRing(geometry);
      }
      return;
    case code.polygon:
    case code.triangle:
    case code.curvePolygon:
      return readPolygon(reading, table, type);
    case code.tin:
      return readRings(reading, table, () => {
        endRing(geometry);
        endPolygon(geometry);
      });
    default:
      for (const polygon of parts(reading, table)) {
        const curved = type === code.multiSurface && typeOf(reading.flat, polygon) === code.curvePolygon;
        readPolygon(reading, polygon, curved ? code.curvePolygon : code.polygon);
        endPolygon(geometry);
      }
  }
}

function readPoint(reading: Reading, table: number): void {
  const run = positions(reading, table);
  const { view, at, count } = run;
  if (count === 0) return;
  const x = view.getFloat64(at, true);
  const y = view.getFloat64(at + 8, true);
  if (Number.isNaN(x) && Number.isNaN(y)) return;
  if (!Number.isFinite(x) || !Number.isFinite(y))
    throw new GeometryFault('a coordinate is not a finite number');
  if (run.heights === undefined) pushPosition(reading.geometry, x, y);
  else appendPositions(reading.geometry, { ...run, count: 1 });
}

/** Appends a curve or a segment to the current ring. */
function readCurve(reading: Reading, table: number, type: number): void {
  const { geometry } = reading;
  if (type === code.circularString) appendArcs(geometry, positions(reading, table), true);
  else if (type !== code.compoundCurve) appendPositions(geometry, positions(reading, table));
  else {
    for (const segment of parts(reading, table)) {
      const run = positions(reading, segment);
      if (curveType(reading.flat, segment) === code.circularString) appendArcs(geometry, run, true);
      else appendPositions(geometry, run, true);
    }
  }
}

function curveType(flat: FlatBytes, table: number): number {
  const type = typeOf(flat, table);
  if (type === 0) return code.lineString;
  if (type === code.lineString || type === code.circularString || type === code.compoundCurve) return type;
  throw new GeometryFault(`a ${codeNames[type] ?? 'geometry of unknown type'} is in the place of a curve`);
}

function readPolygon(reading: Reading, table: number, type: number): void {
  const { geometry } = reading;
  const ringStart = geometry.ringEnds.length;
  let outer: boolean | undefined;
  const ended = (): void => {
    endRing(geometry);
    outer ??= geometry.ringEnds.length > ringStart;
  };
  if (type === code.curvePolygon) {
    for (const curve of parts(reading, table)) {
      readCurve(reading, curve, curveType(reading.flat, curve));
      ended();
    }
  } else readRings(reading, table, ended);
  if (outer === false) dropRings(geometry, ringStart);
}

/** A single ring need not say where it ends. */
function readRings(reading: Reading, table: number, ended: () => void): void {
  const { flat, geometry } = reading;
  const run = positions(reading, table);
  const ends = vectorIn(flat, table, slot.ends, 4);
  const count = vectorLength(flat, ends);
  if (count === 0) {
    appendPositions(geometry, run);
    ended();
    return;
  }
  let from = 0;
  for (let ring = 0; ring < count; ring++) {
    const end = flat.view.getUint32(ends + ring * 4, true);
    if (end < from || end > run.count) throw new GeometryFault('the ends of its rings are out of order');
    appendPositions(geometry, sliceRun(run, from, end - from));
    ended();
    from = end;
  }
}

function positions(reading: Reading, table: number): PositionRun {
  const { flat } = reading;
  const at = vectorIn(flat, table, slot.xy, 8);
  const numbers = vectorLength(flat, at);
  if (numbers % 2 !== 0) throw new GeometryFault(`${numbers} coordinates cannot be paired`);
  spend(reading, numbers * 8);
  const count = numbers / 2;
  const heights = reading.geometry.heights === undefined ? undefined : heightsOf(reading, table, count);
  return { view: flat.view, at, count, stride: 16, littleEndian: true, heights };
}

function heightsOf(reading: Reading, table: number, count: number): HeightRun | undefined {
  const { flat } = reading;
  const startOf = (field: number): number => {
    const at = vectorIn(flat, table, field, 8);
    const length = vectorLength(flat, at);
    if (length === 0) return -1;
    if (length !== count) throw new GeometryFault(`${count} positions have ${length} heights or measures`);
    spend(reading, length * 8);
    return at;
  };
  const [zAt, mAt] = [startOf(slot.z), startOf(slot.m)];
  return zAt < 0 && mAt < 0 ? undefined : { zAt, mAt, stride: 8 };
}

/** The tables of the parts, one after the other. */
function* parts(reading: Reading, table: number): Generator<number, void> {
  const { flat } = reading;
  const first = vectorIn(flat, table, slot.parts, 4);
  const count = vectorLength(flat, first);
  for (let i = 0; i < count; i++) {
    // An offset and the table's own: no part is smaller.
    spend(reading, 8);
    yield followOffset(flat, first + i * 4);
  }
}

function spend(reading: Reading, bytes: number): void {
  reading.budget -= bytes;
  if (reading.budget < 0) throw new GeometryFault('the geometry refers to the same bytes repeatedly');
}
