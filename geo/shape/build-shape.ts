import { writeVertexZooms } from '../simplify/vertex-zooms.ts';
import { gridX, gridY, maxLatitude, worldSize } from '../tile/world-grid.ts';
import {
  coordinatesAt,
  maxXOf,
  lineType,
  pointType,
  polygonType,
  shapeHeaderWords,
  shapeWords,
  zoomsAt,
  type ShapeType,
} from './shape.ts';
import { reserveSpace, type Int32Buffer } from './int32-buffer.ts';

/** Flat arrays of positions, rings and polygons; a line is a ring, and points are rings of one polygon. */
export interface Geometry {
  readonly coordinates: Float64Array;
  /** For each ring the index after its last position. */
  readonly ringEnds: readonly number[];
  /** For each polygon the index after its last ring. */
  readonly polygonEnds: readonly number[];
}

export interface BuildOptions {
  /** Coordinates are metres of EPSG:3857 instead of degrees. */
  readonly isMercator: boolean;
  /** Edges longer than half the world are read as crossing the antimeridian. */
  readonly crossesAntimeridian: boolean;
  /** See simplificationLimits. */
  readonly limits: Float64Array;
}

export interface BuiltShape {
  /** Offset in the buffer; -1 if nothing of the geometry can be used. */
  shape: number;
  /** A coordinate is not finite or far outside the world. */
  invalidCoordinates: boolean;
  /** Parts with too few positions, which were left out. */
  brokenParts: number;
  /** Edges longer than half the world, taken as they are. */
  longEdges: number;
  /** Points beyond the latitude limit of web mercator, which were moved to its edge. */
  beyondMercator: number;
}

const mercatorHalf = 20_037_508.342789244;
const maxX = maxXOf(worldSize);

let xy = new Int32Array(8192);
let vertexCount = 0;
const ends: number[] = [];
const sizes: number[] = [];
const built: BuiltShape = {
  shape: -1,
  invalidCoordinates: false,
  brokenParts: 0,
  longEdges: 0,
  beyondMercator: 0,
};

/** Appends the shape of some polygons of a geometry. The result object is reused. */
export function buildShape(
  store: Int32Buffer,
  type: ShapeType,
  geometry: Geometry & { readonly polygonStart: number; readonly polygonEnd: number },
  options: BuildOptions,
): BuiltShape {
  const { ringEnds, polygonEnds } = geometry;
  vertexCount = 0;
  ends.length = 0;
  sizes.length = 0;
  Object.assign(built, {
    shape: -1,
    invalidCoordinates: false,
    brokenParts: 0,
    longEdges: 0,
    beyondMercator: 0,
  });

  for (let polygon = geometry.polygonStart; polygon < geometry.polygonEnd; polygon++) {
    const firstRing = polygon === 0 ? 0 : polygonEnds[polygon - 1]!;
    for (let ring = firstRing; ring < polygonEnds[polygon]!; ring++) {
      const start = ring === 0 ? 0 : ringEnds[ring - 1]!;
      const vertexStart = vertexCount;
      project(geometry.coordinates, start, ringEnds[ring]!, type, options);
      if (built.invalidCoordinates) return built;
      if (type === pointType) continue;
      const outer = type === polygonType && ring === firstRing;
      const whole = type === lineType ? closeLine(vertexStart) : closeRing(vertexStart, outer);
      if (whole) continue;
      vertexCount = vertexStart;
      built.brokenParts++;
      if (outer) break;
    }
  }
  if (vertexCount === 0) return built;
  if (type === pointType) {
    ends.push(vertexCount * 2);
    sizes.push(0);
  }
  write(store, type, options.limits);
  return built;
}

function write(store: Int32Buffer, type: ShapeType, limits: Float64Array): void {
  const length = shapeWords(ends.length, vertexCount);
  reserveSpace(store, length);
  const { words, floats, bytes } = store;
  const shape = store.length;
  words[shape] = length;
  words[shape + 5] = ends.length;
  words[shape + 6] = vertexCount;
  for (const [i, end] of ends.entries()) {
    words[shape + shapeHeaderWords + i * 2] = end;
    floats[shape + shapeHeaderWords + i * 2 + 1] = sizes[i]!;
  }
  const from = coordinatesAt(words, shape);
  words.set(xy.subarray(0, vertexCount * 2), from);
  setBox(words, shape, 0, vertexCount);
  const zooms = zoomsAt(words, shape);
  let start = 0;
  for (const info of ends) {
    const end = info >> 1;
    if (type === pointType) bytes.fill(0, zooms, zooms + end);
    else {
      writeVertexZooms(
        { words, start: from + start * 2, count: end - start },
        { bytes, zoomsStart: zooms + start },
        limits,
      );
    }
    start = end;
  }
  store.length = shape + length;
  built.shape = shape;
}

