import { geocentricOf, type Vector } from '@platen/geo/geodesy/geocentric';
import type { Matrix } from '@platen/geo/geodesy/matrix';
import { findCrs, UnknownCrs, type Crs } from '../crs/find-crs.ts';
import type { ModelPlace, PlaceInCrs, PlaceOfSite } from '../mesh-model/model-place.ts';
import { numberOf, numbersOf, referenceOf, textOf, type IfcLine, type IfcLines } from './ifc-lines.ts';
import { metresOf, metresOfLength } from './ifc-units.ts';

/** The place by a map conversion, or else by the site (ISO 16739: IfcMapConversion, IfcSite). */
export const placeOf = (lines: IfcLines): ModelPlace | undefined => mapPlaceOf(lines) ?? sitePlaceOf(lines);

function mapPlaceOf(lines: IfcLines): PlaceInCrs | undefined {
  for (const id of lines.idsOf('IfcMapConversion')) {
    const conversion = lines.lineOf(id);
    const target = lines.lineOf(referenceOf(conversion?.['TargetCRS']));
    const name = nameOfCrs(textOf(target?.['Name']));
    const crs = name === undefined ? undefined : openCrs(name);
    if (conversion === undefined || target === undefined || name === undefined || crs === undefined) continue;
    const mapMetres = metresOf(lines, lines.lineOf(referenceOf(target['MapUnit'])));
    const matrix = matrixOf(conversion, { crs, metres: metresOfLength(lines), mapMetres });
    if (matrix !== undefined) return { kind: 'crs', crs: name, matrix };
  }
  return undefined;
}

/** Names are codes of EPSG, with or without the authority. */
function nameOfCrs(name: string | undefined): string | undefined {
  const [, code] = /^(?:EPSG)? ?:? ?(\d{4,6})$/i.exec(name?.trim() ?? '') ?? [];
  return code === undefined ? name : `EPSG:${code}`;
}

function openCrs(name: string): Crs | undefined {
  try {
    return findCrs(name);
  } catch (error) {
    if (error instanceof UnknownCrs) return undefined;
    throw error;
  }
}

/** No place of a projected CRS is further from its origin, in its units. */
const maxMapCoordinate = 8e7;

interface Units {
  readonly crs: Crs;
  /** Of the unit of the model. */
  readonly metres: number;
  /** Of the unit that the conversion names for the CRS. */
  readonly mapMetres: number | undefined;
}

/**
 * From metres of the model to units of the CRS, and metres of height. Many files name no unit of the CRS, and have a scale of 1
 * although the model is in millimetres.
 */
function matrixOf(conversion: IfcLine, { crs, metres, mapMetres }: Units): Matrix | undefined {
  const [east, north, up = 0] = ['Eastings', 'Northings', 'OrthogonalHeight'].map((name) =>
    numberOf(conversion[name]),
  );
  if (east === undefined || north === undefined) return undefined;
  const isInModelUnits =
    mapMetres === undefined && Math.max(Math.abs(east), Math.abs(north)) > maxMapCoordinate;
  const place = isInModelUnits ? [east * metres, north * metres] : [east, north];
  const unit = mapMetres ?? (isInModelUnits ? 1 : unitAt(crs, place));
  const written = numberOf(conversion['Scale']) ?? 1;
  // the scale leads from the unit of the model to that of the map; near 1 it is that of the projection alone
  const scale = Math.abs(written - 1) < 0.05 ? written / unit : written / metres;
  const [a, b] = [numberOf(conversion['XAxisAbscissa']) ?? 1, numberOf(conversion['XAxisOrdinate']) ?? 0];
  const length = Math.hypot(a, b);
  const [cos, sin] = length > 0 ? [(a / length) * scale, (b / length) * scale] : [scale, 0];
  const height = up * (isInModelUnits ? metres : unit);
  return [cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1, 0, place[0]!, place[1]!, height, 1];
}

const usSurveyFoot = 1200 / 3937;

/** Metres of the unit of a CRS, of which some have feet: told by how far two places are from each other. */
function unitAt(crs: Crs, [east = 0, north = 0]: readonly number[]): number {
  const points = Float64Array.of(east, north, east + 100, north);
  crs.toLonLat(points, 2);
  const [from, to] = [geocentricOf(points[0]!, points[1]!, 0), geocentricOf(points[2]!, points[3]!, 0)];
  const share = Math.hypot(...from.map((value, axis) => value - to[axis]!)) / 100;
  return share > 0.2 && share < 0.45 ? usSurveyFoot : 1;
}

function sitePlaceOf(lines: IfcLines): PlaceOfSite | undefined {
  for (const id of lines.idsOf('IfcSite')) {
    const site = lines.lineOf(id);
    const latitude = degreesOf(numbersOf(site?.['RefLatitude']));
    const longitude = degreesOf(numbersOf(site?.['RefLongitude']));
    if (
      latitude === undefined ||
      longitude === undefined ||
      Math.abs(latitude) > 90 ||
      Math.abs(longitude) > 180
    )
      continue;
    if (latitude === 0 && longitude === 0) continue; // not set
    const height = (numberOf(site?.['RefElevation']) ?? 0) * metresOfLength(lines);
    const origin = originOf(lines, referenceOf(site?.['ObjectPlacement']));
    return { kind: 'site', longitude, latitude, height, heading: headingOf(lines), origin };
  }
  return undefined;
}

/** More placements within each other are a circle. */
const maxPlacements = 20;

/** Where the origin of a placement is, in metres. Sites are not turned within the world of their model. */
function originOf(lines: IfcLines, placement: number | undefined): Vector {
  const sum: [number, number, number] = [0, 0, 0];
  const metres = metresOfLength(lines);
  let line = lines.lineOf(placement);
  for (let i = 0; i < maxPlacements && line !== undefined; i++) {
    const relative = lines.lineOf(referenceOf(line['RelativePlacement']));
    const coordinates = numbersOf(lines.lineOf(referenceOf(relative?.['Location']))?.['Coordinates']);
    for (let axis = 0; axis < 3; axis++) sum[axis]! += (coordinates[axis] ?? 0) * metres;
    line = lines.lineOf(referenceOf(line['PlacementRelTo']));
  }
  return sum;
}

/** Degrees, minutes, seconds and millionths of seconds, all of one sign. */
function degreesOf(parts: readonly number[]): number | undefined {
  if (parts.length < 3) return undefined;
  const [degrees = 0, minutes = 0, seconds = 0, millionths = 0] = parts;
  return degrees + minutes / 60 + (seconds + millionths / 1e6) / 3600;
}

/** North of the model is where `TrueNorth` points: its y axis points as far to the other side. */
function headingOf(lines: IfcLines): number {
  for (const id of lines.idsOf('IfcGeometricRepresentationContext')) {
    const direction = lines.lineOf(referenceOf(lines.lineOf(id)?.['TrueNorth']));
    const [x, y] = numbersOf(direction?.['DirectionRatios']);
    if (x !== undefined && y !== undefined && Math.hypot(x, y) > 0)
      return (-Math.atan2(x, y) * 180) / Math.PI;
  }
  return 0;
}
