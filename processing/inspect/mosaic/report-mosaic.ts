import type { Issues } from '../issues.ts';
import type { Mosaic } from './mosaic.ts';
import type { PlacedSheet } from './place-sheets.ts';

const maxNamed = 10;
/** From here on, somebody may have mistaken the place of a sheet. */
const farApart = 50;

/** Reports what is odd about a mosaic, with the sheets by name. */
export function reportMosaic({ folder, sheets, read, places, coverage }: Mosaic, issues: Issues): void {
  const { lost, placed } = places;
  if (lost.length > 0)
    issues.add(
      'sheetsWithoutPlace',
      `${folder}: ${lost.length} of ${sheets} sheets do not say where they are, and are left out: ${named(lost)}. Upload their world files or .aux.xml to the same folder.`,
    );
  if (read.damaged.length > 0)
    issues.add(
      'damagedSheets',
      `${folder}: ${read.damaged.length} of ${sheets} sheets are damaged, and are left out: ${named(read.damaged)}. The first: ${read.damaged[0]!.reason}. Upload them again.`,
    );
  if (coverage && coverage.gaps.length > 0)
    issues.add(
      'mosaicGaps',
      `${folder}: the sheets leave ${coverage.gaps.length} ${coverage.gaps.length === 1 ? 'gap' : 'gaps'} between them, ${(coverage.gapShare * 100).toPrecision(2)} % of what they cover. The map shows where.`,
    );
  if (read.read < sheets)
    issues.add(
      'notAllSheets',
      `${folder}: only ${read.read} of ${sheets} sheets were read, from all over the folder, as there was no time for more. The job reads all.`,
    );
  const factor = spreadOf(placed);
  if (factor > farApart)
    issues.add(
      'sheetsFarApart',
      `${folder}: the area around all sheets is ${Math.round(factor)} times as large as the sheets. ${extremesOf(placed)} Check their places: a single wrong one makes the job take far longer.`,
    );
}

function named(sheets: readonly { readonly name: string }[]): string {
  const names = sheets.slice(0, maxNamed).map(({ name }) => name.slice(0, 80));
  const more = sheets.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** By which factor the box around all sheets is larger than all of them. */
function spreadOf(placed: readonly PlacedSheet[]): number {
  let [west, south, east, north, area] = [Infinity, Infinity, -Infinity, -Infinity, 0];
  for (const { box } of placed) {
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
    area += (box[2] - box[0]) * (box[3] - box[1]);
  }
  return area > 0 ? ((east - west) * (north - south)) / area : 0;
}

function extremesOf(placed: readonly PlacedSheet[]): string {
  const outermost = (edge: 0 | 1 | 2 | 3, sign: 1 | -1): string =>
    placed.reduce((a, b) => (sign * b.box[edge] > sign * a.box[edge] ? b : a)).header.name;
  return `The westernmost is ${outermost(0, -1)}, the southernmost ${outermost(1, -1)}, the easternmost ${outermost(2, 1)}, the northernmost ${outermost(3, 1)}.`;
}
