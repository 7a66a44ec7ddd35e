import { geocentricOf, type Vector } from './geocentric.ts';

/** Axes east, north and up in EPSG:4978 at a place. */
export interface LocalFrame {
  readonly origin: Vector;
  readonly east: Vector;
  readonly north: Vector;
  readonly up: Vector;
}

/** @param lon, lat in degrees @param height in metres above the ellipsoid */
export function localFrameAt(lon: number, lat: number, height: number): LocalFrame {
  const [sinLon, cosLon] = [Math.sin((lon * Math.PI) / 180), Math.cos((lon * Math.PI) / 180)];
  const [sinLat, cosLat] = [Math.sin((lat * Math.PI) / 180), Math.cos((lat * Math.PI) / 180)];
  return {
    origin: geocentricOf(lon, lat, height),
    east: [-sinLon, cosLon, 0],
    north: [-sinLat * cosLon, -sinLat * sinLon, cosLat],
    up: [cosLat * cosLon, cosLat * sinLon, sinLat],
  };
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** A position of EPSG:4978 in metres east, north and up. */
export function toLocal(
  { origin, east, north, up }: LocalFrame,
  [x, y, z]: Vector,
): [number, number, number] {
  const from: Vector = [x - origin[0], y - origin[1], z - origin[2]];
  return [dot(east, from), dot(north, from), dot(up, from)];
}

/** A position in metres east, north and up in EPSG:4978. */
export function fromLocal({ origin, east, north, up }: LocalFrame, [x, y, z]: Vector): Vector {
  const along = (axis: 0 | 1 | 2): number => origin[axis] + east[axis] * x + north[axis] * y + up[axis] * z;
  return [along(0), along(1), along(2)];
}

/** A rotation, row by row, and what is added after it. */
export interface RigidMotion {
  readonly rotation: readonly [Vector, Vector, Vector];
  readonly translation: Vector;
}

/** From the coordinates of one frame to those of another. */
export function motionBetween(from: LocalFrame, to: LocalFrame): RigidMotion {
  const row = (axis: Vector): Vector => [dot(axis, from.east), dot(axis, from.north), dot(axis, from.up)];
  return { rotation: [row(to.east), row(to.north), row(to.up)], translation: toLocal(to, from.origin) };
}
