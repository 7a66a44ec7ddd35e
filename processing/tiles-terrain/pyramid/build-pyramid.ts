import { expectAnswer } from '../../kit/expect-answer.ts';
import { runAll } from '../../kit/run-all.ts';
import type { CountedWarning } from '../../kit/warning-counter.ts';
import { inArchiveOrder } from '../../raster-source/archive-order.ts';
import type { BaseUnit } from '../../raster-source/plan-units.ts';
import { signAbove } from '../../raster-source/sign-units.ts';
import { keyOf, layersOf, unitOf, type ZoomLayer } from '../../raster-source/zoom-layers.ts';
import { hasData, type PyramidUnit } from './pyramid-unit.ts';
import type { TerrainRun } from '../terrain-run.ts';
import { readBase } from './read-base.ts';
import type { Task } from '../tasks.ts';

export interface Pyramid {
  /** Units with data, by the key of their place. */
  readonly units: ReadonlyMap<string, PyramidUnit>;
  /** With those without data, from the base to the top. */
  readonly all: readonly PyramidUnit[];
  /** In the order of the units. */
  readonly warnings: readonly CountedWarning[];
  /** How many are as they were. */
  readonly kept: number;
  /** Reads those of the base whose cells are needed, though they are as they were. */
  read(keys: ReadonlySet<string>): Promise<void>;
}

/** Reads all sheets into the base, and makes the layers above it from the roots of the units below. */
export async function buildPyramid(run: TerrainRun, base: readonly BaseUnit[]): Promise<Pyramid> {
  const read = await readBase(run, base);
  const all = [...read.units];
  let below = read.units;
  let kept = below.filter((unit) => hasData(unit) && unit.range === undefined).length;
  for (const layer of layersOf(run.shape).slice(1)) {
    const made = await combineLayer(run, below, layer);
    kept += made.kept;
    below = made.units;
    all.push(...below);
  }
  const units = new Map(all.flatMap((unit) => (hasData(unit) ? [[keyOf(unit.unit), unit]] : [])));
  return {
    units,
    all,
    warnings: read.units.flatMap(({ warnings }) => warnings),
    kept,
    async read(keys) {
      for (const unit of await read.read(keys)) units.set(keyOf(unit.unit), unit);
    },
  };
}

type CombineTask = Extract<Task, { kind: 'combine' }>;

interface Group {
  readonly unit: PyramidUnit['unit'];
  readonly below: PyramidUnit[];
}

/** Makes a layer, or takes its units from the former run. */
async function combineLayer(
  { shape, pool, checkpoint, context, former }: TerrainRun,
  below: readonly PyramidUnit[],
  layer: ZoomLayer,
): Promise<{ readonly units: PyramidUnit[]; readonly kept: number }> {
  const made = new Map<string, PyramidUnit>();
  const groups = groupsOf(below, layer);
  const signed = inArchiveOrder(groups, shape.grid, ({ unit }) => unit).map((group) => ({
    group,
    signature: signAbove(group.below),
  }));
  const saved = new Map(
    checkpoint.units.flatMap((one) =>
      one.kind === 'unit' ? [[keyOf(one.made.unit), one.made] as const] : [],
    ),
  );
  const common = { warnings: [], sharesWater: false };
  let kept = 0;
  for (const { group, signature } of signed) {
    const key = keyOf(group.unit);
    const known = saved.get(key);
    const same = known ? undefined : former?.unit(group.unit, signature);
    if (known) made.set(key, { ...known, ...common, signature });
    if (!same) continue;
    made.set(key, same);
    kept++;
  }
  const open = signed.filter(({ group }) => !made.has(keyOf(group.unit)));
  context.progress('combine', made.size, signed.length);
  await runAll(
    pool,
    open.map(({ group }) => taskOf(group, former)),
    (answer, number) => {
      const unit = expectAnswer(answer, 'unit');
      checkpoint.append(unit);
      made.set(keyOf(unit.made.unit), { ...unit.made, ...common, signature: open[number]!.signature });
      context.progress('combine', made.size, signed.length);
    },
  );
  return { units: signed.map(({ group }) => made.get(keyOf(group.unit))!), kept };
}

function groupsOf(below: readonly PyramidUnit[], layer: ZoomLayer): Group[] {
  const groups = new Map<string, Group>();
  for (const one of below) {
    if (!hasData(one)) continue;
    const { z, x, y } = one.unit;
    const unit = unitOf({ z: z - 1, x: x >> 1, y: y >> 1 }, layer);
    const group = groups.get(keyOf(unit)) ?? { unit, below: [] };
    groups.set(keyOf(unit), group);
    group.below.push(one);
  }
  return [...groups.values()];
}

/** Of units that have not been read, the former run has the means. */
function taskOf({ unit, below }: Group, former: TerrainRun['former']): CombineTask {
  const ranges = below.flatMap((one) => (one.range ? [[keyOf(one.unit), one.range] as const] : []));
  const unread = below.filter(({ range }) => range === undefined).map((one) => keyOf(one.unit));
  const range = former?.rangeOf(unit);
  const kept = range && unread.length > 0 ? { range, below: unread } : undefined;
  return { kind: 'combine', unit, below: ranges, kept };
}
