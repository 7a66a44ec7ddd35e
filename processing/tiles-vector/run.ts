import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { worldBits } from '@platen/geo/tile/world-grid';
import { JobFailure, type JobContext, type JobResult, type RunJob } from '../job-type.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { createWorkerPool, type WorkerPool } from '../worker-pool.ts';
import { degreesOf } from './bounds.ts';
import { openCheckpoint, type Checkpoint } from './checkpoint.ts';
import { cutAll, removeSegments, sortAll, type Sorted } from './cut-phase.ts';
import { guessZoom } from './density.ts';
import type { IngestCounts } from './ingest.ts';
import { layerNameOf } from './layers.ts';
import { planMemory, type MemoryPlan } from './memory.ts';
import { metadataOf, vectorLayersOf, type TilesetSummary } from './metadata.ts';
import { makePlan } from './plan.ts';
import { readAll, type Reading } from './read-phase.ts';
import { settleSegments } from './segments.ts';
import { readSettings, warnOfUnknownOptions, type Settings, type TilesVectorOptions } from './settings.ts';
import { tilesVector } from './spec.ts';
import type { Answer, CutSetup, Note, Setup, Task } from './tasks.ts';
import { createStopwatch } from './stopwatch.ts';
import { archiveName, writeArchive } from './write-archive.ts';

/** Reads features into records, sorts them by place, cuts them into tiles, and puts the archive together. */
export const runTilesVector: RunJob<typeof tilesVector> = async (options, context) => {
  const { warn, signal } = context;
  warnOfUnknownOptions(options, (...warning) => warn(...warning));
  const settings = readSettings(options);
  refuseImpossible(settings, context);
  const memory = planMemory(settings.memoryBytes, availableParallelism());
  const scratchFolder = join(context.scratchFolder, 'tiles');
  const checkpoint = openCheckpoint(scratchFolder, identityOf(options, context));
  const read = { done: 0, total: 0 };
  const setup: Omit<Setup, 'worker'> = {
    settings,
    folder: scratchFolder,
    attempt: checkpoint.attempt,
    wordsInMemory: new SharedArrayBuffer(4),
    mostInMemory: memory.mostInMemory,
  };
  const pool = createWorkerPool<Task, Answer, Note>({
    program: new URL('worker.ts', import.meta.url),
    size: memory.workers,
    setup,
    signal,
    onNote({ bytes }) {
      read.done += bytes;
      context.progress('read', Math.min(read.done, read.total), read.total);
    },
  });
  const making = { settings, memory, pool, checkpoint, context: { ...context, scratchFolder } };
  try {
    return await makeTileset(making, (total) => Object.assign(read, { done: 0, total }));
  } finally {
    await pool.close();
    rmSync(scratchFolder, { recursive: true, force: true });
  }
};

interface Making {
  readonly settings: Settings;
  readonly context: JobContext;
  readonly memory: MemoryPlan;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: Checkpoint;
}

async function makeTileset(making: Making, onBegin: (bytes: number) => void): Promise<JobResult> {
  const { settings, context, pool, checkpoint } = making;
  const { minZoom } = settings;
  const watch = createStopwatch(context);
  const reading = checkpoint.reading ?? (await read(making, onBegin));
  const { counts, bounds, layers, isSpilled } = reading;
  watch.lap('read', { ...counts, isSpilled, resumed: checkpoint.reading !== undefined });

  const sorted = checkpoint.sorted ?? (await sort(making, reading));
  const { maxZoom, plan } = sorted.cut;
  watch.lap('sort', { maxZoom, leaves: plan.leaves.length, resumed: checkpoint.sorted !== undefined });

  await pool.runOnEach({ kind: 'prepare', cut: sorted.cut });
  const tiles = await cutAll(pool, context, sorted, checkpoint);
  watch.lap('cut', { units: sorted.works.length, resumed: checkpoint.made.size });
  await pool.close();

  const bbox = degreesOf(bounds);
  const center = [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2, minZoom] as const;
  const name = settings.name ?? layerNameOf(context.inputs[0]!.name);
  const summary: TilesetSummary = { name, minZoom, maxZoom, bounds: bbox, center };
  const metadata = metadataOf(layers, summary, settings);
  const header = await writeArchive(tiles, { metadata, minZoom, maxZoom, bounds: bbox, center }, context);
  watch.lap('write', { tiles: header.addressedTiles, bytes: header.dataLength });
  const vectorLayers = vectorLayersOf(layers, minZoom, maxZoom);
  return {
    datasource: {
      type: tilesVector.datasourceType,
      path: archiveName,
      bbox,
      typeProperties: { minZoom, maxZoom },
      properties: { featureCount: counts.used, tileCount: header.addressedTiles, vectorLayers },
    },
  };
}

