import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { placedLabels } from '@platen/contract/placed-labels';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { worldBits } from '@platen/geo/tile/world-grid';
import { compileModel } from '../features/compile-model.ts';
import { JobFailure, type JobContext, type JobResult, type RunJob } from '../job-type.ts';
import { collectGarbageAbove } from '../kit/collect-garbage.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import { metadataOf, type TilesetSummary } from '../tile-style/archive-metadata.ts';
import { describeArchive } from '../tile-style/describe-archive.ts';
import { thumbnailPathOf } from '../tile-style/thumbnail-path.ts';
import { createInlinePool } from '../kit/inline-pool.ts';
import { createWorkerPool, type WorkerPool } from '../kit/worker-pool.ts';
import { degreesOf } from './bounds.ts';
import { openTilingCheckpoint, type TilingCheckpoint } from './checkpoint.ts';
import { cutAll } from './cut-phase.ts';
import { guessZoom } from './density.ts';
import { checkReadResults } from '../features/check-read-results.ts';
import { layerNameOf } from '../features/layer-name.ts';
import { placeLabels } from './labels/place-labels.ts';
import { phaseCollectionShare, planTilingMemory, type TilingMemory } from './memory.ts';
import { makePlan } from './plan.ts';
import { readAll, type Reading } from './read-phase.ts';
import { emitRejects } from '../kit/reject-log.ts';
import { spillSegments } from './segments.ts';
import { readSettings, type Settings } from './settings.ts';
import { removeSegments, sortAll, type SortedRecords } from './sort-phase.ts';
import type { tilesVector } from './spec.ts';
import type { Answer, CutSetup, ReadReport, Setup, Task } from './tasks.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { createTilingWorker } from './tiling-worker.ts';
import { archiveName, writeTileArchive } from '../kit/write-tile-archive.ts';
import { tilesVectorType } from './type.ts';
import { createWarningCounter, emitWarnings } from '../kit/warning-counter.ts';
import { copyTileArchive } from '../kit/copy-tile-archive.ts';

/** Reads features into records, sorts them by place, cuts them into tiles, and puts the archive together. */
export const runTilesVector: RunJob<typeof tilesVector> = async (options, context) => {
  const { signal } = context;
  const settings = readSettings(options);
  checkSettings(settings, context);
  await compileModel(settings.model, context); // fails early if the model is invalid
  const budgetBytes = memoryBudget(settings.memoryMegabytes, context.limits);
  const memory = planTilingMemory(budgetBytes, settings.workers ?? availableParallelism());
  const scratchFolder = join(context.scratchFolder, 'tiles');
  const checkpoint = openTilingCheckpoint(scratchFolder, options, context);
  const read = { done: 0, total: 0 };
  const setup: Omit<Setup, 'worker'> = {
    settings,
    folder: scratchFolder,
    attempt: checkpoint.attempt,
    wordsInMemory: new SharedArrayBuffer(4),
    memory,
  };
  const onReport = ({ bytes }: ReadReport) => {
    read.done += bytes;
    context.progress('read', Math.min(read.done, read.total), read.total);
  };
  const pool = isSmall(settings, context)
    ? createInlinePool({ ...createTilingWorker({ ...setup, worker: 0 }, onReport), signal })
    : createWorkerPool<Task, Answer, ReadReport>({
        program: new URL('worker.ts', import.meta.url),
        size: memory.workers,
        setup,
        signal,
        onReport,
      });
  const run = { settings, memory, pool, checkpoint, context: { ...context, scratchFolder } };
  try {
    return await makeTileset(run, (total) => Object.assign(read, { done: 0, total }));
  } finally {
    await pool.close();
    if (context.keepsScratch !== true) rmSync(scratchFolder, { recursive: true, force: true });
  }
};

/** A thread takes longer to start than to tile so few bytes. */
const maxInlineBytes = 256 * 1024;

/** Whether the job needs no threads, unless its options ask for several. */
function isSmall({ workers = 1 }: Settings, { inputs }: JobContext): boolean {
  return workers === 1 && inputs.reduce((sum, { size }) => sum + size, 0) <= maxInlineBytes;
}

