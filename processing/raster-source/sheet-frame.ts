import type { Crs } from '@platen/formats/crs/find-crs';
import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';

/** Where the pixels of a sheet are in its coordinate system. */
export interface SheetFrame {
  readonly width: number;
  readonly height: number;
  readonly matrix: GeoTransform['matrix'];
}

/** Places on each edge that are transformed. */
const places = 33;

/** Positions along the four edges of a sheet, in its coordinate system. */
export function edgePositions(sheet: SheetFrame): Float64Array {
  const { width, height } = sheet;
  const edge: number[] = [];
  for (let i = 0; i < places; i++) {
    const share = i / (places - 1);
    for (const [column, row] of [
      [share * width, 0],
      [share * width, height],
      [0, share * height],
      [width, share * height],
    ] as const)
      edge.push(...positionOf(sheet, column, row));
  }
  return Float64Array.from(edge);
}

/** The position of the middle of a sheet, and those one pixel to its right and below. */
export function middlePositions(sheet: SheetFrame): Float64Array {
  return positionsAround(sheet, sheet.width / 2, sheet.height / 2);
}

/** The position of the middle of the upper edge, and those one pixel to its right and below. */
export function edgeMiddlePositions(sheet: SheetFrame): Float64Array {
  return positionsAround(sheet, sheet.width / 2, 0);
}

function positionsAround(sheet: SheetFrame, column: number, row: number): Float64Array {
  return Float64Array.of(
    ...positionOf(sheet, column, row),
    ...positionOf(sheet, column + 1, row),
    ...positionOf(sheet, column, row + 1),
  );
}

/** The latitudes of the poles that lie in a sheet, which then has all longitudes. Its edges do not show it. */
export function polesWithin(sheet: SheetFrame, crs: Pick<Crs, 'kind' | 'fromLonLat'>): number[] {
  if (crs.kind !== 'projected') return [];
  const toPixels = createPixelFinder(sheet, crs);
  return [-90, 90].filter((lat) => {
    const at = Float64Array.of(0, lat);
    toPixels(at);
    return at[0]! > 0 && at[1]! > 0 && at[0]! < sheet.width && at[1]! < sheet.height;
  });
}

function positionOf(
  { matrix: [a, b, c, d, e, f] }: SheetFrame,
  column: number,
  row: number,
): [number, number] {
  return [a * column + b * row + c, d * column + e * row + f];
}

/** Creates what replaces longitudes and latitudes by columns and rows of a sheet, in pairs: the middle of the first pixel is at 0.5. */
export function createPixelFinder(
  sheet: SheetFrame,
  crs: Pick<Crs, 'kind' | 'fromLonLat'>,
): (places: Float64Array) => void {
  const toPixels = createPositionFinder(sheet, crs);
  return (at) => {
    if (crs.kind !== 'lonLat') crs.fromLonLat(at, at.length / 2);
    toPixels(at);
  };
}

/** The same for coordinates of its own system. */
export function createPositionFinder(
  { matrix: [a, b, c, d, e, f], width, height }: SheetFrame,
  crs: Pick<Crs, 'kind'>,
): (places: Float64Array) => void {
  const determinant = a * e - b * d;
  const middle = a * (width / 2) + b * (height / 2) + c;
  const isInDegrees = crs.kind === 'lonLat' || crs.kind === 'geographic';
  return (at) => {
    for (let i = 0; i < at.length; i += 2) {
      let x = at[i]! - c;
      // sheets may continue beyond 180°
      if (isInDegrees) x += 360 * Math.round((middle - c - x) / 360);
      const y = at[i + 1]! - f;
      at[i] = (e * x - b * y) / determinant;
      at[i + 1] = (a * y - d * x) / determinant;
    }
  };
}
