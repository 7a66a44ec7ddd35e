import { clearGeometry, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import {
  appendPositions,
  endPart,
  endPolygon,
  endRing,
  GeometryFault,
  type HeightRun,
} from '../wkb/build-geometry.ts';
import { assignRings } from './assign-rings.ts';

/** Shape types of the ESRI Shapefile Technical Description (July 1998); those with Z or M are 10 and 20 higher. */
const shapeType = { null: 0, point: 1, polyline: 3, polygon: 5, multiPoint: 8, multiPatch: 31 } as const;
const highestType = 31;

function plainType(type: number): number {
  return type > 10 && type < highestType && type % 10 !== 0 ? type % 10 : type;
}

/** Part types of a MultiPatch; all others begin a polygon. */
const partType = { triangleStrip: 0, triangleFan: 1, innerRing: 3, ring: 5 } as const;

/** The content of a record; all of it is there. */
export interface ShapeBytes {
  readonly view: DataView;
  at: number;
  length: number;
  /** Set while a shape is read whose heights are asked for. */
  heights?: HeightPlaces | undefined;
}

/** Where the points of a shape have X and Y, Z, and M, in the view; -1 where they have none. */
interface HeightPlaces {
  readonly pointsAt: number;
  readonly zAt: number;
  readonly mAt: number;
}

/**
 * Reads one shape of any type. The null shape has no part.
 * @param geometry overwritten
 * @returns the problem, if any; then the geometry is empty
 */
export function readShape(shape: ShapeBytes, geometry: GeometryBuffer): string | undefined {
  clearGeometry(geometry);
  try {
    readBody(shape, geometry);
    return undefined;
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error;
    clearGeometry(geometry);
    return error.message;
  }
}

function readBody(shape: ShapeBytes, geometry: GeometryBuffer): void {
  const { view, at } = shape;
  needBytes(shape, 4);
  const type = view.getInt32(at, true);
  switch (plainType(type)) {
    case shapeType.null:
      return;
    case shapeType.point:
      return readPoint(shape, geometry);
    case shapeType.multiPoint: {
      needBytes(shape, 40);
      const count = view.getInt32(at + 36, true);
      needItems(shape, 40 + count * 16, count);
      if (geometry.heights !== undefined) placeHeights(shape, at + 40, count);
      appendPoints(shape, geometry, at + 40, count);
      return endPart(geometry, 'MultiPoint', 0);
    }
    case shapeType.polyline:
      readRings(shape, geometry);
      return endPart(geometry, geometry.ringEnds.length > 1 ? 'MultiLineString' : 'LineString', 0);
    case shapeType.polygon:
      readRings(shape, geometry);
      if (geometry.ringEnds.length > 1) groupRings(geometry);
      return endPolygons(geometry);
    case shapeType.multiPatch:
      return readMultiPatch(shape, geometry);
    default:
      throw new GeometryFault(`the shape type ${type} is unknown`);
  }
}

function needBytes({ length }: ShapeBytes, bytes: number): void {
  if (bytes > length) throw new GeometryFault(`its record is ${length} bytes long, too short for its shape`);
}

function needItems({ length }: ShapeBytes, bytes: number, ...counts: number[]): void {
  if (bytes > length || counts.some((count) => count < 0)) {
    throw new GeometryFault(
      `it announces ${counts.join(' parts and ')} points, too many for its record of ${length} bytes`,
    );
  }
}

function readPoint(shape: ShapeBytes, geometry: GeometryBuffer): void {
  needBytes(shape, 20);
  // Some writers have no null shape, and put NaN.
  if (Number.isNaN(shape.view.getFloat64(shape.at + 4, true))) return;
  if (geometry.heights !== undefined) {
    const [hasZ, hasM] = dimensionsOf(shape);
    const pointsAt = shape.at + 4;
    const after = pointsAt + 16;
    const mAt = after + (hasZ ? 8 : 0);
    const fits = mAt + 8 <= shape.at + shape.length;
    shape.heights = { pointsAt, zAt: hasZ && shape.length >= 28 ? after : -1, mAt: hasM && fits ? mAt : -1 };
  }
  appendPoints(shape, geometry, shape.at + 4, 1);
  endPart(geometry, 'Point', 0);
}

/** Those with Z may have M, too. */
function dimensionsOf({ view, at }: ShapeBytes): [hasZ: boolean, hasM: boolean] {
  const type = view.getInt32(at, true);
  const hasZ = (type > 10 && type < 20) || type === shapeType.multiPatch;
  return [hasZ, hasZ || type > 20];
}

/** Bytes of the smallest and the largest value, which come before the values. */
const rangeBytes = 16;

/** Behind all points come the Z of each, and then the M, which a record may leave out. */
function placeHeights(shape: ShapeBytes, pointsAt: number, count: number): void {
  const [hasZ, hasM] = dimensionsOf(shape);
  const end = shape.at + shape.length;
  const firstAt = pointsAt + count * 16 + rangeBytes;
  const secondAt = firstAt + count * 8 + rangeBytes;
  const mAt = hasZ ? secondAt : firstAt;
  shape.heights = {
    pointsAt,
    zAt: hasZ && firstAt + count * 8 <= end ? firstAt : -1,
    mAt: hasM && mAt + count * 8 <= end ? mAt : -1,
  };
}

function appendPoints(shape: ShapeBytes, geometry: GeometryBuffer, at: number, count: number): void {
  const run = { view: shape.view, at, count, stride: 16, littleEndian: true, heights: undefined };
  if (geometry.heights === undefined) appendPositions(geometry, run);
  else appendPositions(geometry, { ...run, heights: heightsAt(shape, at) });
}

function heightsAt({ heights }: ShapeBytes, at: number): HeightRun | undefined {
  if (heights === undefined) return undefined;
  const { pointsAt, zAt, mAt } = heights;
  const before = (at - pointsAt) / 2; // 8 bytes for every 16
  return { zAt: zAt < 0 ? -1 : zAt + before, mAt: mAt < 0 ? -1 : mAt + before, stride: 8 };
}

type VisitPart = (part: { readonly at: number; readonly count: number; readonly typeAt: number }) => void;

/** @param bytesOfPart 4, or 8 where parts have a type besides their beginning */
function eachPart(shape: ShapeBytes, geometry: GeometryBuffer, bytesOfPart: number, visit: VisitPart): void {
  needBytes(shape, 44);
  const { view, at } = shape;
  const parts = view.getInt32(at + 36, true);
  const points = view.getInt32(at + 40, true);
  const pointsAt = 44 + parts * bytesOfPart;
  needItems(shape, pointsAt + points * 16, parts, points);
  if (geometry.heights !== undefined) placeHeights(shape, at + pointsAt, points);
  let start = parts > 0 ? view.getInt32(at + 44, true) : 0;
  for (let part = 0; part < parts; part++) {
    const end = part + 1 < parts ? view.getInt32(at + 48 + part * 4, true) : points;
    if (start < 0 || end < start || end > points) {
      throw new GeometryFault(`its part ${part + 1} runs from point ${start} to ${end} of ${points}`);
    }
    visit({ at: at + pointsAt + start * 16, count: end - start, typeAt: at + 44 + (parts + part) * 4 });
    start = end;
  }
}

function readRings(shape: ShapeBytes, geometry: GeometryBuffer): void {
  eachPart(shape, geometry, 4, ({ at, count }) => {
    appendPoints(shape, geometry, at, count);
    endRing(geometry);
  });
}

function endPolygons(geometry: GeometryBuffer): void {
  const polygons = geometry.polygonEnds.length;
  endPart(geometry, polygons > 1 ? 'MultiPolygon' : 'Polygon', 0);
}

/** Puts the rings in the order of polygons, each outer ring before its holes, and ends the polygons. */
function groupRings(geometry: GeometryBuffer): void {
  const { ringEnds, polygonEnds } = geometry;
  const owners = assignRings(geometry.coordinates, ringEnds);
  if (owners === undefined) {
    throw new GeometryFault(
      `its ${ringEnds.length} rings overlap so much that holes cannot be distinguished from islands`,
    );
  }
  const order = ringEnds.map((_, ring) => ring);
  // The sort is stable: an outer ring stands before its holes only if it did so in the file.
  order.sort((a, b) => owners[a]! - owners[b]! || Number(owners[b] === b) - Number(owners[a] === a));
  if (order.some((ring, i) => ring !== i)) reorderRings(geometry, order);
  for (let i = 1; i < order.length; i++) if (owners[order[i]!] === order[i]) polygonEnds.push(i);
  polygonEnds.push(order.length);
}

function reorderRings(geometry: GeometryBuffer, order: readonly number[]): void {
  const { ringEnds, coordinates, heights } = geometry;
  const from = coordinates.slice(0, geometry.positionCount * 2);
  const [z, m] = [heights?.z.slice(0, heights.end), heights?.m.slice(0, heights.end)];
  const ends = ringEnds.slice();
  let end = 0;
  for (const [i, ring] of order.entries()) {
    const start = ring === 0 ? 0 : ends[ring - 1]!;
    coordinates.set(from.subarray(start * 2, ends[ring]! * 2), end * 2);
    heights?.z.set(z!.subarray(start, ends[ring]), end);
    heights?.m.set(m!.subarray(start, ends[ring]), end);
    end += ends[ring]! - start;
    ringEnds[i] = end;
  }
}

/** Seen from above: triangles, and rings with their holes, each as a polygon. */
function readMultiPatch(shape: ShapeBytes, geometry: GeometryBuffer): void {
  eachPart(shape, geometry, 8, ({ at, count, typeAt }) => {
    const type = shape.view.getInt32(typeAt, true);
    if (type === partType.triangleStrip || type === partType.triangleFan) {
      endPolygon(geometry);
      for (let i = 0; i + 2 < count; i++) {
        const corner = type === partType.triangleFan ? 0 : i;
        for (const point of [corner, i + 1, i + 2, corner]) appendPoints(shape, geometry, at + point * 16, 1);
        endRing(geometry);
        endPolygon(geometry);
      }
      return;
    }
    if (type !== partType.innerRing && type !== partType.ring) endPolygon(geometry);
    appendPoints(shape, geometry, at, count);
    endRing(geometry);
  });
  endPolygon(geometry);
  endPolygons(geometry);
}
