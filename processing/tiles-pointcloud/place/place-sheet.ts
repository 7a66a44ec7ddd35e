import { findCrs } from '@platen/formats/crs/find-crs';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { createLattice, type TransformPlaces } from '@platen/geo/geodesy/lattice';
import { toLocal, type LocalFrame } from '@platen/geo/geodesy/local-frame';
import { transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import { openHeights } from '../../heights/open-heights.ts';
import type { JobContext } from '../../job-type.ts';
import { boundsOf, metresPerUnitOf } from '../sheets/locate-sheet.ts';
import type { PointSheet, SheetHeights } from '../sheets/sheet.ts';

type HeightsContext = Pick<JobContext, 'inputs' | 'geoidFolder' | 'warn'>;

/** Metres of a cell of the lattice. */
const [cellWidth, cellHeight] = [1024, 400];
const metresPerDegree = 111_320;

/**
 * Turns places of a sheet into metres east, north and up in a frame, by a lattice of exactly transformed places.
 * @throws JobFailure if its heights cannot be used
 */
export async function openPlacing(
  sheet: PointSheet,
  {
    heights: kinds,
    frame,
    context,
  }: {
    readonly heights: readonly SheetHeights[];
    readonly frame: LocalFrame;
    readonly context: HeightsContext;
  },
): Promise<TransformPlaces> {
  const transform = await openTransform(sheet, { heights: kinds, frame, context });
  const { matrix } = sheet;
  if (matrix === undefined) return transform;
  return (places, count) => {
    movePlaces(places, count, matrix);
    transform(places, count);
  };
}

function movePlaces(places: Float64Array, count: number, matrix: Matrix): void {
  for (let at = 0; at < 3 * count; at += 3)
    places.set(transformPosition(matrix, [places[at]!, places[at + 1]!, places[at + 2]!]), at);
}

/** From the coordinates of the sheet's coordinate system. */
async function openTransform(
  sheet: PointSheet,
  { heights: kinds, frame, context }: Parameters<typeof openPlacing>[1],
): Promise<TransformPlaces> {
  if (sheet.heightsOf === undefined)
    return (places, count) => {
      for (let at = 0; at < 3 * count; at += 3)
        places.set(toLocal(frame, [places[at]!, places[at + 1]!, places[at + 2]!]), at);
    };
  const crs = findCrs(sheet.crs);
  const { options, facts } = kinds[sheet.heightsOf]!;
  // of a grid in a file, the part around the sheet is read, whatever the others are
  const heights = await openHeights(options, { ...facts, box: sheet.box }, context);
  const exact: TransformPlaces = (places, count) => {
    const lonLat = new Float64Array(count * 2);
    for (let i = 0; i < count; i++) {
      lonLat[i * 2] = places[i * 3]!;
      lonLat[i * 2 + 1] = places[i * 3 + 1]!;
    }
    crs.toLonLat(lonLat, count);
    for (let i = 0; i < count; i++) {
      places[i * 3] = lonLat[i * 2]!;
      places[i * 3 + 1] = lonLat[i * 2 + 1]!;
    }
    heights.toEllipsoid(places, count);
    for (let i = 0; i < count; i++)
      places.set(toLocal(frame, geocentricOf(places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!)), i * 3);
  };
  const isProjected = crs.kind === 'projected' || crs.kind === 'webMercator';
  const bounds = sheet.matrix ? boundsOf(sheet, sheet.matrix) : sheet;
  const metres = isProjected ? metresPerUnitOf(crs, bounds) : metresPerDegree;
  const side = cellWidth / metres;
  return createLattice(exact, [side, side, cellHeight / heights.vertical.metresPerUnit], bounds.min);
}
