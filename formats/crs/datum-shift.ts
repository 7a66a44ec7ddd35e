import type { PlanePoint } from './projection.ts';

/** A Helmert transformation from a datum to WGS 84, with the rotations of a position vector (EPSG method 9606). */
export interface Helmert {
  readonly semiMajorMetres: number;
  readonly eccentricitySquared: number;
  /** Metres, radians, and the scale as a factor: x, y, z, rx, ry, rz, m. */
  readonly parameters: readonly [number, number, number, number, number, number, number];
}

/** Moves longitudes and latitudes in radians, in place; heights are taken as 0, the new ones dropped. */
export interface DatumShift {
  readonly toWgs84: (point: PlanePoint) => void;
  readonly fromWgs84: (point: PlanePoint) => void;
}

interface Ellipsoid {
  readonly a: number;
  readonly es: number;
}

const wgs84: Ellipsoid = { a: 6_378_137, es: 0.0066943799901413165 };

export function openDatumShift({ semiMajorMetres, eccentricitySquared, parameters }: Helmert): DatumShift {
  const [dx, dy, dz, rx, ry, rz, m] = parameters;
  const local: Ellipsoid = { a: semiMajorMetres, es: eccentricitySquared };
  const matrix = [m, -rz * m, ry * m, rz * m, m, -rx * m, -ry * m, rx * m, m];
  const forward = openShift(local, wgs84, matrix, [dx, dy, dz]);
  const inverse = invert(matrix);
  const back = multiply(inverse, dx, dy, dz).map((value) => -value);
  return { toWgs84: forward, fromWgs84: openShift(wgs84, local, inverse, back) };
}

function multiply(m: readonly number[], x: number, y: number, z: number): number[] {
  return [0, 3, 6].map((row) => m[row]! * x + m[row + 1]! * y + m[row + 2]! * z);
}

/**
 * The exact inverse, so that shifting there and back changes nothing; with rotations of 10″ the transpose is 15 mm off.
 */
function invert(m: readonly number[]): number[] {
  const [a, b, c, d, e, f, g, h, i] = m as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ].map((cofactor) => cofactor / determinant);
}

function openShift(
  from: Ellipsoid,
  to: Ellipsoid,
  matrix: readonly number[],
  translation: readonly number[],
): (point: PlanePoint) => void {
  const [m00, m01, m02, m10, m11, m12, m20, m21, m22] = Float64Array.from(matrix) as unknown as number[];
  const [tx, ty, tz] = Float64Array.from(translation) as unknown as number[];
  const b = to.a * Math.sqrt(1 - to.es);
  const secondEccentricity = to.es / (1 - to.es);
  return (point) => {
    const sinLatitude = Math.sin(point.y);
    const cosLatitude = Math.cos(point.y);
    const nu = from.a / Math.sqrt(1 - from.es * sinLatitude * sinLatitude);
    const x = nu * cosLatitude * Math.cos(point.x);
    const y = nu * cosLatitude * Math.sin(point.x);
    const z = nu * (1 - from.es) * sinLatitude;
    const x2 = m00! * x + m01! * y + m02! * z + tx!;
    const y2 = m10! * x + m11! * y + m12! * z + ty!;
    const z2 = m20! * x + m21! * y + m22! * z + tz!;
    // Bowring 1976: near the surface it is right to a nanometre at the first step.
    const p = Math.sqrt(x2 * x2 + y2 * y2);
    const theta = Math.atan2(z2 * to.a, p * b);
    const sinTheta = Math.sin(theta);
    const cosTheta = Math.cos(theta);
    point.x = Math.atan2(y2, x2);
    point.y = Math.atan2(
      z2 + secondEccentricity * b * sinTheta * sinTheta * sinTheta,
      p - to.es * to.a * cosTheta * cosTheta * cosTheta,
    );
  };
}
