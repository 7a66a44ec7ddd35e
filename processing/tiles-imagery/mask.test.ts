import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { keysOf, type WrittenImage } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobInput } from '../job-type.ts';
import { outputOf } from '../raster-source/testing-updates.ts';
import type { MaskOptions } from '../raster-source/mask/mask-settings.ts';
import { openImageryTests, openTiles } from './testing.ts';

const tests = await openImageryTests();
afterFile(tests.remove);

const [east, north] = [500_000, 5_500_000];
const put = (name: string, image: Partial<WrittenImage>): Promise<JobInput> =>
  tests.put(name, {
    images: [{ width: 200, height: 100, bands: 3, photometric: 2, sample: () => 0, ...image }],
    keys: keysOf(25_832),
    scale: [2, 2],
    tie: [0, 0, 0, east, north, 0],
    noData: '7',
  });

function placeOf(column: number, row: number): [lon: number, lat: number] {
  const position = Float64Array.of(east + column * 2, north - row * 2);
  findCrs('EPSG:25832').toLonLat(position, 1);
  return [position[0]!, position[1]!];
}

const png = { format: 'png' } as const;

async function run(input: JobInput, mask: MaskOptions) {
  const made = await tests.run([input], { image: png, mask } as object);
  const tiles = await openTiles(made.outputFolder);
  const { maxLevel } = made.result.datasource!.typeProperties as { maxLevel: number };
  return { made, colourAt: (column: number, row = 50) => tiles.colourAt(maxLevel, placeOf(column, row)) };
}

const isHidden = (colour: number[] | undefined): boolean => colour === undefined || colour[3] === 0;

test('values without data replace that of the file, for all bands or band by band', async () => {
  const numbers = [7, 9, 11, 13];
  const columns = await put('columns.tif', {
    sample: (x, _, band) => numbers[Math.floor(x / 50)]! + band * 20,
  });
  const hidden = async (mask: MaskOptions): Promise<boolean[]> => {
    const { colourAt } = await run(columns, mask);
    return Promise.all([25, 75, 125, 175].map(async (column) => isHidden(await colourAt(column))));
  };
  assert.deepEqual(await hidden({ noData: [9, 29, 49, 11] }), [false, true, false, false]);
  assert.deepEqual(await hidden({ noDataOfBands: [13, 33, 53] }), [false, false, false, true]);
  await assert.rejects(run(columns, { noDataOfBands: [13] }), /shows band 3/);
  await assert.rejects(run(columns, { noData: [1], noDataOfBands: [1, 2, 3] }), /Remove one/);
});

test('a colour is transparent with its tolerance, without a rim of it around what is shown', async () => {
  const sample = (x: number, _y: number, band: number): number => (x < 100 ? [250, 4, 8][band]! : 90);
  const input = await put('colour.tif', { sample });
  const { colourAt } = await run(input, { colour: '#ff0000', tolerance: 8 });
  assert.ok(isHidden(await colourAt(50)));
  for (let column = 98; column < 103; column += 0.5) {
    const colour = await colourAt(column);
    if (!isHidden(colour)) assert.deepEqual(colour?.slice(0, 3), [90, 90, 90], `${column}`);
  }
  assert.ok(!isHidden(await (await run(input, { colour: '#ff0000', tolerance: 7 })).colourAt(50)));
});

test('a collar is removed, with any threads and memory the same bytes', async () => {
  const isAround = (x: number, y: number): boolean => x + y < 60 || x - y > 150;
  const isSpot = (x: number, y: number): boolean => Math.hypot(x - 100, y - 50) < 10;
  const sample = (x: number, y: number): number => (isAround(x, y) || isSpot(x, y) ? 2 : 150);
  const input = await put('collar.tif', { sample, tile: 32 });
  const { made, colourAt } = await run(input, { collar: 'auto' });
  assert.ok(isHidden(await colourAt(10, 10)) && isHidden(await colourAt(190, 10)));
  assert.deepEqual(await colourAt(100, 50), [2, 2, 2, 255]);
  const wanted = await outputOf(made);
  for (const processing of [{ workers: 2 }, { memoryMegabytes: 256, workers: 1 }]) {
    const options = { image: png, mask: { collar: 'auto' }, processing };
    assert.deepEqual(await outputOf(await tests.run([input], options as object)), wanted);
  }
});
