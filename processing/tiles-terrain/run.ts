import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { withoutGeoid } from '../heights/open-heights.ts';
import { JobFailure, type JobContext, type JobInput, type RunJob } from '../job-type.ts';
import { logResume } from '../kit/checkpoint.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { createInlinePool } from '../kit/inline-pool.ts';
import { takeTurn } from '../kit/take-turn.ts';
import { createWorkerPool, type WorkerPool } from '../kit/worker-pool.ts';
import { unpackInputs } from '../raster-source/unpack-inputs.ts';
import { divideTerrain, findTerrain, type FoundTerrain } from '../terrain-source/find-terrain.ts';
import { openTerrainCheckpoint } from './checkpoint.ts';
import { identifySources } from './identify-sources.ts';
import { makeTerrain } from './make-terrain.ts';
import { planTerrainMemory } from './memory.ts';
import { planSheets } from './plan-sheets.ts';
import { planTerrainUnits, shapeOf } from './pyramid/pyramid-shape.ts';
import { reachOfSheet } from './pyramid/touched-blocks.ts';
import { makesLineFile, readSettings, type Settings } from './settings.ts';
import { heightEndings } from './sheets/open-sheet.ts';
import type { tilesTerrain } from './spec.ts';
import type { Answer, Setup, Task } from './tasks.ts';
import { createTerrainWorker } from './terrain-worker.ts';
import { openFormerTerrain, writeTerrainManifest } from './update.ts';
import { divideInputs, readWater } from './water/read-water.ts';

/** Reads sheets of heights into a pyramid of cells, makes tiles of it, and puts the archive together. */
export const runTilesTerrain: RunJob<typeof tilesTerrain> = async (options, context) => {
  const heights = options.heights ?? {};
  const { terrain: baseInput, others: data } = await divideTerrain(withoutGeoid(context.inputs, heights));
  const settings = readSettings(options, baseInput !== undefined);
  if (makesLineFile(settings) && settings.kind !== 'contours')
    throw new JobFailure(
      'invalidOption',
      `/output/format: only contours can be ${settings.format}. Choose them as /output/kind, or pmtiles as the format.`,
    );
  const { heights: given, water: waterInputs } = divideInputs(data);
  if (given.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const folder = join(context.scratchFolder, 'terrain');
  const checkpoint = openTerrainCheckpoint(folder, options, context);
  logResume(checkpoint, checkpoint.units.length, context);
  const { attempt } = checkpoint;
  const scratchPathOf = (number: number): string => join(folder, `sheet-${attempt}-${number}`);
  const watch = createStopwatch(context);
  const unpacked = { sheets: heightEndings, folder: join(folder, 'unpacked') };
  const inputs = await unpackInputs(given, unpacked, context);
  const plan = { strict: settings.strict, heights, scratchPathOf };
  const planned = await planSheets(inputs, plan, context);
  const shape = shapeOf(settings, planned.sheets);
  const base = planTerrainUnits(shape, planned.sheets);
  const memory = planTerrainMemory(
    memoryBudget(settings.memoryMegabytes, context.limits),
    Math.min(settings.workers ?? availableParallelism(), Math.max(1, base.length)),
    shape.grid.side,
  );
  watch.lap('plan', { sheets: planned.sheets.length, units: base.length, baseZoom: shape.baseZoom });
  const usesWater = waterInputs.length > 0 && settings.kind === 'quantizedMesh' && settings.waterMask;
  const waterOptions = { path: join(folder, `water-${attempt}`), budgetBytes: memory.budgetBytes };
  const water = usesWater ? await readWater(waterInputs, waterOptions, context) : undefined;
  const found = baseInput && (await readTerrainSource(baseInput, settings.kind, context));
  const setup: Omit<Setup, 'worker'> = {
    settings,
    heights,
    shape,
    folder,
    attempt,
    memory,
    sheets: planned.sheets,
    inputs: context.inputs,
    geoidFolder: context.geoidFolder,
    water,
    base: found?.source,
  };
  const pool = openPool(setup, base.length, context);
  const isGiven = new Set(given.map(({ path }) => path));
  const others = context.inputs.filter(({ path }) => !isGiven.has(path));
  const { geoidFolder } = context;
  const { common, records } = identifySources(planned, { inputs, others, options, geoidFolder });
  const boxes = planned.sheets.map(reachOfSheet);
  const former =
    records && (await openFormerTerrain({ shape, sheets: records, boxes, common, folder, attempt, context }));
  const identities = records?.map(([, identity]) => identity);
  const run = { shape, pool, checkpoint, context, identities, former };
  try {
    const { made, pyramid, result } = await makeTerrain(run, { setup, planned, base, found });
    if (!records || !made.signatures || settings.format !== 'pmtiles') return result;
    const madeOf = { shape, sheets: records, boxes, common, units: pyramid.all, tiles: made.signatures };
    return { ...result, manifest: writeTerrainManifest(madeOf, context.outputFolder) };
  } finally {
    await pool.close();
    await former?.close();
    if (context.keepsScratch !== true) rmSync(folder, { recursive: true, force: true });
  }
};

/** A thread takes longer to start than to read so many units. */
const maxInlineUnits = 4;

/** Threads, or none for little data, unless the options ask for several. @param units of the base */
function openPool(
  setup: Omit<Setup, 'worker'>,
  units: number,
  { signal }: JobContext,
): WorkerPool<Task, Answer> {
  const { settings, memory, base } = setup;
  if ((settings.workers ?? 1) === 1 && units <= maxInlineUnits && !base)
    return createInlinePool({
      ...createTerrainWorker({ ...setup, worker: 0 }, () => takeTurn(signal)),
      signal,
    });
  return createWorkerPool<Task, Answer, never>({
    program: new URL('worker.ts', import.meta.url),
    size: memory.workers,
    setup,
    signal,
    onReport: () => {},
  });
}

/** Undefined for kinds of output whose heights are as given, not above the ellipsoid as those of terrain are. */
async function readTerrainSource(
  input: JobInput,
  kind: Settings['kind'],
  { log }: JobContext,
): Promise<FoundTerrain | undefined> {
  if (kind === 'quantizedMesh') return findTerrain(input);
  log('warning', `${input.name} is not used: only quantizedMesh can have terrain as its base.`);
  return undefined;
}
