import type { HeightMode } from '../../heights/height-mode.ts';
import { openHeights } from '../../heights/open-heights.ts';
import type { JobContext } from '../../job-type.ts';
import { usedHeights, type UsedHeights } from '../../models/used-heights.ts';
import type { ComparedSheets } from '../compare/add-older.ts';
import type { FoundSheets } from '../sheets/find-sheets.ts';
import type { FormerPoints } from '../update/manifest.ts';
import { openPlacing } from './place-sheet.ts';
import { frameOf, localBoxOf, rootCubeOf, type LocalBox, type RootCube } from './root-cube.ts';

export interface PlacedSheets {
  readonly root: RootCube;
  /** Of the sheets in the frame, without those of the older cloud. */
  readonly boxes: readonly LocalBox[];
}

/** How heights of each kind were understood: reports what is approximate or assumed of them. */
export async function describeHeights(
  { heights }: FoundSheets,
  mode: HeightMode,
  context: JobContext,
): Promise<UsedHeights[]> {
  const used: UsedHeights[] = [];
  for (const { options, facts } of heights)
    used.push(usedHeights(mode, await openHeights(options, facts, context)));
  return used;
}

interface Placing {
  /** By which the cube reaches beyond the sheets, for points of the older cloud. */
  readonly rimMetres: number;
  /** That the points of the root have at least. */
  readonly spacingMetres: number | undefined;
  /** Of the same grids of the geoid: its sheets are where they were, if its frame is the same. */
  readonly former: FormerPoints | undefined;
  readonly identities: readonly string[] | undefined;
}

/** Where all sheets are, of which those of the older cloud only have a place in the cube if they are near the others. */
export async function placeSheets(
  { sheets: all, heights, olderFrom }: ComparedSheets,
  { rimMetres, spacingMetres, former, identities }: Placing,
  { inputs, geoidFolder }: JobContext,
): Promise<PlacedSheets> {
  const sheets = all.slice(0, olderFrom);
  const frame = frameOf(sheets);
  const isSameFrame = former !== undefined && JSON.stringify(former.root.frame) === JSON.stringify(frame);
  const knownBoxes = new Map(isSameFrame ? former.sheets.map(({ identity, box }) => [identity, box]) : []);
  const quiet = { inputs, warn: () => {}, ...(geoidFolder !== undefined && { geoidFolder }) };
  const boxes: LocalBox[] = [];
  for (const [i, sheet] of sheets.entries()) {
    const box = knownBoxes.get(identities?.[i] ?? '');
    boxes.push(box ?? localBoxOf(sheet, await openPlacing(sheet, { heights, frame, context: quiet })));
  }
  const withRim = boxes.map(({ min: [x, y, z], max: [east, north, up] }): LocalBox => ({
    min: [x - rimMetres, y - rimMetres, z - rimMetres],
    max: [east + rimMetres, north + rimMetres, up + rimMetres],
  }));
  return { root: rootCubeOf(frame, withRim, spacingMetres), boxes };
}
