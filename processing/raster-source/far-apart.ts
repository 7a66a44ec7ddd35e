import type { JobContext } from '../job-type.ts';
import { crosses180, worldMetres, type MercatorBox } from './mercator-frame.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';

/** From here on, the place of a sheet may be a mistake. */
const usualFactor = 50;

type PlacedSheet = Pick<MosaicSheet, 'name' | 'box'>;

/** Beside each other: if one crosses 180°, those of the western hemisphere are east of it. */
function boxesOf(sheets: readonly PlacedSheet[]): readonly MercatorBox[] {
  const isAcross = sheets.some(({ box }) => crosses180(box));
  return sheets.map(({ box: [west, south, east, north] }) => {
    const turn = isAcross && west < 0 ? worldMetres : 0;
    return [west + turn, south, east + turn, north];
  });
}

/** Around all sheets. */
export function boxAround(sheets: readonly PlacedSheet[]): MercatorBox {
  return boxesOf(sheets).reduce((a, b) => [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
  ]);
}

/** The sheets at the edges of the area around all. */
export function outermostSheets(sheets: readonly PlacedSheet[]): string {
  const boxes = boxesOf(sheets);
  const whole = boxAround(sheets);
  const at = (edge: 0 | 1 | 2 | 3): string =>
    sheets[boxes.findIndex((box) => box[edge] === whole[edge])]!.name;
  return `The westernmost sheet is ${at(0)}, the easternmost ${at(2)}, the southernmost ${at(1)}, the northernmost ${at(3)}.`;
}

/**
 * Warns if the area around all sheets is far larger than the sheets: one may be in another country by mistake.
 * @param cost what that means for the result
 */
export function warnIfFarApart(
  sheets: readonly PlacedSheet[],
  { warn }: Pick<JobContext, 'warn'>,
  cost: (factor: number) => string,
): void {
  const areaOf = ([west, south, east, north]: MercatorBox): number => (east - west) * (north - south);
  const covered = sheets.reduce((sum, { box }) => sum + areaOf(box), 0);
  const factor = Math.round(areaOf(boxAround(sheets)) / covered);
  if (factor <= usualFactor) return;
  warn(
    'sheetsFarApart',
    `The area around all sheets is ${factor} times as large as the sheets. ${cost(factor)} ${outermostSheets(sheets)} Check the places of these, or make results of them in tasks of their own.`,
    { factor },
  );
}
