import { openHeights } from '../../heights/open-heights.ts';
import type { JobContext } from '../../job-type.ts';
import type { ComparedSheets } from '../compare/add-older.ts';
import type { PointSheet } from '../sheets/sheet.ts';
import type { ExpectedPoints } from '../tree/plan-buckets.ts';
import { openPlacing } from './place-sheet.ts';
import { frameOf, localBoxOf, rootCubeOf, type LocalBox, type RootCube } from './root-cube.ts';

export interface PlacedSheets {
  readonly root: RootCube;
  readonly expected: readonly ExpectedPoints[];
  /** How heights of each kind were understood. */
  readonly heights: readonly object[];
}

/** Where all sheets are, of which those of the older cloud only have a place in the cube if they are near the others: reports what is approximate or assumed of their heights. */
export async function placeSheets(
  { sheets: all, heights, olderFrom }: ComparedSheets,
  rimMetres: number,
  context: JobContext,
): Promise<PlacedSheets> {
  const sheets = all.slice(0, olderFrom);
  const frame = frameOf(sheets);
  const used: object[] = [];
  for (const { options, facts } of heights) {
    const { vertical, geoid, accuracyMetres } = await openHeights(options, facts, context);
    used.push({ from: vertical.code ?? vertical.name, name: vertical.name, geoid, accuracyMetres });
  }
  const silent = { inputs: context.inputs, warn: () => {}, geoidFolder: context.geoidFolder };
  const expected: ExpectedPoints[] = [];
  for (const sheet of sheets) {
    const { geoidFolder, ...rest } = silent;
    const quiet = { ...rest, ...(geoidFolder !== undefined && { geoidFolder }) };
    const place = await openPlacing(sheet, { heights, frame, context: quiet });
    const count = pointsOf([sheet]);
    const { min, max } = localBoxOf(sheet, place);
    expected.push({ min, max, count });
  }
  const withRim = expected.map(({ min: [x, y, z], max: [east, north, up] }): LocalBox => ({
    min: [x - rimMetres, y - rimMetres, z - rimMetres],
    max: [east + rimMetres, north + rimMetres, up + rimMetres],
  }));
  return { root: rootCubeOf(frame, withRim), expected, heights: used };
}

/** Points of sheets by their headers. */
export function pointsOf(sheets: readonly PointSheet[]): number {
  return sheets.reduce((sum, { partPoints }) => sum + partPoints.reduce((own, points) => own + points, 0), 0);
}
