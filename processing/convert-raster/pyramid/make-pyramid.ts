import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import type { JobContext } from '../../job-type.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import { openBlockLog, type BlockLog } from './block-log.ts';
import type { RasterCheckpoint } from './checkpoint.ts';
import { createPackQueue } from './pack-queue.ts';
import { openPendingUnits, type FinishedUnit } from './pending-units.ts';
import { blockColumns, levelsOf, type Level, type RasterShape } from './raster-shape.ts';
import { createReadAhead } from './read-ahead.ts';
import { createSquarePool, type TakeSquare } from './square-pool.ts';
import { unitOrder, type UnitPlace } from './unit-order.ts';

/** What makes the pixels of one kind of image. */
export interface PixelMaker {
  /** The pixels of a unit of the image, in a square that it takes; undefined where none is data. @throws JobFailure */
  read(place: UnitPlace, take: TakeSquare): Promise<PixelSquare | undefined>;
  /** The blocks of a unit that are in the image, row by row. The pixels stay as they are until it has resolved. */
  pack(square: PixelSquare | undefined, extent: UnitExtent): Promise<PackedUnit>;
  /** The reasons why parts of sheets could not be read, by the names of these. */
  readonly broken: Map<string, string>;
}

/** Blocks of a unit that are in the image. */
export interface UnitExtent {
  readonly columns: number;
  readonly rows: number;
}

export interface PackedUnit {
  /** Undefined: the block is left out. */
  readonly images: readonly (Uint8Array | undefined)[];
  readonly masks?: readonly Uint8Array[];
}

export interface PyramidJob {
  readonly shape: RasterShape;
  readonly maker: PixelMaker;
  readonly folder: string;
  readonly checkpoint: RasterCheckpoint;
  /** Units that are packed at a time. */
  readonly workers: number;
  /** Units that are read at a time; 1 by default. */
  readonly readsAtOnce?: number;
  /** For units of overviews that are unfinished. */
  readonly pendingBytes: number;
  /** At most so much work is lost with the process. */
  readonly maxUnsavedMs?: number;
}

export interface MadePyramid {
  readonly levels: readonly Level[];
  readonly log: BlockLog;
}

const defaultMaxUnsavedMs = 20_000;
/** Of the time, that goes into saving. */
const saveShare = 0.01;
/** What the first save is expected to take: it comes soon. */
const firstSaveMs = 2;

/** Makes the units of the image one after the other, and those of the overviews as soon as their parts are there. */
export async function makePyramid(job: PyramidJob, context: JobContext): Promise<MadePyramid> {
  const { shape, maker, folder, checkpoint, maxUnsavedMs = defaultMaxUnsavedMs } = job;
  const levels = levelsOf(shape);
  const former = checkpoint.get('pyramid');
  const { attempt } = checkpoint;
  for (const [name, reason] of former?.broken ?? []) maker.broken.set(name, reason);
  const log = openBlockLog(shape, levels, { folder, attempt, former: former?.blocks });
  const squares = createSquarePool(shape);
  const pending = openPendingUnits({ shape, levels, take: squares.take }, former?.pending);
  const order = unitOrder(shape, levels[0]!, job.pendingBytes);
  const packs = createPackQueue(job.workers);
  const readNext = createReadAhead({
    read: (number) => maker.read(order.placeOf(number), squares.take),
    next: former?.next ?? 0,
    count: order.count,
    atOnce: job.readsAtOnce ?? 1,
  });
  const finish = async (unit: FinishedUnit): Promise<void> => {
    for (let one: FinishedUnit | undefined = unit; one;) {
      const finished = one;
      const parent = pending.add(finished);
      await packs.add(async () => {
        const extent = extentOf(finished, levels[finished.level]!, shape);
        putBlocks(log, await maker.pack(finished.square, extent), { extent, shape, levels, finished });
        if (finished.square) squares.release(finished.square);
      });
      one = parent;
    }
  };
  let savedAt = performance.now();
  let saveMs = firstSaveMs;
  let pendingPath: string | undefined;
  for (let next = former?.next ?? 0; next < order.count; next++) {
    await takeTurn(context.signal);
    const now = performance.now();
    if (now - savedAt >= Math.min(maxUnsavedMs, saveMs / saveShare)) {
      await packs.drain();
      const path = join(folder, `pending-${attempt}-${next}`);
      const broken = [...maker.broken];
      checkpoint.save('pyramid', { next, pending: pending.save(path), blocks: log.save(), broken });
      if (pendingPath !== undefined) rmSync(pendingPath, { force: true });
      pendingPath = path;
      savedAt = performance.now();
      saveMs = savedAt - now;
    }
    await finish({ level: 0, ...order.placeOf(next), square: await readNext() });
    context.progress('read', next + 1, order.count);
  }
  await packs.drain();
  return { levels, log };
}

function extentOf({ column, row }: UnitPlace, { width, height }: Level, shape: RasterShape): UnitExtent {
  const { blockSide, unitSide } = shape;
  const blocks = (pixels: number): number => Math.ceil(Math.min(unitSide, pixels) / blockSide);
  return { columns: blocks(width - column * unitSide), rows: blocks(height - row * unitSide) };
}

interface UnitOfLevels {
  readonly extent: UnitExtent;
  readonly shape: RasterShape;
  readonly levels: readonly Level[];
  readonly finished: FinishedUnit;
}

function putBlocks(log: BlockLog, { images, masks }: PackedUnit, unit: UnitOfLevels): void {
  const { extent, shape, levels, finished } = unit;
  const { level, column, row } = finished;
  const perSide = shape.unitSide / shape.blockSide;
  const columns = blockColumns(levels[level]!, shape.blockSide);
  for (const [i, image] of images.entries()) {
    const x = column * perSide + (i % extent.columns);
    const y = row * perSide + Math.floor(i / extent.columns);
    const number = y * columns + x;
    if (image) log.put({ level, kind: 'image', number }, image);
    const mask = masks?.[i];
    if (mask) log.put({ level, kind: 'mask', number }, mask);
  }
}
