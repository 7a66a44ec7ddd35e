import { pushPosition, type GeometryBuffer, type GeometryType } from '../feature/geometry-buffer.ts';
import { clearHeights, riseTo, setHeight } from '../feature/position-heights.ts';
import { linearArc } from './linearise-arc.ts';

/** The geometry is damaged; the message goes into Feature.problem. */
export class GeometryFault extends Error {
  override readonly name = 'GeometryFault';
}

/** Geometry type codes of ISO 19125-1 and SQL/MM, as WKB and FlatGeobuf number them. */
export const code = {
  point: 1,
  lineString: 2,
  polygon: 3,
  multiPoint: 4,
  multiLineString: 5,
  multiPolygon: 6,
  collection: 7,
  circularString: 8,
  compoundCurve: 9,
  curvePolygon: 10,
  multiCurve: 11,
  multiSurface: 12,
  polyhedralSurface: 15,
  tin: 16,
  triangle: 17,
} as const;

export const codeNames: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(code).map(([name, value]) => [value, name[0]!.toUpperCase() + name.slice(1)]),
);

/** Part type of each code; undefined for collections, which consist of their members. */
export const partTypes: Readonly<Record<number, GeometryType>> = {
  [code.point]: 'Point',
  [code.lineString]: 'LineString',
  [code.polygon]: 'Polygon',
  [code.multiPoint]: 'MultiPoint',
  [code.multiLineString]: 'MultiLineString',
  [code.multiPolygon]: 'MultiPolygon',
  [code.circularString]: 'LineString',
  [code.compoundCurve]: 'LineString',
  [code.curvePolygon]: 'Polygon',
  [code.multiCurve]: 'MultiLineString',
  [code.multiSurface]: 'MultiPolygon',
  [code.polyhedralSurface]: 'MultiPolygon',
  [code.tin]: 'MultiPolygon',
  [code.triangle]: 'Polygon',
};

/** Collections in collections: a file of nothing but nesting must not exhaust the stack. */
export const maxNesting = 64;

/** 64 MB: arcs swell to a hundred positions each, which a small file could abuse. */
const maxArcPositions = 1 << 22;

/** Coordinates in a buffer; the caller has checked that they are complete. */
export interface PositionRun {
  readonly view: DataView;
  readonly at: number;
  readonly count: number;
  /** Bytes from one position to the next. */
  readonly stride: number;
  readonly littleEndian: boolean;
  /** Where Z and M are; undefined where they are absent or not asked for. */
  readonly heights: HeightRun | undefined;
}

/** The Z and M of a run, in the same buffer. */
export interface HeightRun {
  /** Bytes; -1 where there is none. */
  readonly zAt: number;
  readonly mAt: number;
  /** Bytes from one position to the next. */
  readonly stride: number;
}

/** Appends positions to the ring that is being built; one that joins does not repeat its last position. */
export function appendPositions(geometry: GeometryBuffer, run: PositionRun, joins = false): void {
  const { view, count, stride, littleEndian } = run;
  let { at } = run;
  const before = geometry.positionCount;
  for (let i = 0; i < count; i++, at += stride) {
    const x = view.getFloat64(at, littleEndian);
    const y = view.getFloat64(at + 8, littleEndian);
    refuseInfinite(x, y);
    if (i > 0 || !joins || !endsAt(geometry, x, y)) pushPosition(geometry, x, y);
  }
  if (run.heights !== undefined) appendHeights(geometry, run, count - (geometry.positionCount - before));
}

/** Shapefiles have numbers below it where there is no M. */
const noMeasure = -1e38;

/** The heights of the positions that were appended last. @param first of the run: 1 where it joins */
function appendHeights(geometry: GeometryBuffer, run: PositionRun, first: number): void {
  const { count } = run;
  if (geometry.heights === undefined) return;
  for (let i = first; i < count; i++)
    setHeight(geometry.heights, geometry.positionCount - count + i, zOf(run, i), mOf(run, i));
}

