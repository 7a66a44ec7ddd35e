import proj4 from 'proj4';
import { openDatumShift, type DatumShift } from './datum-shift.ts';
import type { PlanePoint, Projection } from './projection.ts';
import { openTransverseMercator } from './transverse-mercator.ts';
import { webMercator } from './web-mercator.ts';

export interface Definition {
  /** A PROJ string or WKT. */
  readonly text: string;
  /** A PROJ string with the datum shift to WGS 84, if the text has none. */
  readonly datumText?: string;
  /** The unit of geographic coordinates; 1 if absent. */
  readonly degreesPerUnit?: number;
}

export interface Transform {
  readonly isGeographic: boolean;
  readonly isWebMercator: boolean;
  /** Whether the transformation changes no coordinate. */
  readonly isIdentity: boolean;
  /** Whether the datum shift to WGS 84 is needed but unknown. */
  readonly hasUnknownShift: boolean;
  /** Degrees of its own datum: where its projection is at its best, or near it. */
  readonly origin: readonly [number, number];
  readonly toLonLat: (coordinates: Float64Array, count: number) => void;
  readonly fromLonLat: (coordinates: Float64Array, count: number) => void;
}

/** The members of a proj4 projection that we read. */
export interface Proj4Projection {
  readonly projName: string;
  readonly a: number;
  readonly es: number;
  readonly k0: number;
  readonly long0?: number;
  readonly longc?: number;
  readonly lat0?: number;
  readonly lat1?: number;
  readonly x0?: number;
  readonly y0?: number;
  readonly approx?: boolean;
  readonly axis: string;
  readonly to_meter?: number;
  readonly from_greenwich?: number;
  readonly datumCode?: string;
  readonly datum: { readonly datum_type: number; readonly datum_params?: readonly number[] };
  inverse(point: PlanePoint): PlanePoint | null | undefined;
  forward(point: PlanePoint): PlanePoint | null | undefined;
}

const radiansPerDegree = Math.PI / 180;

/** @throws whatever proj4 throws of a definition that it does not understand */
export function openTransform(definition: Definition): Transform {
  const source = openProj(definition.text);
  const isGeographic = source.projName === 'longlat';
  const isWebMercator =
    source.projName === 'merc' && source.a === 6_378_137 && source.es === 0 && isPlain(source);
  const datum = definition.datumText === undefined ? source : openProj(definition.datumText);
  const shift = shiftOf(source, datum);
  const meridian = (source.from_greenwich ?? 0) / radiansPerDegree;
  const { degreesPerUnit = 1 } = definition;
  const common = {
    isGeographic,
    isWebMercator,
    hasUnknownShift: shift === 'unknown',
    origin: originOf(source),
    shift: typeof shift === 'string' ? undefined : shift,
    meridian,
  };
  if (isGeographic) return geographicTransform({ ...common, degreesPerUnit });
  const projection = isWebMercator ? webMercator : openProjection(source);
  return projectedTransform({ ...common, projection, axes: axesOf(source) });
}

/** proj4 takes WGS 84 for an ellipsoid whose name it does not know. */
const missingEllipsoids: Readonly<Record<string, string>> = {
  WGS72: '+a=6378135 +rf=298.26',
  GSK2011: '+a=6378136.5 +rf=298.2564151',
};

function openProj(text: string): Proj4Projection {
  const known = text.replace(/\+ellps=(\w+)/, (given, name: string) => missingEllipsoids[name] ?? given);
  return new proj4.Proj(known) as unknown as Proj4Projection;
}

/** Mercator without any offset. */
function isPlain({
  x0,
  y0,
  long0,
  k0,
  to_meter: unit,
  from_greenwich: meridian,
  axis,
}: Proj4Projection): boolean {
  return !x0 && !y0 && !long0 && k0 === 1 && (unit ?? 1) === 1 && !meridian && axis === 'enu';
}

function originOf({ long0, longc, lat0, lat1 }: Proj4Projection): [number, number] {
  const latitude = (lat1 ?? lat0 ?? 0) / radiansPerDegree;
  return [(longc ?? long0 ?? 0) / radiansPerDegree, Math.min(80, Math.max(-80, latitude))];
}

