import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Cell } from '@platen/geo/point-tree/cloud';
import { JobFailure, type JobContext, type JobResult, type RunJob } from '../job-type.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { createWorkerPool, type WorkerPool } from '../kit/worker-pool.ts';
import { chooseAttributes } from './attributes.ts';
import { openPointCheckpoint, type PointCheckpoint } from './checkpoint.ts';
import { bucketSizes, olderPointsOf, planPointMemory } from './memory.ts';
import { sheetsWithin } from './place/box-filter.ts';
import { addOlder } from './compare/add-older.ts';
import { aroundCell, olderColumns } from './compare/measure-distances.ts';
import { findPointImages } from './colour/find-images.ts';
import { divideInputs } from './inputs/divide-inputs.ts';
import { placeSheets, pointsOf } from './place/place-all.ts';
import { hasOwnColours } from './own-colours.ts';
import { readSheets } from './read-phase.ts';
import { columnsOf } from './record-columns.ts';
import { readSettings } from './settings.ts';
import { findPointSheets } from './sheets/find-sheets.ts';
import type { tilesPointcloud } from './spec.ts';
import type { Answer, Setup, Task } from './tasks.ts';
import { tileProperties } from './tile/tile-properties.ts';
import { makeTree } from './tree-phase.ts';
import { bucketsIn, planBuckets } from './tree/plan-buckets.ts';
import { writeOutput } from './write-output.ts';

/** Makes a tileset of one or many point clouds: reads each point once, into parts of the tree, and makes tiles of these. */
export const runTilesPointcloud: RunJob<typeof tilesPointcloud> = async (options, context) => {
  const settings = readSettings(options);
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const inputs = divideInputs(context.inputs, options);
  const folder = join(context.scratchFolder, 'points');
  const unpacked = join(context.scratchFolder, 'point-inputs');
  const checkpoint = openPointCheckpoint(folder, options, context);
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  const watch = createStopwatch(context);
  try {
    const find = {
      heights: options.heights ?? {},
      placement: options.modelOptions?.placement ?? {},
      columns: settings.columns,
      strict: settings.strict,
      scratch: unpacked,
    };
    const all = await findPointSheets(find, { ...context, inputs: inputs.clouds });
    const found = { ...all, sheets: sheetsWithin(all.sheets, settings.box, context) };
    const compared = await addOlder(found, inputs.older, { find, context });
    const placed = await placeSheets(compared, settings.compareMetres ?? 0, context);
    const memory = planPointMemory(
      memoryBudget(settings.memoryMegabytes, context.limits),
      settings.workers ?? availableParallelism(),
      { hasImages: inputs.images.length > 0 },
    );
    const attributes = chooseAttributes(settings.attributes, found.sheets);
    const columns = columnsOf(found.sheets, attributes, settings);
    const sizes = bucketSizes(memory, columns.count);
    const plannedPoints = checkpoint.get('plannedPoints') ?? sizes.planned;
    checkpoint.save('plannedPoints', plannedPoints);
    const images = await findPointImages(
      inputs.images,
      {
        strict: settings.strict,
        imageBytes: memory.imageBytes,
        folder: join(folder, 'images'),
        clouds: found.sheets,
      },
      context,
    );
    const buckets = planBuckets(placed.root, placed.expected, plannedPoints);
    const points = placed.expected.reduce((sum, { count }) => sum + count, 0);
    askForDisk(
      points * columns.count * 4 + pointsOf(compared.sheets.slice(found.sheets.length)) * olderColumns * 4,
      context,
    );
    watch.lap('plan', { sheets: found.sheets.length, points, buckets: buckets.cells.length });
    const setup: Omit<Setup, 'worker'> = {
      settings,
      sheets: compared.sheets,
      heights: compared.heights,
      olderFrom: found.sheets.length,
      root: placed.root,
      attributes,
      columns,
      buckets,
      images,
      imageBytes: memory.imageBytes,
      olderPoints: olderPointsOf(memory),
      folder,
      attempt: checkpoint.attempt,
      inputs: context.inputs,
      geoidFolder: context.geoidFolder,
    };
    const pool = createWorkerPool<Task, Answer, never>({
      program: new URL('worker.ts', import.meta.url),
      size: memory.workers,
      setup,
      signal: context.signal,
      onReport: () => {},
    });
    try {
      return await makeTileset({
        setup,
        pool,
        checkpoint,
        maxPoints: sizes.max,
        heights: placed.heights,
        context,
      });
    } finally {
      await pool.close();
    }
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
    if (context.keepsScratch !== true) rmSync(folder, { recursive: true, force: true });
  }
};

/** Points take room twice: as they were read, and as tiles. */
const diskShare = 1.6;

/** @throws JobFailure if the disk has too little space for what is to come */
function askForDisk(rowBytes: number, { scratchFolder, limits }: JobContext): void {
  const needed = rowBytes * diskShare;
  const { bavail, bsize } = statfsSync(scratchFolder);
  const allowed = limits?.scratchMegabytes === undefined ? Infinity : limits.scratchMegabytes * 2 ** 20;
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);
  const free = Math.min(bavail * bsize, allowed);
  if (needed > free)
    throw new JobFailure(
      'scratchFull',
      `The points need ${gigabytes(needed)} GB for temporary files, and ${gigabytes(free)} GB are free. Free space, or divide the inputs into several tasks.`,
    );
}

interface PointRun {
  readonly setup: Omit<Setup, 'worker'>;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: PointCheckpoint;
  readonly maxPoints: number;
  readonly heights: readonly object[];
  readonly context: JobContext;
}

async function makeTileset(run: PointRun): Promise<JobResult> {
  const { setup, pool, checkpoint, maxPoints, heights, context } = run;
  const { settings, sheets: all, olderFrom, attributes, columns, root, buckets, folder } = setup;
  const sheets = all.slice(0, olderFrom);
  const watch = createStopwatch(context);
  const common = { pool, checkpoint, maxPoints, context };
  const { statistics, ranges, older } = await readSheets({
    ...common,
    sheets: all,
    olderFrom,
    settings,
    columns,
  });
  watch.lap('read', { points: statistics.read });
  if (statistics.kept === 0)
    throw new JobFailure(
      'nothingUsable',
      'No point is left: see the warnings, and the classes of modelOptions.classes.',
    );
  const hasColours =
    columns.colour !== undefined && (settings.colour !== undefined || hasOwnColours(statistics));
  const properties = tileProperties(attributes.named, columns, statistics, hasColours);
  const olderNear = (cell: Cell): readonly FileRange[] => {
    const around = aroundCell(cell, root.sideBits, settings.compareMetres ?? 0);
    return bucketsIn(buckets, root.sideBits, around).flatMap((bucket) => older.get(bucket) ?? []);
  };
  await pool.prepare({ kind: 'properties', properties, hasColours });
  const tree = await makeTree({
    ...common,
    buckets: [...ranges].map(([bucket, own]) => ({ cell: buckets.cells[bucket]!, ranges: own })),
    rowBytes: columns.count * 4,
    sideBits: root.sideBits,
    olderNear,
  });
  watch.lap('make', { tiles: tree.tiles.length, duplicates: tree.duplicates });
  await pool.close();
  if (tree.uncoloured > 0)
    context.warn(
      'outsideImage',
      'Some points lie where none of the images has a pixel. They keep the colour that they have, or are black.',
      {},
      tree.uncoloured,
    );
  const output = { settings, root, sheets, tree, statistics, properties, hasColours, heights, folder };
  const result = await writeOutput(output, context);
  watch.lap('write', {});
  return result;
}
