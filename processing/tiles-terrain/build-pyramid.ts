import type { JobContext } from '../job-type.ts';
import { expectAnswer } from '../kit/expect-answer.ts';
import { runAll } from '../kit/run-all.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';
import type { SavedUnit, TerrainCheckpoint } from './checkpoint.ts';
import { inArchiveOrder } from '../raster-source/archive-order.ts';
import type { BaseUnit } from '../raster-source/plan-units.ts';
import { keyOf, layersOf, unitOf, type PyramidShape } from '../raster-source/zoom-layers.ts';
import type { Answer, MadeUnit, Task } from './tasks.ts';
import { levelsOf } from './water/flatten-water.ts';

export interface PyramidRun {
  readonly shape: PyramidShape;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: TerrainCheckpoint;
  readonly context: Pick<JobContext, 'progress'>;
}

export interface Pyramid {
  /** Units with data, by the key of their place. */
  readonly units: ReadonlyMap<string, MadeUnit>;
  /** In the order of the units. */
  readonly warnings: readonly CountedWarning[];
}

/** Reads all sheets into the base, and makes the layers above it from the roots of the units below. */
export async function buildPyramid(
  { shape, pool, checkpoint, context }: PyramidRun,
  base: readonly BaseUnit[],
): Promise<Pyramid> {
  // of a unit that was levelled, the last one counts
  const made = new Map<string, Extract<SavedUnit, { kind: 'unit' }>>(
    checkpoint.units.flatMap((one) => (one.kind === 'unit' ? [[keyOf(one.made.unit), one] as const] : [])),
  );
  const upper = layersOf(shape).slice(1);
  const work = async (tasks: readonly Extract<Task, { kind: 'sample' | 'combine' }>[], phase: string) => {
    const open = tasks.filter(({ unit }) => !made.has(keyOf(unit)));
    let done = tasks.length - open.length;
    context.progress(phase, done, tasks.length);
    await runAll(pool, open, (answer) => {
      const unit = expectAnswer(answer, 'unit');
      checkpoint.append(unit);
      made.set(keyOf(unit.made.unit), unit);
      context.progress(phase, ++done, tasks.length);
    });
  };
  /** Levels the water that reaches beyond one unit, now that all its heights are known. */
  const levelWater = async (units: readonly Extract<SavedUnit, { kind: 'unit' }>[]) => {
    const levels = new Map(levelsOf(units.flatMap(({ water }) => water)).map((level) => [level[0], level]));
    const tasks = units.flatMap((saved) => {
      const own = saved.water.flatMap(({ polygon }) => {
        const level = levels.get(polygon);
        return level === undefined ? [] : [level];
      });
      const { unit, range } = saved.made;
      const isOpen = own.length > 0 && range !== undefined && saved.isLevel !== true;
      return isOpen ? [{ saved, task: { kind: 'flatten', unit, range, levels: own } as const }] : [];
    });
    await runAll(
      pool,
      tasks.map(({ task }) => task),
      (answer, number) => {
        const levelled = { ...tasks[number]!.saved, made: expectAnswer(answer, 'unit').made, isLevel: true };
        checkpoint.append(levelled);
        made.set(keyOf(levelled.made.unit), levelled);
      },
    );
  };
  await work(
    base.map(({ unit, sheets }) => ({ kind: 'sample', unit, sheets })),
    'read',
  );
  await levelWater(base.map(({ unit }) => made.get(keyOf(unit))!));
  let below = base.map(({ unit }) => made.get(keyOf(unit))!.made);
  for (const layer of upper) {
    const groups = new Map<
      string,
      { unit: MadeUnit['unit']; below: [string, NonNullable<MadeUnit['range']>][] }
    >();
    for (const { unit, range } of below) {
      if (range === undefined) continue;
      const parent = unitOf({ z: unit.z - 1, x: unit.x >> 1, y: unit.y >> 1 }, layer);
      const group = groups.get(keyOf(parent)) ?? { unit: parent, below: [] };
      groups.set(keyOf(parent), group);
      group.below.push([keyOf(unit), range]);
    }
    const tasks = inArchiveOrder([...groups.values()], shape.grid, ({ unit }) => unit);
    await work(
      tasks.map((task) => ({ kind: 'combine', ...task })),
      'combine',
    );
    below = tasks.map(({ unit }) => made.get(keyOf(unit))!.made);
  }
  const units = new Map(
    [...made].flatMap(([key, one]) => (one.made.range ? [[key, one.made] as const] : [])),
  );
  return { units, warnings: base.flatMap(({ unit }) => made.get(keyOf(unit))!.warnings) };
}
