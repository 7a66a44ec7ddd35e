import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { keysOf, writeTiff, type WrittenImage } from '@platen/formats/geotiff/testing';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { openImageryTests, openTiles } from './testing.ts';

const tests = await openImageryTests();
afterFile(tests.remove);

const [east, north] = [500_000, 5_500_000];
const utm = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, east, north, 0] } as const;

/** Squares of 50 pixels, each with a colour of its own. */
const squares: WrittenImage = {
  width: 400,
  height: 300,
  bands: 3,
  photometric: 2,
  sample: (x, y, band) => [Math.floor(x / 50) * 30, Math.floor(y / 50) * 40, 100][band]!,
};

const plain = (colour: readonly number[], width = 100, height = 100): WrittenImage => ({
  width,
  height,
  bands: 3,
  photometric: 2,
  sample: (_x, _y, band) => colour[band]!,
});

/** Longitude and latitude of a place that is so many pixels right and down. */
function placeOf(right: number, down: number): [lon: number, lat: number] {
  const position = Float64Array.of(east + right * 2, north - down * 2);
  findCrs('EPSG:25832').toLonLat(position, 1);
  return [position[0]!, position[1]!];
}

function isNear(actual: readonly number[] | undefined, wanted: readonly number[], tolerance: number): void {
  const off = wanted.map((value, i) => Math.abs(value - (actual?.[i] ?? NaN)));
  assert.ok(Math.max(...off) <= tolerance, `${actual?.join(', ')} instead of ${wanted.join(', ')}`);
}

for (const format of ['auto', 'jpeg', 'png', 'webp', 'avif'] as const) {
  test(`every colour is in its place, and nothing around, as ${format}`, async () => {
    const input = await tests.put('squares.tif', { images: [squares], ...utm });
    const { result, outputFolder, warnings } = await tests.run([input], { image: { format } });
    assert.deepEqual(warnings, []);
    const { type, bbox, typeProperties, properties } = result.datasource!;
    assert.equal(type, 'tms');
    isNear([bbox![0], bbox![3]], placeOf(0, 0), 1e-4);
    const { minLevel, maxLevel } = typeProperties as { minLevel: number; maxLevel: number };
    assert.deepEqual([minLevel, maxLevel], [0, 16]);
    assert.equal(properties['sheetCount'], 1);
    const tiles = await openTiles(outputFolder);
    const tolerance = { auto: 6, jpeg: 6, png: 1, webp: 10, avif: 10 }[format];
    for (const zoom of [maxLevel, maxLevel - 1]) {
      for (const [x, y] of [
        [0, 0],
        [3, 2],
        [7, 5],
      ] as const)
        isNear(
          await tiles.colourAt(zoom, placeOf(x * 50 + 25, y * 50 + 25)),
          [x * 30, y * 40, 100, 255],
          tolerance,
        );
    }
    const outside = await tiles.colourAt(maxLevel, placeOf(-4, 10));
    isNear(
      outside,
      format === 'jpeg' ? [255, 255, 255, 255] : [outside![0]!, outside![1]!, outside![2]!, 0],
      8,
    );
    assert.equal(await tiles.colourAt(maxLevel, placeOf(-2000, 10)), undefined, 'no tile without pixels');
    for (let z = 0; z <= maxLevel; z++)
      assert.ok(await tiles.colourAt(z, placeOf(200, 150)), `zoom ${z} has a tile`);
    const { length } = await readFile(join(outputFolder, 'tiles.pmtiles.thumbnail.png'));
    assert.ok(length > 100);
  });
}

test('tiles that are covered are JPEG, those with transparent pixels PNG', async () => {
  const input = await tests.put('plain.tif', { images: [plain([10, 200, 90], 1200, 1200)], ...utm });
  const { outputFolder } = await tests.run([input]);
  const tiles = await openTiles(outputFolder);
  const formatAt = async ([lon, lat]: readonly [number, number]): Promise<string | undefined> => {
    const across = ((lon + 180) / 360) * 2 ** 16;
    const down = (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** 16;
    return tiles.formatOf(16, Math.floor(across), Math.floor(down));
  };
  assert.equal(await formatAt(placeOf(600, 600)), 'jpeg');
  assert.equal(await formatAt(placeOf(1, 1)), 'png');
});

test('the same bytes with any number of threads, any memory, and after an interruption', async () => {
  const input = await tests.put('large.tif', {
    images: [
      { ...squares, width: 1200, height: 900, sample: (x, y, band) => (x * 7 + y * 3 + band * 50) & 255 },
    ],
    ...utm,
  });
  const jpeg = { image: { format: 'jpeg' } };
  const single = { ...jpeg, processing: { workers: 1 } };
  const first = await tests.run([input], single);
  const expected = await readFile(join(first.outputFolder, 'tiles.pmtiles'));
  const small = await tests.run([input], { ...jpeg, processing: { workers: 2, memoryMegabytes: 256 } });
  assert.ok((await readFile(join(small.outputFolder, 'tiles.pmtiles'))).equals(expected));
  const scratchFolder = join(tests.folder, 'interrupted');
  const aborter = new AbortController();
  await assert.rejects(
    tests.run([input], single, {
      scratchFolder,
      keepsScratch: true,
      signal: aborter.signal,
      progress: (_phase, done) => done >= 2 && aborter.abort(new Error('ended')),
    }),
    /ended/,
  );
  const starts: number[] = [];
  const resumed = await tests.run([input], single, {
    scratchFolder,
    progress: (phase, done) => void (phase === 'read' && starts.push(done)),
  });
  assert.ok(starts[0]! >= 2, 'units of the former attempt are kept');
  assert.ok((await readFile(join(resumed.outputFolder, 'tiles.pmtiles'))).equals(expected));
  assert.deepEqual(await readdir(scratchFolder), []);
});

test('a folder of sheets, and a zip file of them, give the tiles of the sheets', async () => {
  const folder = join(tests.folder, 'orthos');
  await mkdir(folder);
  const files = {
    'left.tif': writeTiff({ images: [squares], ...utm }),
    'right.tif': writeTiff({ images: [squares], ...utm, tie: [0, 0, 0, east + 800, north, 0] }),
  };
  const sheets = [];
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
    sheets.push(await tests.inputOf(join(folder, name)));
  }
  const options = { output: { name: 'Orthos' } };
  const expected = await readFile((await tests.run(sheets, options)).path);
  const ofFolder = await tests.run([await tests.inputOf(folder)], options);
  assert.equal(ofFolder.result.datasource?.properties['sheetCount'], 2);
  assert.ok((await readFile(ofFolder.path)).equals(expected));
  const zip = await tests.put('orthos.zip', zipOfFiles(files));
  assert.ok((await readFile((await tests.run([zip], options)).path)).equals(expected));
});

