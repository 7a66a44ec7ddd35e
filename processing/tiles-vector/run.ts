import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { worldBits } from '@platen/geo/tile/world-grid';
import { JobFailure, type JobContext, type JobResult, type RunJob } from '../job-type.ts';
import { createWorkerPool, type WorkerPool } from '../worker-pool.ts';
import { degreesOf } from './bounds.ts';
import { cutAll } from './cut-phase.ts';
import { guessZoom } from './density.ts';
import type { IngestCounts } from './ingest.ts';
import { layerNameOf } from './layers.ts';
import { planMemory, type MemoryPlan } from './memory.ts';
import { metadataOf, vectorLayersOf, type TilesetSummary } from './metadata.ts';
import { makePlan } from './plan.ts';
import { readAll, type Reading } from './read-phase.ts';
import { readSettings, warnOfUnknownOptions, type Settings } from './settings.ts';
import { tilesVector } from './spec.ts';
import type { Answer, CutSetup, Note, Setup, Task } from './tasks.ts';
import { createStopwatch } from './stopwatch.ts';
import { archiveName, writeArchive } from './write-archive.ts';

/** Reads features into records, sorts them by place, cuts them into tiles, and puts the archive together. */
export const runTilesVector: RunJob<typeof tilesVector> = async (options, context) => {
  const { warn, signal } = context;
  const scratchFolder = join(context.scratchFolder, 'tiles');
  mkdirSync(scratchFolder);
  warnOfUnknownOptions(options, (...warning) => warn(...warning));
  const settings = readSettings(options);
  refuseImpossible(settings, context);
  const memory = planMemory(settings.memoryBytes, availableParallelism());
  const read = { done: 0, total: 0 };
  const setup: Omit<Setup, 'worker'> = {
    settings,
    folder: scratchFolder,
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
  try {
    return await makeTileset({ settings, context: { ...context, scratchFolder }, memory, pool }, (total) =>
      Object.assign(read, { done: 0, total }),
    );
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
}

async function makeTileset(making: Making, onBegin: (bytes: number) => void): Promise<JobResult> {
  const { settings, context, memory, pool } = making;
  const { minZoom, extent } = settings;
  const watch = createStopwatch(context);
  const { partBytes } = memory;
  const reading = await readAll(pool, context, { partBytes, onBegin });
  const { counts, detail, pointCells, segments } = reading;
  refuseUseless(counts, context);
  const maxZoom = settings.maxZoom ?? Math.max(minZoom, guessZoom(detail, pointCells, extent));
  const isSpilled = segments.some(({ stretch }) => stretch !== undefined);
  watch.lap('read', { ...counts, maxZoom, isSpilled });

  const cut = cutSetupOf(making, reading, maxZoom);
  const tiles = await cutAll(pool, context, reading, cut);
  watch.lap('cut', { leaves: cut.plan.leaves.length });
  await pool.close();

  const bbox = degreesOf(reading.bounds);
  const center = [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2, minZoom] as const;
  const name = settings.name ?? layerNameOf(context.inputs[0]!.name);
  const summary: TilesetSummary = { name, minZoom, maxZoom, bounds: bbox, center };
  const metadata = metadataOf(reading.layers, summary, settings);
  const header = await writeArchive(tiles, { metadata, minZoom, maxZoom, bounds: bbox, center }, context);
  watch.lap('write', { tiles: header.addressedTiles, bytes: header.dataLength });
  const vectorLayers = vectorLayersOf(reading.layers, minZoom, maxZoom);
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
