import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { JobFailure, type JobContext, type JobResult } from '../job-type.ts';
import { logResume } from '../kit/checkpoint.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { emitWarnings, mergeWarnings } from '../kit/warning-counter.ts';
import { createInlinePool } from '../kit/inline-pool.ts';
import { createWorkerPool, type WorkerPool } from '../kit/worker-pool.ts';
import type { UsedHeights } from '../models/used-heights.ts';
import type { KnownSheets } from '../raster-source/known-sheets.ts';
import type { MosaicSheet } from '../raster-source/mosaic-sheet.ts';
import { sign, type Signature } from '../raster-source/sign-units.ts';
import type { PlacedTerrain } from '../terrain-source/find-terrain.ts';
import type { ChosenAttributes } from './attributes.ts';
import { unitsOf, type PointCheckpoint } from './checkpoint.ts';
import type { ComparedSheets } from './compare/add-older.ts';
import { bucketsNear, olderColumns, olderNeeded } from './compare/measure-distances.ts';
import { unitPointsOf } from './node-task.ts';
import { hasOwnColours } from './own-colours.ts';
import { createPointWorker } from './point-worker.ts';
import { findRise } from './place/raise-cloud.ts';
import type { LocalBox, RootCube } from './place/root-cube.ts';
import { readSheets, type ReadSheet } from './read-phase.ts';
import type { RecordColumns } from './record-columns.ts';
import { scratchShare } from './scratch-share.ts';
import type { Settings } from './settings.ts';
import type { DescribedSheet, FoundSheets } from './sheets/find-sheets.ts';
import { addStatistics, createStatistics, type PointStatistics } from './statistics.ts';
import type { Answer, Setup, Task } from './tasks.ts';
import { tileProperties } from './tile/tile-properties.ts';
import { makeTree, type MadeTree } from './tree-phase.ts';
import { planBuckets } from './tree/plan-buckets.ts';
import { rowShapeOf } from './tree/row-shape.ts';
import { copyFormer } from './update/copy-former.ts';
import type { IdentifiedSheets } from './update/identify-sheets.ts';
import { readStatistics, writeManifest, writeStatistics, type FormerPoints } from './update/manifest.ts';
import { logFullRun, planUpdate, type UpdatePlan } from './update/plan-update.ts';
import { writeOutput } from './write-output.ts';

/** All that is known before the first point is read. */
export interface PlannedPoints {
  readonly settings: Settings;
  readonly found: FoundSheets;
  /** With those of an older cloud behind them, of which a thread holds so many points at a time. */
  readonly compared: ComparedSheets;
  readonly olderPoints: number;
  readonly root: RootCube;
  /** Of the sheets, in the frame. */
  readonly boxes: readonly LocalBox[];
  readonly attributes: ChosenAttributes;
  readonly columns: RecordColumns;
  /** What is used for each kind of heights. */
  readonly heights: readonly UsedHeights[];
  readonly terrain: PlacedTerrain | undefined;
  /** Undefined: nothing can be recorded for updates. */
  readonly identified: IdentifiedSheets | undefined;
  readonly known: KnownSheets<DescribedSheet>;
  readonly former: FormerPoints | undefined;
  /** Of a bucket; it is divided once more if it has more than the second number. */
  readonly plannedPoints: number;
  readonly maxPoints: number;
  readonly workers: number;
  /** Where points get colours from, and for their unpacked blocks of each thread. */
  readonly images: readonly MosaicSheet[];
  readonly imageBytes: number;
  readonly folder: string;
  readonly checkpoint: PointCheckpoint;
}

/** Makes what has changed, or all. */
export async function makeTileset(plan: PlannedPoints, context: JobContext): Promise<JobResult> {
  const update = updateOf(plan, context);
  const updated = update && (await makeTiles(plan, update, context));
  return updated ?? (await makeTiles(plan, undefined, context))!;
}

function updateOf(plan: PlannedPoints, context: JobContext): UpdatePlan | undefined {
  const { former, identified, root, settings, found, boxes } = plan;
  if (former === undefined || identified === undefined) return undefined;
  const sheets = found.sheets.map(({ name }, i) => ({
    name,
    identity: identified.identities[i]!,
    box: boxes[i]!,
  }));
  const { others } = identified;
  const columns = sign(plan.columns);
  const unitPoints = unitPointsOf(settings);
  return planUpdate({ former, root, others, columns, sheets, unitPoints }, context);
}