test('abutting sheets leave no line, and the finer sheet is on top', async () => {
  const [red, blue] = [
    [200, 30, 30],
    [30, 30, 200],
  ] as const;
  const left = await tests.put('left.tif', { images: [plain(red)], ...utm });
  const right = await tests.put('right.tif', {
    images: [plain(red)],
    ...utm,
    tie: [0, 0, 0, east + 200, north, 0],
  });
  const fine = await tests.put('fine.tif', {
    images: [plain(blue)],
    ...utm,
    scale: [1, 1],
    tie: [0, 0, 0, east + 20, north - 20, 0],
  });
  const { outputFolder } = await tests.run([fine, left, right], { image: { format: 'png' } });
  const tiles = await openTiles(outputFolder);
  for (let right = 95; right < 105; right += 0.25)
    isNear(await tiles.colourAt(17, placeOf(right, 80)), [...red, 255], 1);
  isNear(await tiles.colourAt(17, placeOf(35, 35)), [...blue, 255], 1);
});

test('a sheet that cannot be read is left out with a warning, or fails the job', async () => {
  const whole = await tests.put('whole.tif', { images: [plain([1, 2, 3])], ...utm });
  const cutOff = await tests.put('cut.tif', {
    images: [plain([4, 5, 6])],
    ...utm,
    tie: [0, 0, 0, east + 200, north, 0],
  });
  await truncate(cutOff.path, cutOff.size - 20_000);
  const { warnings, rejects } = await tests.run([whole, cutOff]);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['brokenSheet'],
  );
  assert.match(warnings[0]!.message, /cut\.tif/);
  const [{ coordinates }] = rejects.map(({ geometry }) => geometry) as [{ coordinates: number[][][] }];
  assert.equal(coordinates[0]!.length, 5, 'its outline');
  await assert.rejects(
    tests.run([whole, cutOff], { processing: { strict: true } }),
    /cut\.tif cannot be read/,
  );
});

test('options that contradict each other, and sheets without a pixel, are refused', async () => {
  const input = await tests.put('plain.tif', { images: [plain([1, 2, 3])], ...utm });
  await assert.rejects(tests.run([input], { tiling: { minZoom: 5, maxZoom: 3 } }), /tiling\.maxZoom/);
  await assert.rejects(tests.run([input], { colour: { bands: [1, 2] } }), /colour\.bands/);
  await assert.rejects(tests.run([]), /no input/);
  const empty = await tests.put('empty.tif', { images: [plain([0, 0, 0])], ...utm, noData: '0' });
  await assert.rejects(tests.run([empty]), /No sheet has a single pixel/);
});

test('zooms, MBTiles and a folder are as asked for', async () => {
  const input = await tests.put('zooms.tif', { images: [squares], ...utm });
  const few = await tests.run([input], {
    tiling: { minZoom: 10, maxZoom: 13 },
    output: { format: 'mbtiles' },
  });
  const { minZoom, maxZoom } = (await openTiles(few.outputFolder)).archive.header;
  assert.deepEqual([minZoom, maxZoom], [10, 13]);
  assert.ok((await readdir(few.outputFolder)).includes('tiles.mbtiles'));
  const more = await tests.run([input], {
    tiling: { minZoom: 15, maxZoom: 17 },
    output: { format: 'folder', name: 'Squares', attribution: '© City' },
  });
  assert.equal(more.result.datasource!.path, 'tiles');
  const described = JSON.parse(await readFile(join(more.outputFolder, 'tiles/tiles.json'), 'utf8'));
  assert.deepEqual(
    [described.name, described.attribution, described.scheme, described.minzoom, described.maxzoom],
    ['Squares', '© City', 'tms', 15, 17],
  );
  assert.deepEqual((await readdir(join(more.outputFolder, 'tiles'))).toSorted(), [
    '15',
    '16',
    '17',
    'thumbnail.png',
    'tiles.json',
  ]);
});
