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

/** A rotation and what is added after it, as 3 × 4 numbers row by row. */
export type RigidMotion = Float64Array;

export interface GeodeticPlace {
  /** Degrees. */
  readonly lon: number;
  readonly lat: number;
  /** Metres above the ellipsoid. */
  readonly height: number;
}

/** Makes `motion` that from metres east, north and up of a place to the coordinates of a frame. */
export function setMotion(motion: RigidMotion, { lon, lat, height }: GeodeticPlace, to: LocalFrame): void {
  const [lambda, phi] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  const [sinLon, cosLon, sinLat, cosLat] = [Math.sin(lambda), Math.cos(lambda), Math.sin(phi), Math.cos(phi)];
  const [x, y, z] = geocentricOf(lon, lat, height);
  const { origin } = to;
  const [fromX, fromY, fromZ] = [x - origin[0], y - origin[1], z - origin[2]];
  for (let row = 0; row < 3; row++) {
    const [ax, ay, az] = row === 0 ? to.east : row === 1 ? to.north : to.up;
    motion[row * 4] = ay * cosLon - ax * sinLon;
    motion[row * 4 + 1] = az * cosLat - (ax * cosLon + ay * sinLon) * sinLat;
    motion[row * 4 + 2] = (ax * cosLon + ay * sinLon) * cosLat + az * sinLat;
    motion[row * 4 + 3] = ax * fromX + ay * fromY + az * fromZ;
  }
}
