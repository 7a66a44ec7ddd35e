import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { writePng } from '@platen/formats/png/write-png';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { suggestJobs } from '../../suggest-jobs.ts';
import { createFeatureSamples } from '../feature-samples.ts';
import { createIssues } from '../issues.ts';
import { codesOf, inspectFile, inspectFolder, subjectOf, type Files } from '../testing-subject.ts';
import { inspectMosaic } from './inspect-mosaic.ts';

const side = 64;
const picture = { width: side, height: side, bands: 3, sample: (x: number, y: number) => (x * y) & 255 };

/** A sheet of a grid of 128 m in EPSG:25832. */
const sheet = (column: number, row: number, code = 25832, east = 690_000) =>
  writeTiff({
    images: [picture],
    keys: keysOf(code),
    scale: [2, 2],
    tie: [0, 0, 0, east + column * side * 2, 5_330_000 + row * side * 2, 0],
  });

const grid = (columns: number, rows: number): Record<string, Uint8Array> =>
  Object.fromEntries(
    Array.from({ length: columns * rows }, (_, i) => [
      `sheets/${i % columns}-${Math.floor(i / columns)}.tif`,
      sheet(i % columns, Math.floor(i / columns)),
    ]),
  );

test('a folder of sheets, or a zip of it, is one mosaic with all jobs that suit it', async () => {
  for (const report of [
    await inspectFolder(grid(4, 3)),
    await inspectFile('all.zip', zipOfFiles(grid(4, 3))),
  ]) {
    assert.deepEqual([report.kind, report.layers.length, codesOf(report)], ['raster', 1, []]);
    const [{ crs, featureCount, details, bbox }] = report.layers as [(typeof report.layers)[0]];
    assert.deepEqual([crs?.code, featureCount], ['EPSG:25832', 12]);
    assert.deepEqual([details!['sheets'], details!['gaps'], details!['overlapPercent']], [12, 0, 0]);
    assert.ok(Math.abs((bbox![2]! - bbox![0]!) * 74_400 - 4 * 128) < 20, 'as wide as four sheets');
    const { uses, suggestion } = suggestJobs(report, 2);
    assert.deepEqual(
      uses.map(({ type }) => type),
      ['platenTilesImagery', 'platenConvertRaster'],
    );
    assert.equal(suggestion?.maxZoom, 16);
    assert.ok(suggestion.expectedBytes! > 10_000);
  }
});