interface TilingRun {
  readonly settings: Settings;
  readonly context: JobContext;
  readonly memory: TilingMemory;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: TilingCheckpoint;
}

async function makeTileset(run: TilingRun, onBegin: (bytes: number) => void): Promise<JobResult> {
  const { settings, context, pool, checkpoint } = run;
  const { minZoom } = settings;
  const watch = createStopwatch(context);
  if (checkpoint.attempt > 0) context.log('info', resumeMessage(checkpoint));
  const saved = { reading: checkpoint.get('reading'), sorted: checkpoint.get('sorted') };
  const reading = saved.reading ?? (await read(run, onBegin));
  const { counts, bounds, layers, isSpilled } = reading;
  if (saved.reading !== undefined) {
    emitWarnings(checkpoint.get('warnings') ?? [], context.warn);
    emitRejects(reading.rejects, context.reject);
  }
  watch.lap('read', { ...counts, isSpilled, resumed: saved.reading !== undefined });

  const sorted = saved.sorted ?? (await sort(run, reading));
  const { maxZoom, plan } = sorted.cut;
  watch.lap('sort', { maxZoom, leaves: plan.leaves.length, resumed: saved.sorted !== undefined });

  await pool.prepare({ kind: 'prepareToCut', cut: sorted.cut });
  const tiles = await cutAll(pool, context, sorted, checkpoint);
  watch.lap('cut', { units: sorted.cutTasks.length, resumed: checkpoint.units.length });
  await pool.close();

  const bbox = degreesOf(bounds);
  const center = [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2, minZoom] as const;
  const name = settings.name ?? layerNameOf(context.inputs[0]!.name);
  const summary: TilesetSummary = { name, minZoom, maxZoom, bounds: bbox, center };
  const info = { metadata: metadataOf(layers, summary, settings), minZoom, maxZoom, bounds: bbox, center };
  const encoding = { tileType: tileType.mvt, tileCompression: compression.gzip };
  const header = await writeTileArchive(tiles, { ...info, ...encoding }, context);
  const path = await copyTileArchive(settings.format, info, context);
  const thumbnail = thumbnailPathOf(
    join(context.outputFolder, path),
    path === archiveName ? 'file' : 'folder',
  );
  const archive = join(context.outputFolder, archiveName);
  const described = {
    name,
    minZoom,
    maxZoom,
    bounds: bbox,
    layers: [...layers.values()],
    labels: settings.labels,
    ...attributionOf(settings),
  };
  const properties = await describeArchive({ archive, thumbnail }, described);
  if (path !== archiveName) rmSync(archive); // the folder contains all of it
  watch.lap('write', { tiles: header.addressedTiles, bytes: header.dataLength });
  return {
    datasource: {
      type: tilesVectorType.datasourceType,
      path,
      bbox,
      typeProperties: { minZoom, maxZoom },
      properties: { ...properties, tileCount: header.addressedTiles },
    },
  };
}

function resumeMessage(checkpoint: TilingCheckpoint): string {
  const sorted = checkpoint.get('sorted');
  if (sorted) {
    const units = `${checkpoint.units.length} of ${sorted.cutTasks.length} units`;
    return `Resuming an earlier attempt: all inputs were read and sorted, ${units} were cut.`;
  }
  if (checkpoint.get('reading')) return 'Resuming an earlier attempt: all inputs were read.';
  return 'Starting over: an earlier attempt had not read all inputs, or kept what it read in memory.';
}

function attributionOf({ attribution }: Settings): { attribution?: string } {
  return attribution === undefined ? {} : { attribution };
}

