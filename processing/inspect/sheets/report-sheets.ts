import type { SheetCoverage } from '@platen/geo/raster/sheet-coverage';
import type { Box } from '../box.ts';
import type { Issues } from '../issues.ts';
import type { ReadSheets } from './read-each-sheet.ts';

/** What is reported of a folder of sheets. */
export interface ReportedSheets {
  readonly folder: string;
  /** All of the folder. */
  readonly sheets: number;
  readonly read: Pick<ReadSheets<unknown>, 'damaged' | 'read'>;
  /** Sheets that are left out as nobody knows where they are, and what to do about it. */
  readonly lost: readonly string[];
  readonly lostAdvice: string;
  readonly placed: readonly BoxedSheet[];
  /** Undefined: no sheet has a place, or there was no time for all. */
  readonly coverage: SheetCoverage | undefined;
}

interface BoxedSheet {
  readonly name: string;
  readonly box: Box;
}

const maxNamed = 10;
/** From here on, somebody may have mistaken the place of a sheet. */
const farApart = 50;

/** Reports what is odd about sheets, with their names. */
export function reportSheets(
  { folder, sheets, read, lost, lostAdvice, placed, coverage }: ReportedSheets,
  issues: Issues,
): void {
  if (lost.length > 0)
    issues.add(
      'sheetsWithoutPlace',
      `${folder}: ${lost.length} of ${sheets} sheets do not say where they are, and are left out: ${named(lost)}. ${lostAdvice}`,
    );
  if (read.damaged.length > 0)
    issues.add(
      'damagedSheets',
      `${folder}: ${read.damaged.length} of ${sheets} sheets are damaged, and are left out: ${named(read.damaged.map(({ name }) => name))}. The first: ${read.damaged[0]!.reason}. Upload them again.`,
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

function named(sheets: readonly string[]): string {
  const names = sheets.slice(0, maxNamed).map((name) => name.slice(0, 80));
  const more = sheets.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** By which factor the box around all sheets is larger than all of them. */
function spreadOf(placed: readonly BoxedSheet[]): number {
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

function extremesOf(placed: readonly BoxedSheet[]): string {
  const outermost = (edge: 0 | 1 | 2 | 3, sign: 1 | -1): string =>
    placed.reduce((a, b) => (sign * b.box[edge] > sign * a.box[edge] ? b : a)).name;
  return `The westernmost is ${outermost(0, -1)}, the southernmost ${outermost(1, -1)}, the easternmost ${outermost(2, 1)}, the northernmost ${outermost(3, 1)}.`;
}