/** @returns undefined if an update turns out to need all tiles anew */
async function makeTiles(
  plan: PlannedPoints,
  update: UpdatePlan | undefined,
  context: JobContext,
): Promise<JobResult | undefined> {
  const { settings, found, compared, root, boxes, attributes, columns, folder, checkpoint, maxPoints } = plan;
  const { sheets, olderFrom } = compared;
  const watch = createStopwatch(context);
  const countOf = (sheet: number): number =>
    sheets[sheet]!.partPoints.reduce((sum, points) => sum + points, 0);
  const expected = boxes.map(({ min, max }, i) => ({ min, max, count: countOf(i) }));
  const buckets = planBuckets(root, expected, plan.plannedPoints, update?.given);
  const needed = update && Uint8Array.from(buckets.cells, (cell) => (update.isClean(cell) ? 0 : 1));
  const isRead = sheets.map((_, i) => update?.isRead[i] ?? true);
  const around = { sideBits: root.sideBits, maxMetres: settings.compareMetres ?? 0 };
  const points = sheets.reduce((sum, _, i) => sum + (isRead[i] ? countOf(i) : 0), 0);
  const rowWords = Math.max(
    ...buckets.cells.map((cell) => rowShapeOf(cell, root.sideBits, columns.count).words),
  );
  const wordsOf = (sheet: number): number => (sheet < olderFrom ? rowWords : olderColumns);
  const words = sheets.reduce((sum, _, i) => sum + (isRead[i] ? countOf(i) * wordsOf(i) : 0), 0);
  askForDisk(words * 4, context);
  const setup: Omit<Setup, 'worker'> = {
    settings,
    sheets,
    heights: compared.heights,
    olderFrom,
    olderPoints: plan.olderPoints,
    root,
    attributes,
    columns,
    buckets,
    images: plan.images,
    imageBytes: plan.imageBytes,
    needed,
    olderNeeded: needed && olderNeeded(buckets, needed, around),
    folder,
    // a full run after an update must not write into its files
    attempt: 2 * checkpoint.attempt + (update ? 1 : 0),
    inputs: context.inputs,
    geoidFolder: context.geoidFolder,
  };
  const pool = openPool(setup, { size: plan.workers, points, signal: context.signal });
  try {
    const made = unitsOf(checkpoint, scopeOf(plan, update));
    logResume(checkpoint, made.units.length, context);
    const common = { pool, made, maxPoints, context };
    const read = await readSheets({ ...common, sheets, olderFrom, isRead, settings, columns });
    const bySheet = sheets.map((_, i) => sheetOf(read.sheets.get(i), update && [update, i], columns));
    watch.lap('read', { points, sheets: read.sheets.size, buckets: buckets.cells.length });
    const statistics = createStatistics(columns);
    for (const one of bySheet.slice(0, olderFrom)) addStatistics(statistics, one.statistics);
    const hasColours =
      columns.colour !== undefined && (settings.colour !== undefined || hasOwnColours(statistics));
    const properties = tileProperties(attributes.named, columns, statistics, hasColours);
    const shown = sign([properties, hasColours]);
    if (update && update.former.common.attributes !== shown) return logFullRun('attributes', context);
    emitWarnings(mergeWarnings(bySheet.flatMap(({ warnings }) => warnings)), context.warn);
    warnRounded(columns, statistics, context);
    if (statistics.kept === 0)
      throw new JobFailure(
        'nothingUsable',
        'No point is left: see the warnings, and the classes of modelOptions.classes.',
      );
    await pool.prepare({ kind: 'properties', properties, hasColours });
    const copied = update ? await copyFormer(update, { root, settings }, context) : [];
    const tree = await makeTree({
      ...common,
      buckets: read.rows.buckets.map((bucket) => ({
        cell: buckets.cells[bucket]!,
        bytes: read.rows.bytesOf(bucket),
        ranges: () => read.rows.rangesOf(bucket),
      })),
      copied,
      olderNear: (cell) =>
        bucketsNear(buckets, cell, around).flatMap((bucket) => read.older.rangesOf(bucket)),
      columns: columns.count,
      sideBits: root.sideBits,
    });
    const copies = copied.reduce((sum, { tiles }) => sum + tiles.length, 0);
    watch.lap('make', { tiles: tree.tiles.length, copied: copies, duplicates: tree.duplicates });
    await pool.close();
    if (tree.uncoloured > 0)
      context.warn(
        'outsideImage',
        'Some points lie where none of the images has a pixel. They keep the colour that they have, or are black.',
        {},
        tree.uncoloured,
      );
    const { mode, groundOffset: offset, strict } = settings;
    const { terrain } = plan;
    const rise = await findRise(tree.tiles, { mode, offset, terrain, root, strict }, context);
    const output = {
      settings,
      root,
      sheets: found.sheets,
      tree,
      statistics,
      properties,
      hasColours,
      heights: plan.heights,
      rise,
      folder,
    };
    const result = await writeOutput(output, context);
    const manifest = recordTiles(plan, { bySheet, tree, shown, archive: result.datasource!.path }, context);
    watch.lap('write', {});
    return { ...result, ...(manifest !== undefined && { manifest }) };
  } finally {
    await pool.close();
  }
}

