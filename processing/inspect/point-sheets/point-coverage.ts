import { coverageOf, type Quad, type SheetCoverage } from '@platen/geo/raster/sheet-coverage';
import type { PlacedPoints } from './place-point-sheets.ts';

/** Of a sheet's side: gaps of a sixteenth are seen at least. */
const maxMargin = 1 / 32;

/** What sheets of points cover; undefined if none has an area. */
export function coverageOfPoints(placed: readonly PlacedPoints[]): SheetCoverage | undefined {
  const flat = placed.filter(({ box: [west, south, east, north] }) => west < east && south < north);
  if (flat.length === 0) return undefined;
  const { overlapShare } = coverageOf(flat.map(({ quad }) => quad));
  return { ...coverageOf(flat.map(withMargin)), overlapShare };
}

/** A sheet ends where its points end: the box around them is smaller by about the distance of one to the next. */
function withMargin({ quad, header: { points } }: PlacedPoints): Quad {
  const growth = 1 + 2 * Math.min(maxMargin, 1 / Math.sqrt(Math.max(1, points)));
  const middle = [0, 1].map(
    (axis) => (quad[axis]! + quad[axis + 2]! + quad[axis + 4]! + quad[axis + 6]!) / 4,
  );
  const grown = quad.map((value, i) => middle[i % 2]! + (value - middle[i % 2]!) * growth);
  return grown as unknown as Quad;
}