function zOf({ view, heights, littleEndian }: PositionRun, i: number): number {
  if (heights === undefined || heights.zAt < 0) return NaN;
  return view.getFloat64(heights.zAt + i * heights.stride, littleEndian);
}

function mOf({ view, heights, littleEndian }: PositionRun, i: number): number {
  if (heights === undefined || heights.mAt < 0) return NaN;
  const m = view.getFloat64(heights.mAt + i * heights.stride, littleEndian);
  return m < noMeasure ? NaN : m;
}

/** A part of a run, from its position `from` on. */
export function sliceRun(run: PositionRun, from: number, count: number): PositionRun {
  const { heights } = run;
  return {
    ...run,
    at: run.at + from * run.stride,
    count,
    heights: heights && {
      zAt: heights.zAt < 0 ? -1 : heights.zAt + from * heights.stride,
      mAt: heights.mAt < 0 ? -1 : heights.mAt + from * heights.stride,
      stride: heights.stride,
    },
  };
}

/** Appends a CircularString: every other position is a point on the arc between its neighbours. */
export function appendArcs(geometry: GeometryBuffer, run: PositionRun, joins = false): void {
  const { view, count, stride, littleEndian } = run;
  if (count === 0) return;
  if (count % 2 === 0)
    throw new GeometryFault(`a CircularString has ${count} positions, but needs an odd number`);
  appendPositions(geometry, { ...run, count: 1 }, joins);
  const push = (x: number, y: number): void => pushPosition(geometry, x, y);
  const number = (at: number): number => view.getFloat64(at, littleEndian);
  for (let i = 0; i + 2 < count; i += 2) {
    const a = run.at + i * stride;
    const b = a + stride;
    const c = b + stride;
    refuseInfinite(number(b), number(b + 8));
    refuseInfinite(number(c), number(c + 8));
    const from = geometry.positionCount;
    linearArc(number(a), number(a + 8), number(b), number(b + 8), number(c), number(c + 8), push);
    if (run.heights !== undefined && geometry.heights !== undefined)
      riseTo(geometry.heights, from, geometry.positionCount, zOf(run, i + 2));
    if (geometry.positionCount > maxArcPositions) {
      throw new GeometryFault(`its arcs need more than ${maxArcPositions} positions`);
    }
  }
}

function refuseInfinite(x: number, y: number): void {
  // True of NaN and of both infinities.
  if (x - x !== 0 || y - y !== 0) throw new GeometryFault('a coordinate is not a finite number');
}

function endsAt(geometry: GeometryBuffer, x: number, y: number): boolean {
  const { coordinates, positionCount } = geometry;
  const openRing = positionCount > (geometry.ringEnds.at(-1) ?? 0);
  return openRing && coordinates[positionCount * 2 - 2] === x && coordinates[positionCount * 2 - 1] === y;
}

/** Ends the ring of the positions appended since the last one, if any. */
export function endRing(geometry: GeometryBuffer): void {
  if (geometry.positionCount > (geometry.ringEnds.at(-1) ?? 0))
    geometry.ringEnds.push(geometry.positionCount);
}

export function endPolygon(geometry: GeometryBuffer): void {
  const { ringEnds, polygonEnds } = geometry;
  if (ringEnds.length > (polygonEnds.at(-1) ?? 0)) polygonEnds.push(ringEnds.length);
}

/** A polygon without an outer ring is empty: its holes are not polygons themselves. */
export function dropRings(geometry: GeometryBuffer, ringStart: number): void {
  geometry.ringEnds.length = ringStart;
  geometry.positionCount = geometry.ringEnds.at(-1) ?? 0;
  if (geometry.heights !== undefined) clearHeights(geometry.heights, geometry.positionCount);
}

/** Ends the open ring and its part; does nothing for an empty part. */
export function endPart(geometry: GeometryBuffer, type: GeometryType, polygonStart: number): void {
  endRing(geometry);
  endPolygon(geometry);
  const polygonEnd = geometry.polygonEnds.length;
  if (polygonEnd > polygonStart) geometry.parts.push({ type, polygonStart, polygonEnd });
}
