import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { JobFailure, type JobContext, type JobInput, type RunJob } from '../job-type.ts';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import { logResume } from '../kit/checkpoint.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { findColours, type FoundColours } from '../raster-source/find-colours.ts';
import { findMosaicSheets, imageEndings } from '../raster-source/find-sheets.ts';
import { createKnownSheets, type KnownSheets } from '../raster-source/known-sheets.ts';
import { openSheetReader } from '../raster-source/read-sheets.ts';
import type { SheetRecord } from '../raster-source/sheet-records.ts';
import { identifySheets } from '../raster-source/sign-units.ts';
import { unpackInputs } from '../raster-source/unpack-inputs.ts';
import { openImageryCheckpoint } from './checkpoint.ts';
import { makeUnits } from './make-units.ts';
import { depthOf, planImageryMemory, type ImageryMemory } from './memory.ts';
import { openPools } from './open-pools.ts';
import { planImagery } from './plan-imagery.ts';
import { readSettings, type Settings } from './settings.ts';
import type { tilesImagery } from './spec.ts';
import type { Setup } from './tasks.ts';
import { openFormerUnits, readFormer, writeManifest } from './update.ts';
import { writeOutput } from './write-output.ts';

/** Makes one pyramid of image tiles from one or many sheets. */
export const runTilesImagery: RunJob<typeof tilesImagery> = async (options, context) => {
  const settings = readSettings(options);
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const watch = createStopwatch(context);
  const folder = join(context.scratchFolder, 'imagery');
  const checkpoint = openImageryCheckpoint(folder, options, context);
  logResume(checkpoint, checkpoint.units.length, context);
  const memory = planImageryMemory(
    memoryBudget(settings.memoryMegabytes, context.limits),
    settings.workers ?? availableParallelism(),
  );
  const unpacked = { sheets: imageEndings, folder: join(folder, 'unpacked') };
  const inputs = await unpackInputs(context.inputs, unpacked, context);
  const former = readFormer(context);
  const known = createKnownSheets(former?.manifest.known);
  const { sheets, legend } = await findSheets(inputs, { settings, memory, known, context });
  const maxDepth = depthOf(memory, sheets);
  const depth = checkpoint.get('depth') ?? Math.min(maxDepth, former?.depth ?? maxDepth);
  checkpoint.save('depth', depth);
  const plan = planImagery(sheets, { depth, settings, context });
  const { shape, maxZoom, base } = plan;
  watch.lap('plan', { sheets: sheets.length, units: base.length, baseZoom: shape.baseZoom });
  const { attempt } = checkpoint;
  const identities = identifySheets(sheets, inputs);
  const records = identities?.map((identity, i): SheetRecord => [sheets[i]!.name, identity]);
  const formerUnits =
    former && records
      ? await openFormerUnits(former, { shape, sheets: records, folder, attempt, context })
      : undefined;
  const setup: Omit<Setup, 'worker'> = { settings, sheets, shape, maxZoom, folder, attempt, memory };
  const pools = openPools(setup, context);
  try {
    const run = { plan, sheets, pools, checkpoint, context, identities, former: formerUnits };
    const { tiles, units, copied, isEmpty } = await makeUnits(run);
    if (isEmpty)
      throw new JobFailure(
        'nothingUsable',
        `No sheet has a single pixel to show: all of ${sheets[0]!.name}${sheets.length > 1 ? ' and the others' : ''} are transparent or no data. Check the options mask, and what the files declare as no data.`,
      );
    watch.lap('read', { units: base.length, resumed: checkpoint.units.length, copied });
    await pools.close();
    const result = await writeOutput({ settings, plan, tiles, sheetCount: sheets.length, legend }, context);
    watch.lap('write', {});
    // a folder of tiles is made as a whole
    if (!records || settings.container === 'folder') return result;
    const madeOf = { shape, sheets: records, known: [...known.records], units };
    return { ...result, manifest: writeManifest(madeOf, context.outputFolder) };
  } finally {
    await pools.close();
    await formerUnits?.close();
    if (context.keepsScratch !== true) rmSync(folder, { recursive: true, force: true });
  }
};

/** All sheets, and how their numbers become colours. */
async function findSheets(
  inputs: readonly JobInput[],
  {
    settings,
    memory: { sheetBytes },
    known,
    context,
  }: {
    readonly settings: Settings;
    readonly memory: ImageryMemory;
    readonly known: KnownSheets;
    readonly context: JobContext;
  },
): Promise<FoundColours> {
  const { strict, bands, mask } = settings;
  const found = await findMosaicSheets(inputs, { strict, bands, mask, sheetBytes, known }, context);
  const reader = openSheetReader(found, await requireImageCodec(), sheetBytes);
  try {
    return await findColours(found, reader, { settings, context });
  } finally {
    await reader.close();
  }
}
