import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../../checks/clean-up.ts';
import { packBlock } from '@platen/formats/geotiff/pack-block';
import { testContext } from '../../testing-context.ts';
import { openRasterCheckpoint } from './checkpoint.ts';
import { makePyramid, type PixelMaker } from './make-pyramid.ts';
import { createPackQueue } from './pack-queue.ts';
import { levelsOf, type RasterShape } from './raster-shape.ts';
import { emptySquare } from './square-pool.ts';
import { unitOrder } from './unit-order.ts';
import { writeFile } from './write-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-pyramid-'));
afterFile(() => rm(folder, { recursive: true }));

const shape: RasterShape = {
  width: 300,
  height: 170,
  blockSide: 16,
  unitSide: 32,
  meaning: { bands: 1, isNearest: false, noData: undefined, alphaBand: undefined },
  hasMask: true,
  sampleType: 'uint8',
};

const form = { width: 16, bands: 1, bits: 8, compression: 'deflate', predictor: 1 } as const;

/** Numbers that differ from pixel to pixel; one unit has none. */
const maker: PixelMaker = {
  broken: new Map(),
  async read({ column, row }, take) {
    if (column === 3 && row === 2) return undefined;
    const square = take();
    for (let i = 0; i < square.samples.length; i++) {
      square.samples[i] = column * 31 + row * 7 + i * 13;
      square.mask![i] = (i + column) % 5 === 0 ? 0 : 1;
    }
    return square;
  },
  async pack(square = emptySquare(shape)) {
    const images: Uint8Array[] = [];
    const masks: Uint8Array[] = [];
    for (const [x, y] of [
      [0, 0],
      [16, 0],
      [0, 16],
      [16, 16],
    ] as const) {
      const cut = (from: ArrayLike<number>): Uint8Array =>
        Uint8Array.from({ length: 256 }, (_, i) => from[(y + (i >> 4)) * 32 + x + (i & 15)]!);
      images.push(await packBlock(cut(square.samples), form));
      masks.push(await packBlock(cut(square.mask!), { ...form, bits: 1 }));
    }
    return { images, masks };
  },
};

interface Run {
  readonly name: string;
  /** Ends the process, so to say, after so many units. */
  readonly endsAfter?: number;
  readonly workers?: number;
  readonly pendingBytes?: number;
}

async function make({ name, endsAfter = Infinity, workers = 2, pendingBytes = 1e6 }: Run): Promise<Buffer> {
  let units = 0;
  const context = testContext({
    outputFolder: folder,
    progress(phase) {
      if (phase === 'read' && ++units > endsAfter) throw new Error('the process has died');
    },
  });
  const scratch = join(folder, `scratch-${name}`);
  const checkpoint = openRasterCheckpoint(scratch, {}, context);
  const job = { shape, maker, folder: scratch, checkpoint, workers, pendingBytes, maxUnsavedMs: 0 };
  const made = await makePyramid(job, context);
  await writeFile({ name, shape, tags: [], imageTags: [] }, made, context);
  made.log.close();
  return readFile(join(folder, name));
}

test('a run that was interrupted twice gives the bytes of one that was not', async () => {
  const whole = await make({ name: 'whole.tif' });
  const name = 'interrupted.tif';
  await assert.rejects(make({ name, endsAfter: 17 }), /has died/);
  await assert.rejects(make({ name, endsAfter: 9 }), /has died/);
  // what is left: 60 units, of which 26 are done
  await assert.rejects(make({ name, endsAfter: 30 }), /has died/);
  assert.deepEqual(await make({ name, endsAfter: 10 }), whole);
});

test('other numbers of threads, and other memory, give the same bytes', async () => {
  const whole = await make({ name: 'one.tif', workers: 1 });
  assert.deepEqual(await make({ name: 'many.tif', workers: 7 }), whole);
  assert.deepEqual(await make({ name: 'small.tif', pendingBytes: 1 }), whole);
});

test('every unit is made once, whatever the order', () => {
  const [level] = levelsOf(shape) as [ReturnType<typeof levelsOf>[number]];
  for (const bytes of [1, 5000, 10_000, 40_000, 1e9]) {
    const order = unitOrder(shape, level, bytes);
    const places = Array.from({ length: order.count }, (_, i) => order.placeOf(i));
    assert.ok(places.every(({ column, row }) => column < level.columns && row < level.rows));
    assert.equal(
      new Set(places.map(({ column, row }) => `${column} ${row}`)).size,
      level.columns * level.rows,
    );
  }
});

test('an error of one thread ends the others, and none is lost', async () => {
  const queue = createPackQueue(2);
  await queue.add(async () => {});
  await queue.add(() => Promise.reject(new Error('no space')));
  await assert.rejects(queue.drain(), /no space/);
});
