import type { PlacedSheet } from '../../raster-source/copy-pixels.ts';
import { JobFailure } from '../../job-type.ts';
import type { RasterSheet } from '../../raster-source/raster-sheet.ts';

export interface Mosaic {
  readonly width: number;
  readonly height: number;
  /** The later one is on top. */
  readonly sheets: readonly PlacedSheet<RasterSheet>[];
}

/** Pixels that a sheet may be off the grid, by rounding. */
const tolerance = 0.02;

/** Puts sheets onto one grid, as they are. @throws JobFailure if that is impossible */
export function placeOnOneGrid(sheets: readonly RasterSheet[]): Mosaic {
  const [first, ...others] = sheets as readonly [RasterSheet, ...RasterSheet[]];
  if (others.length === 0)
    return { width: first.width, height: first.height, sheets: [{ sheet: first, column: 0, row: 0 }] };
  const places = sheets.map((sheet) => {
    const difference = differenceOf(first, sheet);
    if (difference !== undefined) throw refusal(sheet, first, difference);
    return { sheet, ...placeOf(first, sheet) };
  });
  const left = Math.min(...places.map(({ column }) => column));
  const top = Math.min(...places.map(({ row }) => row));
  const placed = places.map(({ sheet, column, row }) => ({ sheet, column: column - left, row: row - top }));
  return {
    width: Math.max(...placed.map(({ sheet, column }) => column + sheet.width)),
    height: Math.max(...placed.map(({ sheet, row }) => row + sheet.height)),
    sheets: placed,
  };
}

function differenceOf(first: RasterSheet, sheet: RasterSheet): string | undefined {
  const same = (name: 'bands' | 'bits' | 'sampleType' | 'photometric'): boolean =>
    first[name] === sheet[name];
  if (!same('bands')) return `it has ${sheet.bands} bands instead of ${first.bands}`;
  if (!same('sampleType') || !same('bits'))
    return `its numbers are ${sheet.sampleType} instead of ${first.sampleType}`;
  if (!same('photometric')) return 'its bands mean other colours';
  if (!Object.is(first.noData, sheet.noData))
    return `its value for no data is ${sheet.noData ?? 'none'} instead of ${first.noData ?? 'none'}`;
  const texts = (one: RasterSheet): string =>
    JSON.stringify(one.meaningTags.map(({ id, values }) => [id, Array.from(values)]));
  if (texts(first) !== texts(sheet)) return 'its palette is another one';
  const keys = (one: RasterSheet): string => one.crs.text ?? JSON.stringify(one.crsTags);
  if (keys(first) !== keys(sheet))
    return `its coordinate system is ${sheet.crs.text ?? 'unknown'} instead of ${first.crs.text ?? 'unknown'}`;
  if (!first.matrix || !sheet.matrix) return 'it is not known where its pixels are';
  const far = Math.max(sheet.width, sheet.height);
  const size = Math.hypot(first.matrix[0], first.matrix[3]);
  if ([0, 1, 3, 4].some((i) => Math.abs(sheet.matrix![i]! - first.matrix![i]!) * far > tolerance * size))
    return 'its pixels have another size';
  const { column, row, isOnGrid } = placeOf(first, sheet);
  if (!isOnGrid) return `its pixels lie between those of the other sheet (${column}, ${row})`;
  return undefined;
}

function placeOf(
  first: RasterSheet,
  sheet: RasterSheet,
): { readonly column: number; readonly row: number; readonly isOnGrid: boolean } {
  const [a, b, c, d, e, f] = first.matrix!;
  const [x, y] = [sheet.matrix![2] - c, sheet.matrix![5] - f];
  const determinant = a * e - b * d;
  const [column, row] = [(e * x - b * y) / determinant, (a * y - d * x) / determinant];
  const [whole, wholeRow] = [Math.round(column), Math.round(row)];
  const isOnGrid = Math.max(Math.abs(column - whole), Math.abs(row - wholeRow)) <= tolerance;
  return { column: whole, row: wholeRow, isOnGrid };
}

function refusal({ name }: RasterSheet, first: RasterSheet, difference: string): JobFailure {
  return new JobFailure(
    'unsupported',
    `${name} does not fit to ${first.name}: ${difference}. For analysis no number is changed, so all sheets must be of one kind and on one grid. Convert it in a task of its own, or choose for: viewer.`,
  );
}