interface Common {
  readonly isGeographic: boolean;
  readonly isWebMercator: boolean;
  readonly hasUnknownShift: boolean;
  readonly origin: readonly [number, number];
  readonly shift: DatumShift | undefined;
  /** The prime meridian in degrees. */
  readonly meridian: number;
}

function geographicTransform(options: Common & { degreesPerUnit: number }): Transform {
  const { shift, meridian, degreesPerUnit } = options;
  const point = { x: 0, y: 0 };
  const isIdentity = shift === undefined && meridian === 0 && degreesPerUnit === 1;
  return {
    ...options,
    isIdentity,
    toLonLat(coordinates, count) {
      for (let i = 0; i < 2 * count; i += 2) {
        point.x = coordinates[i]! * degreesPerUnit + meridian;
        point.y = coordinates[i + 1]! * degreesPerUnit;
        if (shift !== undefined) shiftDegrees(point, shift.toWgs84);
        storeLonLat(coordinates, i, point);
      }
    },
    fromLonLat(coordinates, count) {
      for (let i = 0; i < 2 * count; i += 2) {
        point.x = coordinates[i]!;
        point.y = coordinates[i + 1]!;
        if (shift !== undefined) shiftDegrees(point, shift.fromWgs84);
        point.x -= meridian;
        storeLonLat(coordinates, i, point);
        coordinates[i]! /= degreesPerUnit;
        coordinates[i + 1]! /= degreesPerUnit;
      }
    },
  };
}

function shiftDegrees(point: PlanePoint, shift: (point: PlanePoint) => void): void {
  // Beyond a pole the sines would bend a wrong latitude into a right one.
  if (!(Math.abs(point.y) <= 90)) point.y = NaN;
  point.x *= radiansPerDegree;
  point.y *= radiansPerDegree;
  shift(point);
  point.x /= radiansPerDegree;
  point.y /= radiansPerDegree;
}

/** Both or none: a longitude alone would be half a place. */
function storeLonLat(coordinates: Float64Array, i: number, { x, y }: PlanePoint): void {
  const isPlace = Math.abs(x) <= 720 && Math.abs(y) <= 90 + 1e-9;
  coordinates[i] = isPlace ? wrapLongitude(x) : NaN;
  coordinates[i + 1] = isPlace ? Math.min(90, Math.max(-90, y)) : NaN;
}

function wrapLongitude(degrees: number): number {
  if (degrees >= -180 && degrees <= 180) return degrees;
  return degrees - 360 * Math.round(degrees / 360);
}

function projectedTransform(options: Common & { projection: Projection; axes: Axes }): Transform {
  const { projection, shift, meridian, axes } = options;
  const { isSwapped, xScale, yScale } = axes;
  const point = { x: 0, y: 0 };
  return {
    ...options,
    isIdentity: false,
    toLonLat(coordinates, count) {
      for (let i = 0; i < 2 * count; i += 2) {
        const first = coordinates[i]!;
        const second = coordinates[i + 1]!;
        point.x = (isSwapped ? second : first) * xScale;
        point.y = (isSwapped ? first : second) * yScale;
        projection.inverse(point);
        point.x += meridian * radiansPerDegree;
        if (shift !== undefined) shift.toWgs84(point);
        point.x /= radiansPerDegree;
        point.y /= radiansPerDegree;
        storeLonLat(coordinates, i, point);
      }
    },
    fromLonLat(coordinates, count) {
      for (let i = 0; i < 2 * count; i += 2) {
        point.x = coordinates[i]! * radiansPerDegree;
        point.y = Math.abs(coordinates[i + 1]!) <= 90 ? coordinates[i + 1]! * radiansPerDegree : NaN;
        if (shift !== undefined) shift.fromWgs84(point);
        point.x = wrapRadians(point.x - meridian * radiansPerDegree);
        projection.forward(point);
        const x = point.x / xScale;
        const y = point.y / yScale;
        const isPlace = Number.isFinite(x) && Number.isFinite(y);
        coordinates[i] = isPlace ? (isSwapped ? y : x) : NaN;
        coordinates[i + 1] = isPlace ? (isSwapped ? x : y) : NaN;
      }
    },
  };
}

