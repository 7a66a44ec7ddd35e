import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { JobContext } from '../job-type.ts';
import type { MadeTiles } from '../kit/merge-tiles.ts';
import { runSideBySide } from '../kit/run-all.ts';
import { mergeWarnings, type CountedWarning } from '../kit/warning-counter.ts';
import { inArchiveOrder } from '../raster-source/archive-order.ts';
import { degreesOf } from '../raster-source/mercator-frame.ts';
import type { MosaicSheet } from '../raster-source/mosaic-sheet.ts';
import { reportThreads } from '../raster-source/reject-sheets.ts';
import { signAbove, signBase, type Signature } from '../raster-source/sign-units.ts';
import { keyOf, layersOf, unitOf, type ZoomLayer } from '../raster-source/zoom-layers.ts';
import type { ImageryCheckpoint } from './checkpoint.ts';
import type { ImageryPlan } from './plan-imagery.ts';
import type { ImageryPools } from './open-pools.ts';
import type { RootOfUnit, Task } from './tasks.ts';
import type { FormerUnits, SignedUnit } from './update.ts';

export interface UnitsRun {
  readonly plan: ImageryPlan;
  readonly sheets: readonly MosaicSheet[];
  readonly pools: ImageryPools;
  readonly checkpoint: ImageryCheckpoint;
  readonly context: JobContext;
  /** Of all sheets; undefined if the content of one is unknown. */
  readonly identities: readonly string[] | undefined;
  /** Those that an update copies from. */
  readonly former: FormerUnits | undefined;
}

export interface MadeImagery {
  readonly tiles: MadeTiles;
  /** In the order of the archive, from the base to the top. */
  readonly units: readonly SignedUnit[];
  /** Units that are as they were. */
  readonly copied: number;
  /** No pixel is shown. */
  readonly isEmpty: boolean;
}

interface SignedTask {
  readonly task: Task;
  readonly signature: Signature;
}

/** Makes the units of the base from the sheets, and the layers above it from the units below; or copies them. */
export async function makeUnits(run: UnitsRun): Promise<MadeImagery> {
  const { plan, sheets, pools, checkpoint, context, identities = [], former } = run;
  const { shape, base } = plan;
  const made = new Map(checkpoint.units.map((one) => [keyOf(one.unit), one]));
  let copied = 0;
  const work = async (tasks: readonly SignedTask[], phase: string): Promise<SignedUnit[]> => {
    let done = tasks.filter(({ task }) => made.has(keyOf(task.unit))).length;
    context.progress(phase, done, tasks.length);
    for (const { task, signature } of former ? tasks : []) {
      context.signal.throwIfAborted();
      if (made.has(keyOf(task.unit))) continue;
      const unit = await former!.copy(task.unit, signature);
      if (!unit) continue;
      made.set(keyOf(task.unit), unit);
      copied++;
      context.progress(phase, ++done, tasks.length);
    }
    const open = tasks.filter(({ task }) => !made.has(keyOf(task.unit)));
    if (open.length > 0)
      // units beside each other are made of the same blocks of sheets
      await runSideBySide(
        await pools.poolFor(open.length),
        open.map(
          ({ task }) =>
            () =>
              task,
        ),
        (unit) => {
          checkpoint.append(unit);
          made.set(keyOf(unit.unit), unit);
          context.progress(phase, ++done, tasks.length);
        },
      );
    return tasks.map(({ task, signature }) => ({ made: made.get(keyOf(task.unit))!, signature }));
  };
  const sampled = await work(
    base.map(({ unit, sheets }) => ({
      task: { kind: 'sample', unit, sheets },
      signature: signBase(sheets, identities),
    })),
    'read',
  );
  const warnings = mergeWarnings(sampled.flatMap(({ made }) => made.warnings));
  const boxed = sheets.map(({ name, box }) => ({ name, box: degreesOf(box) }));
  reportThreads(warnings.map(onceForAll), boxed, context);
  const units = [...sampled];
  let below = sampled;
  for (const layer of layersOf(shape).slice(1)) {
    below = await work(combineTasks(below, layer, plan), 'combine');
    units.push(...below);
  }
  // each zoom belongs to one layer, in which the units follow each other along the Hilbert curve
  return {
    tiles: { leaves: units.map((unit) => unit.made.tiles), tops: [] },
    units,
    copied,
    isEmpty: below.every((unit) => !unit.made.root),
  };
}

/** A sheet that several units cannot read is one sheet, which its message names. */
function onceForAll(warning: CountedWarning): CountedWarning {
  return { ...warning, times: 1, examples: warning.examples.slice(0, 1) };
}

function combineTasks(below: readonly SignedUnit[], layer: ZoomLayer, { shape }: ImageryPlan): SignedTask[] {
  const groups = new Map<string, { unit: BlockPlace; below: RootOfUnit[]; signed: SignedPlace[] }>();
  for (const { made, signature } of below) {
    const { unit, root } = made;
    if (root === undefined) continue;
    const parent: BlockPlace = unitOf({ z: unit.z - 1, x: unit.x >> 1, y: unit.y >> 1 }, layer);
    const group = groups.get(keyOf(parent)) ?? { unit: parent, below: [], signed: [] };
    groups.set(keyOf(parent), group);
    group.below.push({ unit, root });
    group.signed.push({ unit, signature });
  }
  const ordered = inArchiveOrder([...groups.values()], shape.grid, ({ unit }) => unit);
  return ordered.map(({ unit, below: parts, signed }) => ({
    task: { kind: 'combine', unit, below: parts },
    signature: signAbove(signed),
  }));
}

interface SignedPlace {
  readonly unit: BlockPlace;
  readonly signature: Signature;
}
