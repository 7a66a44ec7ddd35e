import type { Matrix } from '@platen/geo/geodesy/matrix';
import type { ModelPlace, PlaceInCrs, PlaceOfSite } from '../mesh-model/model-place.ts';
import { numberOf, numbersOf, referenceOf, textOf, type IfcLine, type IfcLines } from './ifc-lines.ts';
import { metresOf, metresOfLength } from './ifc-units.ts';

/** The place by a map conversion, or else by the site (ISO 16739: IfcMapConversion, IfcSite). */
export const placeOf = (lines: IfcLines): ModelPlace | undefined => mapPlaceOf(lines) ?? sitePlaceOf(lines);

function mapPlaceOf(lines: IfcLines): PlaceInCrs | undefined {
  for (const id of lines.idsOf('IfcMapConversion')) {
    const conversion = lines.lineOf(id);
    const target = lines.lineOf(referenceOf(conversion?.['TargetCRS']));
    const crs = crsOf(textOf(target?.['Name']));
    if (conversion === undefined || target === undefined || crs === undefined) continue;
    const matrix = matrixOf(conversion, {
      metres: metresOfLength(lines),
      mapMetres: metresOf(lines, lines.lineOf(referenceOf(target['MapUnit']))),
    });
    if (matrix !== undefined) return { kind: 'crs', crs, matrix };
  }
  return undefined;
}

/** Names are codes of EPSG, with or without the authority. */
const crsOf = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : /^\d{4,6}$/.test(name.trim()) ? `EPSG:${name.trim()}` : name.trim();

/** No place of a projected CRS is further from its origin, in metres. */
const maxMapCoordinate = 2e7;

/**
 * @param metres of the model's unit @param mapMetres of the unit of the CRS. Many files write metres without naming the
 * unit, and a scale of 1 although the model is in millimetres.
 */
function matrixOf(
  conversion: IfcLine,
  { metres, mapMetres }: { readonly metres: number; readonly mapMetres: number | undefined },
): Matrix | undefined {
  const [east, north, up = 0] = ['Eastings', 'Northings', 'OrthogonalHeight'].map((name) =>
    numberOf(conversion[name]),
  );
  if (east === undefined || north === undefined) return undefined;
  const unit = mapMetres ?? (Math.max(Math.abs(east), Math.abs(north)) > maxMapCoordinate ? metres : 1);
  const written = numberOf(conversion['Scale']) ?? 1;
  // the scale leads from the unit of the model to that of the map; near 1 it is that of the projection alone
  const scale = Math.abs(written - 1) < 0.05 ? written : (written * unit) / metres;
  const [a, b] = [numberOf(conversion['XAxisAbscissa']) ?? 1, numberOf(conversion['XAxisOrdinate']) ?? 0];
  const length = Math.hypot(a, b);
  const [cos, sin] = length > 0 ? [(a / length) * scale, (b / length) * scale] : [scale, 0];
  return [cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1, 0, east * unit, north * unit, up * unit, 1];
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
    const height = (numberOf(site?.['RefElevation']) ?? 0) * metresOfLength(lines);
    return { kind: 'site', longitude, latitude, height, heading: headingOf(lines) };
  }
  return undefined;
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
