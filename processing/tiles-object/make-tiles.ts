import type { Property } from '@platen/formats/gltf/property-table';
import type { JobContext } from '../job-type.ts';
import { diagonalOf } from '../models/region.ts';
import { runAll } from '../kit/run-all.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import type { ObjectCheckpoint } from './checkpoint.ts';
import type { Answer, MadeTile, Task } from './tasks.ts';
import type { PlannedTile } from './tree/plan-tree.ts';

export interface TilesRun {
  readonly root: PlannedTile;
  readonly properties: readonly Property[];
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: ObjectCheckpoint;
  readonly context: JobContext;
}

/** Of the diagonal of a tile that others refine: below this error, it would not be worth while. */
const leastErrorShare = 1 / 500;

/** Makes all tiles, those below before those above. @returns them by name */
export async function makeTiles({
  root,
  properties,
  pool,
  checkpoint,
  context,
}: TilesRun): Promise<ReadonlyMap<string, MadeTile>> {
  const made = new Map<string, MadeTile>();
  for (const unit of checkpoint.units) if (unit.kind === 'tile') made.set(unit.name, unit);
  const layers = layersOf(root);
  const total = layers.reduce((sum, layer) => sum + layer.length, 0);
  let done = made.size;
  context.progress('make', done, total);
  for (const layer of layers) {
    const open = layer.filter(({ name }) => !made.has(name));
    const tasks = open.map((tile) => taskOf(tile, { properties, made, hasParent: tile !== root }));
    await runAll(pool, tasks, (answer) => {
      if (answer.kind !== 'tile') return;
      checkpoint.append(answer);
      made.set(answer.name, answer);
      context.progress('make', ++done, total);
    });
  }
  return made;
}

interface TaskContext {
  readonly properties: readonly Property[];
  readonly made: ReadonlyMap<string, MadeTile>;
  readonly hasParent: boolean;
}

function taskOf(
  { name, shapes, children, region }: PlannedTile,
  { properties, made, hasParent }: TaskContext,
): Task {
  const common = { kind: 'tile', name, properties, hasParent } as const;
  if (children.length === 0) return { ...common, shapes, leastError: undefined };
  const below = children.map((child) => made.get(child.name)!);
  const handedUp = below.flatMap((tile) => tile.handedUp);
  const leastError = Math.max(diagonalOf(region) * leastErrorShare, ...below.map(({ error }) => error));
  return { ...common, shapes: handedUp, leastError };
}

/** Tiles by the number of levels below them. */
function layersOf(root: PlannedTile): PlannedTile[][] {
  const layers: PlannedTile[][] = [];
  const visit = (tile: PlannedTile): number => {
    const level = tile.children.reduce((highest, child) => Math.max(highest, visit(child) + 1), 0);
    (layers[level] ??= []).push(tile);
    return level;
  };
  visit(root);
  return layers;
}