/** A thread takes longer to start than to read so many points and make tiles of them. */
const maxInlinePoints = 100_000;

/** Threads, or none for few points unless the options ask for several. */
function openPool(
  setup: Omit<Setup, 'worker'>,
  { size, points, signal }: { readonly size: number; readonly points: number; readonly signal: AbortSignal },
): WorkerPool<Task, Answer> {
  if ((setup.settings.workers ?? 1) === 1 && points <= maxInlinePoints)
    return createInlinePool({ ...createPointWorker({ ...setup, worker: 0 }), signal });
  return createWorkerPool<Task, Answer, never>({
    program: new URL('worker.ts', import.meta.url),
    size,
    setup,
    signal,
    onReport: () => {},
  });
}

/** What the read points and made nodes of a checkpoint depend on. */
function scopeOf({ maxPoints, identified }: PlannedPoints, update: UpdatePlan | undefined): string {
  if (update === undefined) return sign(['full', maxPoints]);
  const { isRead } = update;
  const { root, sheets } = update.former;
  const former = sheets.map(({ identity }) => identity);
  return sign(['update', maxPoints, root, former, identified!.identities, isRead]);
}

/** A sheet that is as it was counts as it did, even if some of its points were read again. */
function sheetOf(
  read: ReadSheet | undefined,
  updated: readonly [update: UpdatePlan, sheet: number] | undefined,
  columns: RecordColumns,
): ReadSheet {
  const number = updated && updated[0].formerSheets[updated[1]];
  if (number === undefined) return read ?? { statistics: createStatistics(columns), warnings: [] };
  const { statistics, sheets } = updated![0].former;
  return { statistics: readStatistics(statistics[number]!, columns), warnings: sheets[number]!.warnings };
}

function warnRounded({ extras }: RecordColumns, { rounded }: PointStatistics, { warn }: JobContext): void {
  for (const [i, { name }] of extras.entries())
    if (rounded[i]! > 0)
      warn(
        'roundedNumbers',
        `Numbers of the attribute “${name}” have more than seven digits, which tiles round.`,
        { attribute: name },
        rounded[i]!,
      );
}

/** @returns the name of the manifest; undefined if updates cannot use the output */
function recordTiles(
  { found, root, boxes, columns, identified, known, settings, folder }: PlannedPoints,
  made: {
    readonly bySheet: readonly ReadSheet[];
    readonly tree: MadeTree;
    readonly shown: Signature;
    readonly archive: string;
  },
  { outputFolder }: JobContext,
): string | undefined {
  const { tree, shown, archive } = made;
  // a folder of tiles is made as a whole, and so are colours of damaged images
  if (identified === undefined || settings.format === 'folder' || tree.hasWarnings) return undefined;
  const bySheet = made.bySheet.slice(0, found.sheets.length);
  const madeOf = {
    root,
    common: { others: identified.others, columns: sign(columns), attributes: shown },
    sheets: found.sheets.map(({ name }, i) => ({
      name,
      identity: identified.identities[i]!,
      box: boxes[i]!,
      warnings: bySheet[i]!.warnings,
    })),
    // an update finds known sheets before it opens others
    known: [...known.records].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    tree,
    statistics: writeStatistics(join(folder, 'statistics'), bySheet),
    unitPoints: unitPointsOf(settings),
  };
  return writeManifest(madeOf, outputFolder, archive);
}

/** @throws JobFailure if the disk has too little space for what is to come */
function askForDisk(rowBytes: number, { scratchFolder, limits }: JobContext): void {
  const wanted = rowBytes * scratchShare;
  const { bavail, bsize } = statfsSync(scratchFolder);
  const allowed = limits?.scratchMegabytes === undefined ? Infinity : limits.scratchMegabytes * 2 ** 20;
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);
  const free = Math.min(bavail * bsize, allowed);
  if (wanted > free)
    throw new JobFailure(
      'scratchFull',
      `The points need ${gigabytes(wanted)} GB for temporary files, and ${gigabytes(free)} GB are free. Free space, or divide the inputs into several tasks.`,
    );
}
