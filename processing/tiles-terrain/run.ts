import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { JobFailure, type JobContext, type JobResult, type RunJob } from '../job-type.ts';
import { withoutGeoid } from '../heights/open-heights.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { emitWarnings, mergeWarnings } from '../kit/warning-counter.ts';
import { createWorkerPool, type WorkerPool } from '../kit/worker-pool.ts';
import { buildPyramid } from './build-pyramid.ts';
import { openTerrainCheckpoint, type TerrainCheckpoint } from './checkpoint.ts';
import { planTerrainMemory } from './memory.ts';
import { makeTiles } from './make-tiles.ts';
import { unpackInputs } from '../raster-source/unpack-inputs.ts';
import { planSheets } from './plan-sheets.ts';
import { heightEndings } from './sheets/open-sheet.ts';
import { highestZoomOf, planTerrainUnits, shapeOf } from './pyramid-shape.ts';
import { createTileCollector } from './pyramid/tile-set.ts';
import { blocksOfUnit, layerOfZoom, layersOf } from '../raster-source/zoom-layers.ts';
import { readSettings } from './settings.ts';
import type { tilesTerrain } from './spec.ts';
import type { Answer, Setup, Task } from './tasks.ts';
import { maxFolderFiles } from '../kit/folder-sink.ts';
import { divideInputs, readWater } from './water/read-water.ts';
import { metadataPlan } from './output/metadata-plan.ts';
import { writeOutput } from './output/write-output.ts';

/** Reads sheets of heights into a pyramid of cells, makes tiles of it, and puts the archive together. */
export const runTilesTerrain: RunJob<typeof tilesTerrain> = async (options, context) => {
  const settings = readSettings(options);
  const heights = options.heights ?? {};
  const { heights: given, water: waterInputs } = divideInputs(withoutGeoid(context.inputs, heights));
  if (given.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const folder = join(context.scratchFolder, 'terrain');
  const checkpoint = openTerrainCheckpoint(folder, options, context);
  const { attempt } = checkpoint;
  const scratchPathOf = (number: number): string => join(folder, `sheet-${attempt}-${number}`);
  const watch = createStopwatch(context);
  const unpacked = { sheets: heightEndings, folder: join(folder, 'unpacked') };
  const inputs = await unpackInputs(given, unpacked, context);
  const plan = { strict: settings.strict, heights, scratchPathOf };
  const planned = await planSheets(inputs, plan, context);
  const shape = shapeOf(settings.kind, planned.sheets, settings.maxZoom);
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
  };
  const pool = createWorkerPool<Task, Answer, never>({
    program: new URL('worker.ts', import.meta.url),
    size: memory.workers,
    setup,
    signal: context.signal,
    onReport: () => {},
  });
  try {
    return await makeTerrain({ setup, planned, base, pool, checkpoint, context });
  } finally {
    await pool.close();
    if (context.keepsScratch !== true) rmSync(folder, { recursive: true, force: true });
  }
};

interface TerrainRun {
  readonly setup: Omit<Setup, 'worker'>;
  readonly planned: Awaited<ReturnType<typeof planSheets>>;
  readonly base: ReturnType<typeof planTerrainUnits>;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: TerrainCheckpoint;
  readonly context: JobContext;
}

async function makeTerrain(run: TerrainRun): Promise<JobResult> {
  const { setup, planned, base, pool, checkpoint, context } = run;
  const { shape, settings } = setup;
  const watch = createStopwatch(context);
  const common = { shape, pool, checkpoint, context };
  const pyramid = await buildPyramid(common, base);
  emitWarnings(mergeWarnings(pyramid.warnings), context.warn);
  watch.lap('read', { units: base.length, resumed: checkpoint.units.length });
  const collector = createTileCollector(shape.grid);
  const layers = layersOf(shape);
  for (const { unit, hasData } of pyramid.units.values()) {
    let index = 0;
    for (const place of blocksOfUnit(unit, layerOfZoom(layers, unit.z)))
      if (hasData[index++] === 1) collector.add(place);
  }
  const maxZoom = highestZoomOf(setup);
  const isMesh = settings.kind === 'quantizedMesh';
  const tileSet = collector.finish({ margin: isMesh, maxZoom, withRoots: isMesh });
  if (pyramid.units.size === 0)
    throw new JobFailure('nothingUsable', 'No sheet has a single height: all of their cells are no data.');
  if (settings.format === 'folder' && tileSet.count > maxFolderFiles)
    throw new JobFailure(
      'tooLarge',
      `A folder would have ${tileSet.count} tiles, but at most ${maxFolderFiles} are allowed. Use output.format pmtiles, or a lower mesh.maxZoom.`,
    );
  const availability = metadataPlan(tileSet, maxZoom);
  const made = await makeTiles({
    ...common,
    pyramid,
    tileSet,
    metadataOf: isMesh ? availability.metadataOf : () => undefined,
  });
  watch.lap('make', { tiles: tileSet.count });
  await pool.close();
  if (settings.kind === 'contours' && made.lines.size === 0)
    throw new JobFailure(
      'nothingUsable',
      `There is no contour line: all heights lie between two of them. Use an output.interval of less than ${settings.interval} m.`,
    );
  const result = await writeOutput(
    {
      settings,
      shape,
      pyramid,
      planned,
      ...made,
      maxZoom,
      hasWater: setup.water !== undefined,
      available: availability.available,
    },
    context,
  );
  watch.lap('write', { tiles: tileSet.count });
  return result;
}
