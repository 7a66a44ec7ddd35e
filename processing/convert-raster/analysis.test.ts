import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { readFile, truncate } from 'node:fs/promises';
import { numbersOf, textOf } from '@platen/formats/geotiff/read-tiff';
import { tag } from '@platen/formats/geotiff/tags';
import { keysOf, type WrittenImage, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { openRaster, openRasterTests } from './testing.ts';

const tests = await openRasterTests();
afterFile(tests.remove);
const analysis = { for: 'analysis' } as const;
const utm = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, 500_000, 5_500_000, 0] } as const;

const wide: WrittenImage = {
  width: 1100,
  height: 700,
  bits: 16,
  sampleFormat: 2,
  sample: (x, y) => (x < 40 ? -9999 : x - y * 3),
};

/** The samples of an image that `writeTiff` writes. */
function samplesOf({ width, height, bands = 1, sample }: WrittenImage): number[] {
  const samples: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) for (let band = 0; band < bands; band++) samples.push(sample(x, y, band));
  return samples;
}

test('keeps every number, its meaning, its place and its texts', async () => {
  const metadata = '<GDALMetadata><Item name="SCALE" sample="0" role="scale">0.01</Item></GDALMetadata>';
  const source: WrittenTiff = { images: [wide], noData: '-9999', metadata, ...utm, isLittle: false };
  const { path, result, warnings } = await tests.run([await tests.put('shorts.tif', source)], analysis);
  assert.deepEqual(warnings, []);
  const { datasource } = result;
  assert.equal(datasource?.type, 'generic');
  assert.deepEqual(
    datasource?.bbox?.map((value) => Number(value.toFixed(3))),
    [9, 49.64, 9.03, 49.653],
  );
  const { tiff, images, pixels, close } = await openRaster(path);
  assert.deepEqual(
    images.map(({ width, height, blockWidth }) => [width, height, blockWidth]),
    [
      [1100, 700, 512],
      [550, 350, 512],
      [275, 175, 512],
    ],
  );
  assert.deepEqual(await pixels(0), samplesOf(wide));
  const directory = tiff.directories[0]!;
  assert.equal(await textOf(tiff, directory, tag.gdalMetadata), metadata);
  assert.equal(await textOf(tiff, directory, tag.gdalNoData), '-9999');
  assert.deepEqual([...(await numbersOf(tiff, directory, tag.geoKeys))].slice(-4), [3072, 0, 1, 25_832]);
  assert.deepEqual([...(await numbersOf(tiff, directory, tag.pixelScale))], [2, 2, 0]);
  assert.equal(images[0]!.sampleFormat, 'int');
  await close();
});

test('overviews are means of the numbers that are data', async () => {
  const source: WrittenImage = {
    width: 600,
    height: 600,
    bits: 16,
    sampleFormat: 2,
    sample: (x, y) => (x % 2 === 0 && y % 2 === 0 ? -9999 : x + y),
  };
  const { path } = await tests.run(
    [await tests.put('means.tif', { images: [source], noData: '-9999', ...utm })],
    analysis,
  );
  const { pixels, close } = await openRaster(path);
  const overview = await pixels(1);
  for (const [x, y] of [
    [0, 0],
    [299, 10],
    [255, 256],
  ] as const) {
    const sum = 2 * x + 2 * y;
    assert.equal(overview[y * 300 + x], Math.floor((sum + 1 + sum + 1 + sum + 2) / 3 + 0.5));
  }
  await close();
});

test('classes have no means: overviews of palettes and of bits take the nearest', async () => {
  const classes: WrittenImage = {
    width: 600,
    height: 520,
    photometric: 3,
    sample: (x, y) => (x + y * 7) % 5,
  };
  const { path } = await tests.run([await tests.put('classes.tif', { images: [classes], ...utm })], analysis);
  const { pixels, close } = await openRaster(path);
  const overview = await pixels(1);
  assert.equal(overview[20 * 300 + 30], (60 + 40 * 7) % 5);
  await close();
});

test('floats stay as they are to the last bit, NaN is no data', async () => {
  const floats: WrittenImage = {
    width: 530,
    height: 20,
    bits: 32,
    sampleFormat: 3,
    bands: 2,
    tile: 16,
    isDeflated: true,
    sample: (x, y, band) => (x === 5 ? NaN : Math.fround(Math.sin(x * 0.1 + y) * 1e-3 + band)),
  };
  const source: WrittenTiff = { images: [floats], noData: 'nan', ...utm };
  const options = { ...analysis, analysis: { compression: 'zstd' } } as const;
  const { path } = await tests.run([await tests.put('floats.tif', source)], options);
  const { images, pixels, close } = await openRaster(path);
  assert.deepEqual(await pixels(0), samplesOf(floats));
  assert.equal(images[0]!.compression, 50_000);
  assert.equal(images[0]!.predictor, 3);
  await close();
});

