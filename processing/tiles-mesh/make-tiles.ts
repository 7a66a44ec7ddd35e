import type { FileRange } from '../kit/scratch-file.ts';
import { expectAnswer } from '../kit/expect-answer.ts';
import { runAll } from '../kit/run-all.ts';
import { unitMetres } from './mesh/piece.ts';
import { stepFor } from './tile/position-step.ts';
import type { MeshRun } from './mesh-run.ts';
import type { CutAnswer, MadeTile, Origin, Task } from './tasks.ts';
import { heightOf, leavesOf, type PlannedCell } from './tree/plan-cells.ts';

/** So many levels keep what is at the border of their tiles; above them, borders alone would fill the budget. */
const levelsWithBorder = 3;

export interface MeshTree {
  readonly root: PlannedCell;
  readonly cut: readonly CutAnswer[];
  readonly origin: Origin;
}

/** Makes all tiles, those below before those above. @returns them by name */
export async function makeMeshTiles(
  { pool, checkpoint, context }: Pick<MeshRun, 'pool' | 'checkpoint' | 'context'>,
  { root, cut, origin }: MeshTree,
): Promise<ReadonlyMap<string, MadeTile>> {
  const made = new Map<string, MadeTile>();
  for (const unit of checkpoint.units) if (unit.kind === 'tile') made.set(unit.name, unit);
  const pieces = Map.groupBy(
    cut.flatMap((model) => model.pieces),
    ({ leaf }) => leaf,
  );
  const hasSkirts = heightOf(root) > levelsWithBorder;
  const largestLeaf = Math.max(...leavesOf(root).map(({ box }) => box[2] - box[0]));
  const minStep = stepFor(largestLeaf * unitMetres * 2 ** levelsWithBorder);
  const taskOf = (cell: PlannedCell, level: number): Task => {
    const { name, box, children } = cell;
    const below = children.map((child) => made.get(child.name)!);
    const ofLeaf = (): FileRange[] => (pieces.get(name) ?? []).map(({ range }) => range);
    return {
      kind: 'tile',
      name,
      box,
      origin,
      pieces: children.length === 0 ? ofLeaf() : below.flatMap(({ piece }) => piece ?? []),
      errorBelow: children.length === 0 ? undefined : Math.max(...below.map(({ error }) => error)),
      keepsBorder: level <= levelsWithBorder,
      minStep,
      hasSkirts,
      hasParent: cell !== root,
    };
  };
  const layers = layersOf(root);
  const total = layers.reduce((sum, layer) => sum + layer.length, 0);
  context.progress('make', made.size, total);
  for (const [level, layer] of layers.entries()) {
    const tasks = layer.filter(({ name }) => !made.has(name)).map((cell) => taskOf(cell, level));
    await runAll(pool, tasks, (answer) => {
      const unit = expectAnswer(answer, 'tile');
      checkpoint.append(unit);
      made.set(unit.name, unit);
      context.progress('make', made.size, total);
    });
  }
  return made;
}

/** Cells by the number of levels below them. */
function layersOf(root: PlannedCell): PlannedCell[][] {
  const layers: PlannedCell[][] = [];
  const visit = (cell: PlannedCell): void => {
    (layers[heightOf(cell)] ??= []).push(cell);
    for (const child of cell.children) visit(child);
  };
  visit(root);
  return layers;
}