function wrapRadians(longitude: number): number {
  return Math.abs(longitude) <= Math.PI
    ? longitude
    : longitude - 2 * Math.PI * Math.round(longitude / (2 * Math.PI));
}

interface Axes {
  readonly isSwapped: boolean;
  /** Metres to the east and to the north for a unit. */
  readonly xScale: number;
  readonly yScale: number;
}

/**
 * Southings and westings count as the authority has them, in its order: so files have them. Northings before
 * eastings do not: files, and our contract, have them the other way.
 */
function axesOf({ axis, to_meter: unit = 1 }: Proj4Projection): Axes {
  const isWestOrSouth = /^(?:[ew][ns]|[ns][ew])/.test(axis) && /[ws]/.test(axis);
  if (!isWestOrSouth) return { isSwapped: false, xScale: unit, yScale: unit };
  return {
    isSwapped: /^[ns]/.test(axis),
    xScale: axis.includes('w') ? -unit : unit,
    yScale: axis.includes('s') ? -unit : unit,
  };
}

/** Ours where it is faster, proj4's otherwise. */
function openProjection(source: Proj4Projection): Projection {
  const { projName, es, approx } = source;
  if (
    /^(?:utm|e?tmerc|(?:Extended_)?Transverse.Mercator|Gauss.Kruger)$/i.test(projName) &&
    es > 0 &&
    !approx
  ) {
    return openTransverseMercator({
      semiMajorMetres: source.a,
      eccentricitySquared: es,
      scale: source.k0,
      centralMeridian: source.long0 ?? 0,
      originLatitude: source.lat0 ?? 0,
      falseEastingMetres: source.x0 ?? 0,
      falseNorthingMetres: source.y0 ?? 0,
    });
  }
  return {
    inverse: (point) => run(source, 'inverse', point),
    forward: (point) => run(source, 'forward', point),
  };
}

/** Failures of proj4 show as an error, as nothing, as the number 93, as infinity or as a latitude of -9999. */
function run(source: Proj4Projection, way: 'inverse' | 'forward', point: PlanePoint): void {
  let x = NaN;
  let y = NaN;
  if (Number.isFinite(point.x) && Number.isFinite(point.y)) {
    try {
      const result = source[way](point);
      if (typeof result === 'object' && result !== null) ({ x, y } = result);
    } catch {
      // the result stays NaN
    }
  }
  point.x = x;
  point.y = y;
}

// The types of proj4's datums: constants/values.js.
const threeParameters = 1;
const sevenParameters = 2;
const wgs84Datum = 4;

function shiftOf(
  source: Proj4Projection,
  { datum, datumCode }: Proj4Projection,
): DatumShift | 'unknown' | undefined {
  const { datum_type: type, datum_params: given = [] } = datum;
  const [x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0, m = 1] = given;
  const isKnown = type === threeParameters || type === sevenParameters || type === wgs84Datum;
  if ((!isKnown || type === wgs84Datum) && isNearlyWgs84(source)) return undefined;
  // `none` is the null grid of Web Mercator: there is no shift
  if (!isKnown) return datumCode === 'none' ? undefined : 'unknown';
  return openDatumShift({
    semiMajorMetres: source.a,
    eccentricitySquared: source.es,
    // proj4 turns the scale into a factor only for seven parameters
    parameters: type === sevenParameters ? [x, y, z, rx, ry, rz, m] : [x, y, z, 0, 0, 0, 1],
  });
}

/** GRS 80 differs from WGS 84 by a tenth of a millimetre. */
function isNearlyWgs84({ a, es }: Proj4Projection): boolean {
  return Math.abs(a - 6_378_137) < 0.01 && Math.abs(es - 0.006_694_38) < 1e-8;
}