test('sheets of one grid become one image, the later on top, and a mask says what no sheet has', async () => {
  const sheet = (value: number): WrittenImage => ({ width: 300, height: 300, sample: () => value });
  const at = (x: number, y: number): readonly number[] => [0, 0, 0, 500_000 + x * 2, 5_500_000 - y * 2, 0];
  const sheets = await Promise.all([
    tests.put('west.tif', { images: [sheet(10)], ...utm, tie: at(0, 0) }),
    tests.put('east.tif', { images: [sheet(20)], ...utm, tie: at(250, 0) }),
    tests.put('south.tif', { images: [sheet(30)], ...utm, tie: at(250, 400) }),
  ]);
  const { path } = await tests.run(sheets, analysis);
  const { images, tiff, pixels, close } = await openRaster(path);
  assert.deepEqual([images[0]!.width, images[0]!.height, images[1]!.isMask], [550, 700, true]);
  assert.deepEqual([...(await numbersOf(tiff, tiff.directories[0]!, tag.tiepoints))], at(0, 0));
  const [values, mask] = [await pixels(0), await pixels(1)];
  const look = (x: number, y: number): number[] => [values[y * 550 + x]!, mask[y * 550 + x]!];
  assert.deepEqual(look(249, 0), [10, 1]);
  assert.deepEqual(look(250, 0), [20, 1]);
  assert.deepEqual(look(10, 350), [0, 0]);
  assert.deepEqual(look(549, 699), [30, 1]);
  await close();
});

test('sheets that would have to be changed are refused by name, with what differs and what to do', async () => {
  const image: WrittenImage = { width: 20, height: 20, sample: () => 1 };
  const first = await tests.put('first.tif', { images: [image], ...utm });
  for (const [name, other, reason] of [
    ['bits.tif', { images: [{ ...image, bits: 16 }], ...utm }, /uint16 instead of uint8/],
    ['bands.tif', { images: [{ ...image, bands: 3 }], ...utm }, /3 bands instead of 1/],
    ['zone.tif', { images: [image], ...utm, keys: keysOf(25_833) }, /EPSG:25833 instead of EPSG:25832/],
    ['coarse.tif', { images: [image], ...utm, scale: [3, 3] }, /another size/],
    ['between.tif', { images: [image], ...utm, tie: [0, 0, 0, 500_001, 5_500_000, 0] }, /between those/],
    ['fill.tif', { images: [image], ...utm, noData: '0' }, /no data is 0 instead of none/],
  ] as const) {
    const run = tests.run([first, await tests.put(name, other as WrittenTiff)], analysis);
    await assert.rejects(run, (error: Error) => {
      assert.match(error.message, new RegExp(`^${name} does not fit to first.tif: `));
      assert.match(error.message, reason);
      assert.match(error.message, /for: viewer/);
      return true;
    });
  }
});

test('what cannot be read is left out with a warning, and fails alone or if strict', async () => {
  const image: WrittenImage = { width: 20, height: 20, sample: () => 1 };
  const good = await tests.put('good.tif', { images: [image], ...utm });
  const text = await tests.put('text.tif', Buffer.from('no image'));
  const { warnings } = await tests.run([good, text], analysis);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['brokenSheet'],
  );
  await assert.rejects(tests.run([text], analysis), /text\.tif is neither a GeoTIFF nor JPEG 2000/);
  await assert.rejects(
    tests.run([good, text], { ...analysis, processing: { strict: true } }),
    /neither a GeoTIFF nor JPEG 2000/,
  );
  const cutOff = await tests.put('beside.tif', { images: [image], ...utm });
  await truncate(cutOff.path, cutOff.size - 100);
  const { warnings: reported, rejects } = await tests.run([good, cutOff], analysis);
  assert.match(reported[0]!.message, /beside\.tif cannot be read/);
  assert.equal((rejects[0]!.geometry as { type: string }).type, 'Polygon');
  const cut = (await readFile(good.path)).subarray(0, 500);
  await assert.rejects(tests.run([await tests.put('cut.tif', cut)], analysis), /cut\.tif cannot be read/);
});

test('a file that claims to be endless is refused before anything is made', async () => {
  const image: WrittenImage = { width: 20, height: 20, tile: 16, sample: () => 1 };
  const { path } = await tests.put('endless.tif', { images: [image], ...utm });
  const bytes = await readFile(path);
  for (const id of [tag.width, tag.height]) {
    const entry = bytes.indexOf(Buffer.from([id & 255, id >> 8, 4, 0, 1, 0, 0, 0]));
    bytes.writeUInt32LE(2 ** 31 - 1, entry + 8);
  }
  const run = tests.run([await tests.put('endless.tif', bytes)], analysis);
  await assert.rejects(run, /2147483647 × 2147483647 pixels, which is more than a job makes/);
});

test('a block that does not fit into memory is refused with what mends it', async () => {
  const image: WrittenImage = { width: 20, height: 20, tile: 16, sample: () => 1 };
  const { path } = await tests.put('block.tif', { images: [image], ...utm });
  const bytes = await readFile(path);
  for (const id of [tag.tileWidth, tag.tileHeight]) {
    const entry = bytes.indexOf(Buffer.from([id & 255, id >> 8, 3, 0, 1, 0, 0, 0]));
    bytes.writeUInt16LE(60_000, entry + 8);
  }
  const run = tests.run([await tests.put('block.tif', bytes)], analysis);
  await assert.rejects(run, /block\.tif is stored in blocks of 3434 MB, .* gdal_translate -co TILED=YES/);
});

test('a raster without a place is converted with a warning', async () => {
  const image: WrittenImage = { width: 20, height: 20, sample: (x) => x };
  const { result, warnings } = await tests.run([await tests.put('lost.tif', { images: [image] })], analysis);
  assert.equal(result.datasource?.bbox, undefined);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['sheetWithoutPlace'],
  );
});

test('an abort ends it', async () => {
  const abort = new AbortController();
  const input = await tests.put('abort.tif', { images: [wide], ...utm });
  const run = tests.run([input], analysis, {
    signal: abort.signal,
    progress: () => abort.abort(new Error('cancelled')),
  });
  await assert.rejects(run, /cancelled/);
});
