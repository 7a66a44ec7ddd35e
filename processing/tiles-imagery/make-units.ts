import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { JobContext } from '../job-type.ts';
import type { MadeTiles } from '../kit/merge-tiles.ts';
import { runAll } from '../kit/run-all.ts';
import { emitWarnings, mergeWarnings } from '../kit/warning-counter.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import { inArchiveOrder } from '../raster-source/archive-order.ts';
import { keyOf, layersOf, unitOf, type ZoomLayer } from '../raster-source/zoom-layers.ts';
import type { ImageryCheckpoint } from './checkpoint.ts';
import type { ImageryPlan } from './plan-imagery.ts';
import type { MadeUnit, RootOfUnit, Task } from './tasks.ts';

export interface UnitsRun {
  readonly plan: ImageryPlan;
  readonly pool: WorkerPool<Task, MadeUnit>;
  readonly checkpoint: ImageryCheckpoint;
  readonly context: JobContext;
}

export interface MadeImagery {
  readonly tiles: MadeTiles;
  /** No pixel is shown. */
  readonly isEmpty: boolean;
}

/** Makes the units of the base from the sheets, and the layers above it from the units below. */
export async function makeUnits({ plan, pool, checkpoint, context }: UnitsRun): Promise<MadeImagery> {
  const { shape, base } = plan;
  const made = new Map(checkpoint.units.map((one) => [keyOf(one.unit), one]));
  const work = async (tasks: readonly Task[], phase: string): Promise<MadeUnit[]> => {
    const open = tasks.filter(({ unit }) => !made.has(keyOf(unit)));
    let done = tasks.length - open.length;
    context.progress(phase, done, tasks.length);
    await runAll(pool, open, (unit) => {
      checkpoint.append(unit);
      made.set(keyOf(unit.unit), unit);
      context.progress(phase, ++done, tasks.length);
    });
    return tasks.map(({ unit }) => made.get(keyOf(unit))!);
  };
  const sampled = await work(
    base.map(({ unit, sheets }) => ({ kind: 'sample', unit, sheets })),
    'read',
  );
  emitWarnings(mergeWarnings(sampled.flatMap(({ warnings }) => warnings)), context.warn);
  const all = [...sampled];
  let below = sampled;
  for (const layer of layersOf(shape).slice(1)) {
    below = await work(combineTasks(below, layer, plan), 'combine');
    all.push(...below);
  }
  // each zoom belongs to one layer, in which the units follow each other along the Hilbert curve
  return {
    tiles: { leaves: all.map(({ tiles }) => tiles), tops: [] },
    isEmpty: below.every(({ root }) => !root),
  };
}

function combineTasks(below: readonly MadeUnit[], layer: ZoomLayer, { shape }: ImageryPlan): Task[] {
  const groups = new Map<string, { readonly unit: BlockPlace; readonly below: RootOfUnit[] }>();
  for (const { unit, root } of below) {
    if (root === undefined) continue;
    const parent: BlockPlace = unitOf({ z: unit.z - 1, x: unit.x >> 1, y: unit.y >> 1 }, layer);
    const group = groups.get(keyOf(parent)) ?? { unit: parent, below: [] };
    groups.set(keyOf(parent), group);
    group.below.push({ unit, root });
  }
  const ordered = inArchiveOrder([...groups.values()], shape.grid, ({ unit }) => unit);
  return ordered.map(({ unit, below: parts }) => ({ kind: 'combine', unit, below: parts }));
}
