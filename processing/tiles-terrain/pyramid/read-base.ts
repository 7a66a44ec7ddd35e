import { expectAnswer } from '../../kit/expect-answer.ts';
import { runAll, runSideBySide } from '../../kit/run-all.ts';
import type { BaseUnit } from '../../raster-source/plan-units.ts';
import { sign, signBase } from '../../raster-source/sign-units.ts';
import { keyOf } from '../../raster-source/zoom-layers.ts';
import type { SavedUnit } from '../checkpoint.ts';
import type { PyramidUnit } from './pyramid-unit.ts';
import type { TerrainRun } from '../terrain-run.ts';
import { levelsOf, type WaterLevel } from '../water/flatten-water.ts';

type SavedBase = Extract<SavedUnit, { kind: 'unit' }>;

export interface Base {
  /** In the order of the plan. */
  readonly units: readonly PyramidUnit[];
  /** Reads units that are as they were, whose cells are needed nevertheless. @returns those that were not read before */
  read(keys: ReadonlySet<string>): Promise<PyramidUnit[]>;
}

/** Reads the sheets into the units of the base, but for those that are as an update knows them. */
export async function readBase(run: TerrainRun, base: readonly BaseUnit[]): Promise<Base> {
  const { pool, checkpoint, context, identities = [], former } = run;
  // of a unit that was levelled, the last one counts
  const read = new Map<string, SavedBase>(
    checkpoint.units.flatMap((one) => (one.kind === 'unit' ? [[keyOf(one.made.unit), one] as const] : [])),
  );
  const signatures = new Map(base.map(({ unit, sheets }) => [keyOf(unit), signBase(sheets, identities)]));
  const passed = new Map<string, PyramidUnit>();
  for (const { unit } of former ? base : []) {
    const known = former!.unit(unit, signatures.get(keyOf(unit))!);
    if (known && !known.sharesWater && !read.has(keyOf(unit))) passed.set(keyOf(unit), known);
  }
  const sample = async (units: readonly BaseUnit[]): Promise<void> => {
    let done = base.length - units.length;
    context.progress('read', done, base.length);
    await runSideBySide(
      pool,
      units.map(({ unit, sheets }) => () => ({ kind: 'sample' as const, unit, sheets })),
      (answer) => {
        const unit = expectAnswer(answer, 'unit');
        checkpoint.append(unit);
        read.set(keyOf(unit.made.unit), unit);
        context.progress('read', ++done, base.length);
      },
    );
  };
  await sample(base.filter(({ unit }) => !read.has(keyOf(unit)) && !passed.has(keyOf(unit))));
  const ownLevels = levelsOfUnits(base.flatMap(({ unit }) => read.get(keyOf(unit)) ?? []));
  await levelWater(run, read, ownLevels);
  const unitOf = (key: string): PyramidUnit => {
    const known = passed.get(key);
    if (known) return known;
    const { made, warnings, water } = read.get(key)!;
    const own = ownLevels.get(key);
    const signature = own ? sign([signatures.get(key), own]) : signatures.get(key)!;
    return { ...made, signature, warnings, sharesWater: water.length > 0 };
  };
  return {
    units: base.map(({ unit }) => unitOf(keyOf(unit))),
    async read(keys) {
      const open = base.filter(({ unit }) => passed.has(keyOf(unit)) && keys.has(keyOf(unit)));
      if (open.length === 0) return [];
      await sample(open);
      for (const { unit } of open) passed.delete(keyOf(unit));
      return open.map(({ unit }) => unitOf(keyOf(unit)));
    },
  };
}

/** The levels of water that reaches beyond a unit, now that all of its heights are known; by the key of the unit. */
function levelsOfUnits(units: readonly SavedBase[]): Map<string, WaterLevel[]> {
  const levels = new Map(levelsOf(units.flatMap(({ water }) => water)).map((level) => [level[0], level]));
  return new Map(
    units.flatMap(({ made, water }) => {
      const own = water.flatMap(({ polygon }) => {
        const level = levels.get(polygon);
        return level === undefined ? [] : [level];
      });
      return own.length === 0 ? [] : [[keyOf(made.unit), own]];
    }),
  );
}

async function levelWater(
  { pool, checkpoint }: TerrainRun,
  read: Map<string, SavedBase>,
  levels: ReadonlyMap<string, readonly WaterLevel[]>,
): Promise<void> {
  const open = [...levels].flatMap(([key, own]) => {
    const saved = read.get(key)!;
    const { unit, range } = saved.made;
    if (range === undefined || saved.isLevel === true) return [];
    return [{ saved, task: { kind: 'flatten', unit, range, levels: own } as const }];
  });
  await runAll(
    pool,
    open.map(({ task }) => task),
    (answer, number) => {
      const levelled = { ...open[number]!.saved, made: expectAnswer(answer, 'unit').made, isLevel: true };
      checkpoint.append(levelled);
      read.set(keyOf(levelled.made.unit), levelled);
    },
  );
}