async function read(
  { context, memory: { partBytes }, pool, checkpoint }: Making,
  onBegin: (bytes: number) => void,
): Promise<Reading> {
  const all = await readAll(pool, context, { partBytes, onBegin });
  refuseUseless(all.counts, context);
  const settled = settleSegments(all.segments, join(context.scratchFolder, `features-${checkpoint.attempt}`));
  const isSpilled = settled.some(({ stretch }) => stretch !== undefined);
  const reading = { ...all, segments: settled, isSpilled };
  if (isSpilled) checkpoint.saveReading(reading);
  return reading;
}

async function sort(making: Making, reading: Reading): Promise<Sorted> {
  const { settings, context, pool, checkpoint } = making;
  const { detail, pointCells, segments, isSpilled } = reading;
  const guess = (): number => Math.max(settings.minZoom, guessZoom(detail, pointCells, settings.extent));
  const cut = cutSetupOf(making, reading, settings.maxZoom ?? guess());
  await pool.runOnEach({ kind: 'prepare', cut });
  collectGarbage();
  const sorted = await sortAll(pool, context, reading, cut);
  if (isSpilled) {
    checkpoint.saveSorted(sorted);
    removeSegments(segments);
  }
  return sorted;
}

function identityOf(options: TilesVectorOptions, { inputs }: JobContext): string {
  const files = inputs.map(({ path: _path, related: _related, ...input }) => input);
  return JSON.stringify([tilesVector.version, options, files]);
}

/** Small pieces leave no thread without work at the end; smaller ones cost more than they bring. */
const unitsPerWorker = 12;
const leastUnitWords = 1 << 17;

function cutSetupOf({ settings, memory }: Making, reading: Reading, maxZoom: number): CutSetup {
  const { minZoom, extent, buffer, simplification, tileLimitBytes } = settings;
  const { weights, layers, keys } = reading;
  const { workers, mostPerUnit, mostPerTile } = memory;
  const words = weights.reduce((sum, weight) => sum + weight, 0);
  const leafWords = Math.min(mostPerUnit, Math.max(leastUnitWords, words / workers / unitsPerWorker));
  return {
    plan: makePlan({ cells: weights, minZoom, maxZoom, leafWords }),
    maxZoom,
    mostWords: mostPerUnit,
    // A unit more for what rounding to the tile's grid moves inside.
    margin: buffer + 1,
    encoder: {
      extent,
      buffer,
      maxZoom,
      dustLength: Math.max(1, simplification),
      dustArea: 16,
      layers: [...layers.keys()],
      keys,
      limitBytes: tileLimitBytes,
      longestTileBytes: mostPerTile,
    },
  };
}

function refuseImpossible({ minZoom, maxZoom, extent }: Settings, { inputs }: JobContext): void {
  if (inputs.length === 0) throw new JobFailure('emptyInput', 'There is no input file.');
  if (maxZoom !== undefined && maxZoom < minZoom) {
    throw new JobFailure('zoomRange', `tiling.maxZoom (${maxZoom}) is below tiling.minZoom (${minZoom}).`);
  }
  if (minZoom > worldBits - Math.log2(extent))
    throw new JobFailure('zoomRange', 'tiling.minZoom is too high.');
}

/** Fails where the input gives no tiles at all, or is so clearly in another CRS that what is left is chance. */
function refuseUseless(counts: IngestCounts, { inputs }: JobContext): void {
  const files = inputs.map((input) => input.name).join(', ');
  if (counts.read === 0) throw new JobFailure('emptyInput', `${files}: no features.`);
  if (counts.invalidCoordinates * 2 > counts.read) {
    throw new JobFailure(
      'invalidCoordinates',
      `${files}: ${counts.invalidCoordinates} of ${counts.read} features have coordinates that are no longitudes and latitudes. The data is probably in a projected CRS: transform it to EPSG:4326, or name its CRS at the input.`,
    );
  }
  if (counts.used > 0) return;
  if (counts.withoutGeometry === counts.read) {
    throw new JobFailure('emptyInput', `${files}: none of the ${counts.read} features has a geometry.`);
  }
  throw new JobFailure(
    'invalidGeometry',
    `${files}: none of the ${counts.read} features has a usable geometry.`,
  );
}
