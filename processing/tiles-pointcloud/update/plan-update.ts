import { cellKey, parentCell, type Cell } from '@platen/geo/point-tree/cloud';
import type { JobContext } from '../../job-type.ts';
import { logSheetChanges } from '../../raster-source/sheet-records.ts';
import type { Signature } from '../../raster-source/sign-units.ts';
import { boxOfCell, cellBelow, type LocalBox, type RootCube } from '../place/root-cube.ts';
import { boxOfRoot, reachOf, touches } from './local-boxes.ts';
import type { FormerNode, FormerPoints } from './manifest.ts';

/** What an update makes again, and what it copies. */
export interface UpdatePlan {
  readonly former: FormerPoints;
  /** For each sheet, the number of the same one in the former run; undefined if it is new or has changed. */
  readonly formerSheets: readonly (number | undefined)[];
  /** Whether the points of each sheet are needed. */
  readonly isRead: readonly boolean[];
  /** Nodes whose points are the same and lie in the tree at the same place: cells of the new root, from above. */
  readonly cleanNodes: readonly FormerNode[];
  /** What becomes of cells when the tree is divided into buckets: parts that are as they were have buckets without points. */
  readonly given: (cell: Cell) => 'divided' | 'whole' | undefined;
  readonly isClean: (cell: Cell) => boolean;
}

interface Planned {
  readonly former: FormerPoints;
  readonly root: RootCube;
  readonly others: Signature;
  readonly columns: Signature;
  /** With their boxes in the frame. */
  readonly sheets: readonly {
    readonly name: string;
    readonly identity: Signature;
    readonly box: LocalBox;
  }[];
  /** Nodes with at most so many points have no recorded nodes below. */
  readonly unitPoints: number;
}

/** @returns undefined if all tiles have to be made again, which the log explains */
export function planUpdate(
  { former, root, others, columns, sheets, unitPoints }: Planned,
  context: JobContext,
): UpdatePlan | undefined {
  const because = (reason: FullReason): undefined => logFullRun(reason, context);
  logSheetChanges(
    former.sheets.map(({ name, identity }) => [name, identity]),
    sheets.map(({ name, identity }) => [name, identity]),
    context,
  );
  if (JSON.stringify(former.root.frame) !== JSON.stringify(root.frame)) return because('frame');
  if (former.common.others !== others) return because('otherInputs');
  if (former.common.columns !== columns) return because('attributes');
  const { formerSheets, changed } = compareSheets(former, sheets);
  const isSameRoot = JSON.stringify(former.root) === JSON.stringify(root);
  const isChanged = (box: LocalBox): boolean => changed.some((one) => touches(one, box));
  const clean = new Set<string>();
  const divided = new Set<string>();
  const cleanNodes: FormerNode[] = [];
  const neededBoxes: LocalBox[] = [];
  for (const node of former.nodes) {
    const isTop = node === former.nodes[0];
    const cell = isTop
      ? isSameRoot
        ? { level: 0, x: 0, y: 0, z: 0 }
        : undefined
      : cellBelow(root, node.cell);
    // many points in one place make leaves that are larger than units
    const isUnit = node.isLeaf || node.total <= unitPoints;
    const box = isTop ? boxOfRoot(former.root) : boxOfCell(node.cell);
    if (cell === undefined) {
      if (isUnit && touches(box, boxOfRoot(root))) return because('region');
      continue;
    }
    const isClean = !isChanged(box);
    addAncestors(divided, cell);
    if (isClean) {
      clean.add(cellKey(cell));
      cleanNodes.push({ ...node, cell });
    } else if (isUnit) neededBoxes.push(box);
  }
  if (cleanNodes.length === 0) return because('everywhere');
  const isRead = sheets.map(
    ({ box }, i) => formerSheets[i] === undefined || neededBoxes.some((one) => touches(reachOf(box), one)),
  );
  return {
    former,
    formerSheets,
    isRead,
    cleanNodes,
    given(cell) {
      const key = cellKey(cell);
      if (clean.has(key)) return 'whole';
      return divided.has(key) ? 'divided' : undefined;
    },
    isClean: (cell) => clean.has(cellKey(cell)),
  };
}

function addAncestors(to: Set<string>, cell: Cell): void {
  for (let above = cell; above.level > 0;) {
    above = parentCell(above);
    const key = cellKey(above);
    if (to.has(key)) return;
    to.add(key);
  }
}

type FullReason = keyof typeof reasons;

const reasons = {
  frame: 'the middle of the point clouds is now at another degree.',
  otherInputs: 'the grid of the geoid, the images or the older point cloud are other ones.',
  region: 'the point clouds now lie in a much smaller region.',
  everywhere: 'the sheets that have changed reach into all parts of the tree.',
  attributes: 'the colours or attributes that points have are other ones.',
} as const;

export function logFullRun(reason: FullReason, { log }: JobContext): undefined {
  log('info', `All tiles are made again: ${reasons[reason]}`, { reason });
}

/** Which sheets are as they were, and where others were or are. */
function compareSheets(former: FormerPoints, sheets: Planned['sheets']) {
  const numbers = new Map<Signature, number[]>();
  for (const [number, { identity }] of former.sheets.entries()) {
    const same = numbers.get(identity);
    if (same) same.push(number);
    else numbers.set(identity, [number]);
  }
  const changed: LocalBox[] = [];
  const formerSheets = sheets.map(({ identity, box }) => {
    const number = numbers.get(identity)?.shift();
    if (number === undefined) changed.push(reachOf(box));
    return number;
  });
  for (const gone of numbers.values())
    for (const number of gone) changed.push(reachOf(former.sheets[number]!.box));
  return { formerSheets, changed };
}