async function read(
  { settings, context, memory: { partBytes }, pool, checkpoint }: TilingRun,
  onBegin: (bytes: number) => void,
): Promise<Reading> {
  const warnings = createWarningCounter();
  const warn: JobContext['warn'] = (...warning) => {
    warnings.warn(...warning);
    context.warn(...warning);
  };
  const all = await readAll(
    pool,
    { ...context, warn },
    {
      partBytes,
      model: settings.model,
      onBegin,
    },
  );
  emitRejects(all.rejects, context.reject);
  const rejects = all.rejects.flatMap(({ counts }) => counts);
  checkReadResults({ ...all.counts, rejects, hint: all.hint }, context, settings.strict);
  const spilled = spillSegments(all.segments, join(context.scratchFolder, `features-${checkpoint.attempt}`));
  const isSpilled = spilled.some(({ range }) => range !== undefined);
  const reading = { ...all, segments: spilled, isSpilled };
  if (isSpilled) {
    checkpoint.save('warnings', warnings.take());
    checkpoint.save('reading', reading);
  }
  return reading;
}

async function sort(run: TilingRun, reading: Reading): Promise<SortedRecords> {
  const { settings, context, memory, pool, checkpoint } = run;
  const { detail, pointCells, segments, isSpilled } = reading;
  const guess = (): number => Math.max(settings.minZoom, guessZoom(detail, pointCells, settings.extent));
  const cut = cutSetupOf(run, reading, withLabels(run, reading, settings.maxZoom ?? guess()));
  await pool.prepare({ kind: 'prepareToDivide', cut });
  collectGarbageAbove(memory.budgetBytes * phaseCollectionShare);
  const sorted = await sortAll(pool, context, reading, cut);
  if (isSpilled) {
    checkpoint.save('sorted', sorted);
    checkpoint.save('reading', { ...reading, segments: [] });
    removeSegments(segments);
  }
  return sorted;
}

/** Places labels, if there are any. @returns the highest zoom of the tiles */
function withLabels({ settings, memory }: TilingRun, reading: Reading, maxZoom: number): number {
  const { labels, minZoom } = settings;
  if (labels === undefined) return maxZoom;
  const { budgetBytes } = memory;
  const mayRaise = settings.maxZoom === undefined;
  return placeLabels(reading, { labels, minZoom, maxZoom, mayRaise, budgetBytes });
}

/** Small units keep all threads busy until the end; even smaller ones cost more than they gain. */
const unitsPerWorker = 12;
const minUnitWords = 1 << 17;

function cutSetupOf({ settings, memory }: TilingRun, reading: Reading, maxZoom: number): CutSetup {
  const { minZoom, extent, buffer, simplification } = settings;
  const { weights, layers, keys, segments } = reading;
  const { workers, maxWordsPerUnit, maxBytesPerTile } = memory;
  const cluster = settings.cluster && {
    ...settings.cluster,
    maxZoom: settings.cluster.maxZoom ?? maxZoom - 1,
  };
  const words = segments.reduce((sum, segment) => sum + segment.words, 0);
  const leafWords = Math.min(maxWordsPerUnit, Math.max(minUnitWords, words / workers / unitsPerWorker));
  return {
    plan: makePlan({ cells: weights, words, minZoom, maxZoom, leafWords }),
    maxZoom,
    maxWords: maxWordsPerUnit,
    encoder: {
      extent,
      buffer,
      maxZoom,
      dustLength: settings.dust ? Math.max(1, simplification) : 0,
      dustArea: settings.dust ? 16 : 0,
      repair: settings.repair,
      layers: [...layers.keys()].map((name) => ({ name, cluster })),
      keys,
      zoomKey: settings.labels && keys.indexOf(placedLabels.zoom),
      limitBytes: settings.tileLimitBytes,
      limitFeatures: settings.tileLimitFeatures,
      whenTooLarge: settings.whenTooLarge,
      maxTileBytes: maxBytesPerTile,
    },
  };
}

function checkSettings({ minZoom, maxZoom, extent }: Settings, { inputs }: JobContext): void {
  if (inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  if (maxZoom !== undefined && maxZoom < minZoom) {
    throw new JobFailure('zoomRange', `tiling.maxZoom (${maxZoom}) is below tiling.minZoom (${minZoom}).`);
  }
  if (minZoom > worldBits - Math.log2(extent))
    throw new JobFailure('zoomRange', 'tiling.minZoom is too high.');
}
