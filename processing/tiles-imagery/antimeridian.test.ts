import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, type WrittenImage, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { runConvertRaster } from '../convert-raster/run.ts';
import { openSheetTests } from '../raster-source/testing.ts';
import { openImageryTests, openTiles } from './testing.ts';

const tests = await openImageryTests();
afterFile(tests.remove);

/** Red in the western half, and green in the eastern one. */
const halves: WrittenImage = {
  width: 600,
  height: 400,
  bands: 3,
  photometric: 2,
  sample: (x, _y, band) => (band === (x < 300 ? 0 : 1) ? 200 : 20),
};

/** Sheets in Fiji whose middles are at 180°, with metres and with degrees. */
const sheets: Readonly<Record<string, WrittenTiff>> = {
  'UTM zone 60': {
    images: [halves],
    keys: keysOf(32_760),
    scale: [10, 10],
    tie: [0, 0, 0, 819_428 - 3000, 8_120_000, 0],
  },
  'degrees above 180': {
    images: [halves],
    keys: keysOf(4326, 2),
    scale: [1e-4, 1e-4],
    tie: [0, 0, 0, 180 - 0.03, -17, 0],
  },
  'degrees below -180': {
    images: [halves],
    keys: keysOf(4326, 2),
    scale: [1e-4, 1e-4],
    tie: [0, 0, 0, -180 - 0.03, -17, 0],
  },
};

for (const [name, sheet] of Object.entries(sheets)) {
  test(`a sheet that crosses 180° is shown on both sides of it: ${name}`, async () => {
    const input = await tests.put(`${name}.tif`, sheet);
    const { result, outputFolder, warnings } = await tests.run([input], { image: { format: 'png' } });
    assert.deepEqual(warnings, []);
    const { bbox, properties } = result.datasource!;
    assert.deepEqual([bbox![0], bbox![2]], [-180, 180], 'clients know no box beyond 180°');
    const { maxZoom, tileCount } = properties as { maxZoom: number; tileCount: number };
    assert.ok(tileCount < 100, `${tileCount} tiles, of both sides only`);
    const tiles = await openTiles(outputFolder);
    assert.deepEqual(await tiles.colourAt(maxZoom, [179.985, -17.015]), [200, 20, 20, 255]);
    assert.deepEqual(await tiles.colourAt(maxZoom, [-179.985, -17.015]), [20, 200, 20, 255]);
    assert.equal(await tiles.colourAt(maxZoom, [0, -17.015]), undefined);
  });
}

test('sheets on both sides of 180° and one across are one mosaic', async () => {
  const sheetAt = (longitude: number): WrittenTiff => ({
    ...sheets['degrees above 180']!,
    tie: [0, 0, 0, longitude, -17, 0],
  });
  const inputs = [
    await tests.put('west.tif', sheetAt(179.9)),
    await tests.put('across.tif', sheetAt(179.97)),
    await tests.put('east.tif', sheetAt(-179.96)),
  ];
  const { outputFolder, result, warnings } = await tests.run(inputs, { image: { format: 'png' } });
  assert.deepEqual(warnings, [], 'they are not far apart');
  const tiles = await openTiles(outputFolder);
  const { maxZoom } = result.datasource!.properties as { maxZoom: number };
  for (const [longitude, colour] of [
    [179.91, [200, 20, 20, 255]],
    [-179.91, [20, 200, 20, 255]],
  ] as const)
    assert.deepEqual(await tiles.colourAt(maxZoom, [longitude, -17.01]), colour);
});

test('a COG for web maps of a sheet that crosses 180° fails and says what to do instead', async () => {
  const cogs = await openSheetTests(runConvertRaster);
  afterFile(cogs.remove);
  const input = await cogs.put('across.tif', sheets['UTM zone 60']!);
  await assert.rejects(cogs.run([input]), /across\.tif crosses 180°.*Make image tiles/);
  const { path } = await cogs.run([input], { for: 'analysis' });
  assert.match(path, /\.tif$/);
});
