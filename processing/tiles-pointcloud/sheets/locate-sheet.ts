import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { isGeocentric } from '@platen/formats/crs/is-geocentric';
import { surveyFootMetres, type VerticalCrs } from '@platen/formats/crs/vertical-crs';
import type { Place } from '@platen/formats/points/point-file';
import { geocentricOf, geodeticOf } from '@platen/geo/geodesy/geocentric';
import { geocentricBox } from '@platen/geo/geodesy/geocentric-box';
import { transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import { heightFactsOf } from '../../heights/height-facts.ts';
import type { HeightOptions } from '../../heights/height-options.ts';
import { JobFailure, type JobContext } from '../../job-type.ts';
import type { PointSheet, SheetBounds, SheetHeights } from './sheet.ts';

/** A file with what is known of its coordinates. */
export interface UnlocatedSheet extends SheetBounds {
  readonly name: string;
  /** A text for findCrs. */
  readonly crs: string;
  /** What the file says apart from that. */
  readonly vertical: VerticalCrs | undefined;
  /** From its coordinates to those of the CRS. */
  readonly matrix: Matrix | undefined;
}

export interface SheetLocation {
  readonly box: PointSheet['box'];
  /** Undefined of geocentric coordinates. */
  readonly facts: SheetHeights | undefined;
}

/** Where a file lies, and what its heights count from. @throws JobFailure if that is nowhere */
export async function locateSheet(
  sheet: UnlocatedSheet,
  { options, warn }: { readonly options: HeightOptions; readonly warn: JobContext['warn'] },
): Promise<SheetLocation> {
  const { name, matrix } = sheet;
  if (isGeocentric(sheet.crs)) return { box: geocentricPlace(sheet), facts: undefined };
  const crs = crsOf(sheet.crs, name);
  for (const { code, message } of crs.notes)
    if (code !== 'compoundHorizontal') warn(code, `${name}: ${message}.`, { file: name });
  const vertical = sheet.vertical ?? findVerticalCrs(sheet.crs);
  const bounds = matrix ? boundsOf(sheet, matrix) : sheet;
  const box = boxOf(crs, bounds, name);
  const place = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] as const;
  const facts = await heightFactsOf({ name, vertical, crsCode: crs.code, place });
  // whoever places data counts their heights in metres, or in units that the scale makes metres
  const unit = matrix ? options : withUnit(options, crs, { vertical, bounds });
  return { box, facts: { facts: { ...facts, box }, options: unit } };
}

/** The corners of a box. */
function cornersOf({ min, max }: SheetBounds): Place[] {
  return Array.from({ length: 8 }, (_, i) => [
    i & 1 ? max[0] : min[0],
    i & 2 ? max[1] : min[1],
    i & 4 ? max[2] : min[2],
  ]);
}

/** The box around a box that is turned. */
export function boundsOf(bounds: SheetBounds, matrix: Matrix): SheetBounds {
  const corners = cornersOf(bounds).map((corner) => transformPosition(matrix, corner));
  const edge = (choose: (...values: number[]) => number): Place =>
    [0, 1, 2].map((axis) => choose(...corners.map((corner) => corner[axis]!))) as unknown as Place;
  return { min: edge(Math.min), max: edge(Math.max) };
}

/** @throws JobFailure if the coordinates are not on Earth */
function geocentricPlace({ min, max, name, matrix }: UnlocatedSheet): PointSheet['box'] {
  if (matrix !== undefined) {
    const corners = cornersOf({ min, max }).map((corner) => geodeticOf(transformPosition(matrix, corner)));
    const [lons, lats] = [corners.map(([lon]) => lon), corners.map(([, lat]) => lat)];
    return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  }
  const box = geocentricBox(min, max);
  if (box !== undefined) return box;
  throw new JobFailure(
    'invalidCoordinates',
    `${name} names a geocentric coordinate system, but its coordinates are not on the surface of the earth. Set the coordinate system of the input in the task, such as EPSG:25832.`,
  );
}

/** Heights have the unit of the horizontal coordinates, unless something says otherwise. */
function withUnit(
  options: HeightOptions,
  crs: Crs,
  { vertical, bounds }: { readonly vertical: VerticalCrs | undefined; readonly bounds: SheetBounds },
): HeightOptions {
  const { unit = 'auto' } = options;
  if (unit !== 'auto' || vertical !== undefined || crs.kind !== 'projected') return options;
  const isFoot = Math.abs(metresPerUnitOf(crs, bounds) / surveyFootMetres - 1) < 0.01;
  return isFoot ? { ...options, unit: 'usSurveyFoot' } : options;
}

/** Metres on the ground of a unit of a projected coordinate system in the middle of the data. */
export function metresPerUnitOf(crs: Crs, { min, max }: SheetBounds): number {
  const [x, y] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  const ends = Float64Array.of(x, y, x, y + 1);
  crs.toLonLat(ends, 2);
  const one = geocentricOf(ends[0]!, ends[1]!, 0);
  const other = geocentricOf(ends[2]!, ends[3]!, 0);
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

function crsOf(text: string, file: string): Crs {
  try {
    return findCrs(text);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    throw new JobFailure('unknownCrs', `${file}: ${error.message}`, { cause: error });
  }
}

const boxSteps = 4;

function boxOf(crs: Crs, { min, max }: SheetBounds, name: string): PointSheet['box'] {
  const places: number[] = [];
  for (let row = 0; row <= boxSteps; row++) {
    for (let column = 0; column <= boxSteps; column++)
      places.push(
        min[0] + ((max[0] - min[0]) * column) / boxSteps,
        min[1] + ((max[1] - min[1]) * row) / boxSteps,
      );
  }
  const lonLat = Float64Array.from(places);
  crs.toLonLat(lonLat, lonLat.length / 2);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < lonLat.length; i += 2) {
    const [lon, lat] = [lonLat[i]!, lonLat[i + 1]!];
    if (!Number.isFinite(lon) || !Number.isFinite(lat))
      throw new JobFailure(
        'invalidCoordinates',
        `${name} is not where its coordinate system is used. Set the coordinate system of the input in the task.`,
      );
    [west, south, east, north] = [
      Math.min(west, lon),
      Math.min(south, lat),
      Math.max(east, lon),
      Math.max(north, lat),
    ];
  }
  return [west, south, east, north];
}