function setBox(words: Int32Array, shape: number, start: number, end: number): void {
  let minX = xy[start * 2]!;
  let minY = xy[start * 2 + 1]!;
  let maxX = minX;
  let maxY = minY;
  for (let i = start + 1; i < end; i++) {
    const x = xy[i * 2]!;
    const y = xy[i * 2 + 1]!;
    if (x < minX) minX = x;
    else if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    else if (y > maxY) maxY = y;
  }
  words[shape + 1] = minX;
  words[shape + 2] = minY;
  words[shape + 3] = maxX;
  words[shape + 4] = maxY;
}

/** Projects and appends the positions; lines and rings lose repeated vertices. */
function project(
  coordinates: Float64Array,
  start: number,
  end: number,
  type: ShapeType,
  { isMercator, crossesAntimeridian }: BuildOptions,
): void {
  if (xy.length < (vertexCount + end - start + 2) * 2) {
    const larger = new Int32Array((vertexCount + end - start + 2) * 4);
    larger.set(xy);
    xy = larger;
  }
  const first = vertexCount;
  let turns = 0;
  let lastLon = 0;
  for (let i = start; i < end; i++) {
    let lon = coordinates[i * 2]!;
    const lat = coordinates[i * 2 + 1]!;
    if (isMercator) lon = (lon / mercatorHalf) * 180;
    if (!(Math.abs(lon) <= 540) || !(isMercator ? Number.isFinite(lat) : Math.abs(lat) <= 90)) {
      built.invalidCoordinates = true;
      return;
    }
    if (type !== pointType && i > start) {
      const step = Math.abs(lon - lastLon);
      // A step of exactly 360° is an edge along a pole of a world-wide polygon.
      if (step > 180 && step < 360) {
        if (crossesAntimeridian) turns += lon < lastLon ? 360 : -360;
        else built.longEdges++;
      }
    }
    lastLon = lon;
    const x = Math.min(maxX, Math.max(-worldSize, Math.round(gridX(lon + turns))));
    const exactY = isMercator ? (0.5 - lat / mercatorHalf / 2) * worldSize : gridY(lat);
    let y = Math.min(worldSize, Math.max(0, Math.round(exactY)));
    if (type === pointType) {
      if (exactY < 0 || exactY > worldSize || (!isMercator && Math.abs(lat) > maxLatitude))
        built.beyondMercator++;
      // On the lower edge of the world, a point would belong to a tile below.
      y = Math.min(y, worldSize - 1);
    } else if (vertexCount > first && xy[vertexCount * 2 - 2] === x && xy[vertexCount * 2 - 1] === y)
      continue;
    xy[vertexCount * 2] = x;
    xy[vertexCount * 2 + 1] = y;
    vertexCount++;
  }
  positionCount = end - start;
}

/** Number of positions in the last ring before repetitions were removed. */
let positionCount = 0;

function closeLine(start: number): boolean {
  if (positionCount < 2) return false;
  if (vertexCount - start === 1) repeat(start);
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = start; i < vertexCount; i++) {
    minX = Math.min(minX, xy[i * 2]!);
    maxX = Math.max(maxX, xy[i * 2]!);
    minY = Math.min(minY, xy[i * 2 + 1]!);
    maxY = Math.max(maxY, xy[i * 2 + 1]!);
  }
  ends.push(vertexCount * 2);
  sizes.push(Math.max(maxX - minX, maxY - minY));
  return true;
}

/** Closes an unclosed ring, and orients it as outer rings and holes have to be. */
function closeRing(start: number, outer: boolean): boolean {
  const closed =
    vertexCount - start > 1 &&
    xy[start * 2] === xy[vertexCount * 2 - 2] &&
    xy[start * 2 + 1] === xy[vertexCount * 2 - 1];
  if (positionCount < (closed ? 4 : 3)) return false;
  if (!closed) repeat(start);
  // Relative to the first vertex, so that products are exact in a double except for giant rings.
  const ox = xy[start * 2]!;
  const oy = xy[start * 2 + 1]!;
  let twice = 0;
  for (let i = start + 1; i < vertexCount; i++) {
    const ax = xy[i * 2 - 2]! - ox;
    const ay = xy[i * 2 - 1]! - oy;
    twice += ax * (xy[i * 2 + 1]! - oy) - (xy[i * 2]! - ox) * ay;
  }
  if (twice < 0 === outer) reverse(start);
  ends.push(vertexCount * 2 + (outer ? 1 : 0));
  sizes.push(Math.abs(twice) / 2);
  return true;
}

function repeat(vertex: number): void {
  xy[vertexCount * 2] = xy[vertex * 2]!;
  xy[vertexCount * 2 + 1] = xy[vertex * 2 + 1]!;
  vertexCount++;
}

function reverse(start: number): void {
  for (let i = start, j = vertexCount - 1; i < j; i++, j--) {
    for (let axis = 0; axis < 2; axis++) {
      const swapped = xy[i * 2 + axis]!;
      xy[i * 2 + axis] = xy[j * 2 + axis]!;
      xy[j * 2 + axis] = swapped;
    }
  }
}