test('the sheet in the middle shows how all would look: its colours, or its numbers', async () => {
  const colours = await inspectFolder(grid(3, 1));
  assert.equal(colours.sheetPicture?.width, side);
  assert.match(colours.sheetPicture.url, /^data:image\//);
  assert.equal(colours.thumbnail, undefined, 'a picture in the place of all sheets would be wrong');
  const numbers = Object.fromEntries(
    [0, 1].map((column) => [
      `sheets/${column}.tif`,
      writeTiff({
        images: [
          { width: side, height: side, bands: 3, bits: 16, photometric: 2, sample: (x, y) => x * 300 + y },
        ],
        keys: keysOf(25832),
        scale: [2, 2],
        tie: [0, 0, 0, 690_000 + column * side * 2, 5_330_000, 0],
      }),
    ]),
  );
  const report = await inspectFolder(numbers);
  assert.deepEqual([report.pixels?.bands, report.sheetPicture], [3, undefined]);
});

test('gaps, sheets without place and damaged ones are named, and sheets of other systems are counted', async () => {
  const { 'sheets/1-1.tif': middle, ...others } = grid(3, 3);
  const files: Files = {
    ...others,
    'sheets/lost.png': writePng(new Uint8Array(side * side * 4), side, side),
    'sheets/cut.tif': middle!.subarray(0, 40),
    'sheets/text.jpg': 'no image',
    'sheets/3-0.tif': sheet(0, 0, 25833, 247_700),
    'read me.txt': 'Bavaria',
  };
  const report = await inspectFolder(files);
  const [{ details, crs }] = report.layers as [(typeof report.layers)[0]];
  assert.deepEqual(details!['systems'], ['EPSG:25832 (8)', 'EPSG:25833 (1)']);
  assert.equal(crs, undefined);
  const messageOf = (code: string) => report.issues.find((issue) => issue.code === code)?.message ?? '';
  assert.match(messageOf('sheetsWithoutPlace'), /1 of 12 sheets .*: sheets\/lost\.png\./);
  assert.match(messageOf('damagedSheets'), /2 of 12 .*sheets\/cut\.tif, sheets\/text\.jpg\./);
  assert.match(messageOf('mosaicGaps'), /1 gap between them/);
});

test('a sheet in another country is told, with the factor that it costs', async () => {
  const report = await inspectFolder({ ...grid(3, 1), 'sheets/9-9.tif': sheet(0, 0, 25832, 300_000) });
  const { message } = report.issues.find(({ code }) => code === 'sheetsFarApart')!;
  assert.match(message, /\d+ times as large .*westernmost is sheets\/9-9\.tif/);
});

test('outlines of sheets and of gaps become features for the map', async () => {
  const { 'sheets/1-1.tif': _middle, ...files } = grid(3, 3);
  const samples = createFeatureSamples();
  const folder = subjectOf(files);
  const context = {
    issues: createIssues(),
    signal: new AbortController().signal,
    isOver: () => false,
    memoryBytes: 512 << 20,
    scratchFolder: '',
    samples,
  };
  const finding = await inspectMosaic(folder, await folder.list(100), context);
  const [{ features, isWhole }] = samples.list([finding!.layers[0]!.name]) as unknown as [
    { features: { properties: object; geometry: { type: string } }[]; isWhole: boolean },
  ];
  assert.deepEqual([features.length, isWhole], [9, true]);
  assert.deepEqual(features[0]!.properties, { gap: '1' });
  assert.deepEqual(features[1]!.properties, {
    name: 'sheets/0-0.tif',
    crs: 'EPSG:25832',
    pixels: '64 × 64',
    pixelSize: '2.00 m',
  });
  assert.ok(features.every(({ geometry }) => geometry.type === 'Polygon'));
});

test('when time is over, some sheets from all over the folder stand for all', async () => {
  let reads = 0;
  const folder = subjectOf(grid(10, 10));
  const issues = createIssues();
  const finding = await inspectMosaic(
    folder,
    await folder.list(1000),
    {
      issues,
      signal: new AbortController().signal,
      isOver: () => reads++ > 40,
      memoryBytes: 512 << 20,
      scratchFolder: '',
    },
    0,
  );
  const [{ bbox, featureCount, isBboxEstimated }] = finding!.layers as unknown as [
    (typeof finding & object)['layers'][0],
  ];
  assert.deepEqual([featureCount, isBboxEstimated], [100, true]);
  assert.ok(Math.abs((bbox![2]! - bbox![0]!) * 74_400 - 10 * 128) < 300);
  assert.match(issues.list()[0]!.message + issues.list().at(-1)!.message, /only 4\d of 100 sheets were read/);
  assert.ok(Math.abs(finding!.raster!.pixels / (100 * side ** 2) - 1) < 0.05);
});

test('world files without a coordinate system are placed by a guess, which is to be confirmed', async () => {
  const png = writePng(new Uint8Array(side * side * 4).fill(200), side, side);
  const world = (x: number) => `2\n0\n0\n-2\n${x}\n5330000\n`;
  const report = await inspectFolder({
    'a.png': png,
    'a.pgw': world(690_000),
    'b.png': png,
    'b.pgw': world(690_128),
  });
  assert.deepEqual([report.layers[0]?.crs?.isGuessed, codesOf(report)], [true, ['missingCrs']]);
  assert.ok(report.layers[0]!.bbox);
});

test('pictures without a place are no mosaic', async () => {
  const png = writePng(new Uint8Array(side * side * 4), side, side);
  const report = await inspectFolder({ 'a.png': png, 'b.png': png });
  assert.equal(report.layers[0]?.details?.['sheets'], undefined);
});
