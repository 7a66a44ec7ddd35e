import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectionReport } from '@platen/contract/inspect';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import { writeE57 } from '@platen/formats/e57/testing';
import { writeTiff } from '@platen/formats/geotiff/testing';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { suggestJobs } from '../../suggest-jobs.ts';
import { scratchShare } from '../../tiles-pointcloud/scratch-share.ts';
import { createFeatureSamples } from '../feature-samples.ts';
import { createIssues } from '../issues.ts';
import {
  codesOf,
  inspectFile,
  inspectFolder,
  inspectSubject,
  subjectOf,
  type Files,
} from '../testing-subject.ts';
import { inspectPointSheets } from './inspect-point-sheets.ts';

const perSide = 60;
const metres = perSide / 2;

interface Sheet {
  readonly code?: number | 'geocentric' | undefined;
  readonly vertical?: number | undefined;
  readonly brightest?: number;
  readonly isSparse?: boolean;
  readonly east?: number;
}

/** A sheet of a grid of 30 m with four points on each square metre, or with one. */
const sheet = (column: number, row: number, options: Sheet = {}): Buffer => {
  const { vertical = 7837, brightest = 60_000, isSparse = false, east = 600_000 } = options;
  const { code = 'code' in options ? undefined : 25832 } = options;
  const step = isSparse ? 2 : 1;
  const side = perSide / step;
  const points = Array.from({ length: side * side }, (_, i) => ({
    x: east + column * metres + ((i % side) * step) / 2,
    y: 5_400_000 + row * metres + (Math.floor(i / side) * step) / 2,
    z: 500 + (i % 7),
    classification: i % 4 === 0 ? 6 : 2,
    colour: [brightest, 5, 7] as const,
  }));
  const records =
    code === undefined
      ? []
      : code === 'geocentric'
        ? [keysRecord([[1024, 0, 1, 3]])]
        : [
            keysRecord([
              [1024, 0, 1, 1],
              [3072, 0, 1, code],
              ...(vertical ? [[4096, 0, 1, vertical] as const] : []),
            ]),
          ];
  return writeLas({ pointFormat: 2, points, records });
};

const grid = (columns: number, rows: number): Record<string, Buffer> =>
  Object.fromEntries(
    Array.from({ length: columns * rows }, (_, i) => [
      `laser/${i % columns}-${Math.floor(i / columns)}.las`,
      sheet(i % columns, Math.floor(i / columns)),
    ]),
  );

const layerOf = ({ layers }: InspectionReport) => {
  assert.equal(layers.length, 1);
  return { ...layers[0]!, details: layers[0]!.details! };
};
const messageOf = ({ issues }: InspectionReport, code: string): string =>
  issues.find((issue) => issue.code === code)?.message ?? '';

test('a folder of sheets, or a zip of it, is one cloud that ends in one suggestion', async () => {
  const files = { ...grid(4, 3), 'laser/readme.pdf': '%PDF-1.7\n', 'laser/0-0.prj': 'LOCAL_CS["x"]' };
  for (const report of [await inspectFolder(files), await inspectFile('all.zip', zipOfFiles(files))]) {
    assert.deepEqual([report.kind, report.format, codesOf(report)], ['pointCloud', 'las', []]);
    const { details, crs, featureCount, isEstimated, bbox, verticalDatum } = layerOf(report);
    assert.deepEqual(
      [crs?.code, verticalDatum, featureCount, isEstimated],
      ['EPSG:25832', 'DHHN2016 height', 12 * perSide ** 2, false],
    );
    assert.deepEqual(
      [details['sheets'], details['formats'], details['gaps'], details['overlapPercent']],
      [12, ['LAS'], 0, 0],
    );
    assert.deepEqual([details['colourBits'], details['heightRange']], [16, [500, 506]]);
    assert.deepEqual(details['classes'], [
      { code: 2, name: 'ground', share: 0.75 },
      { code: 6, name: 'building', share: 0.25 },
    ]);
    assert.ok(Math.abs((details['pointsPerSquareMetre'] as number) - 4) < 0.4, 'four on a square metre');
    const width = (bbox![2]! - bbox![0]!) * 111_320 * Math.cos((bbox![1]! * Math.PI) / 180);
    assert.ok(Math.abs(width - 4 * metres) < 2, 'as wide as four sheets');
    const { uses, suggestion } = suggestJobs(report, 2);
    assert.equal(uses[0]!.type, 'platenTilesPointcloud');
    const { jobType, options, expectedBytes, expectedSeconds, expectedScratchBytes } = suggestion!;
    assert.deepEqual([jobType, options], ['platenTilesPointcloud', { heights: { mode: 'flat' } }]);
    const points = 12 * perSide ** 2;
    assert.ok(expectedBytes! > points * 3 && expectedBytes! < points * 10);
    assert.ok(expectedSeconds! > 0.5 && expectedSeconds! < 3);
    // four words of each, and room for tiles
    assert.ok(Math.abs(expectedScratchBytes! / (points * 16 * scratchShare) - 1) < 0.05);
  }
});

test('what sheets do not have in common is told: systems, heights, densities, depths of colours and formats', async () => {
  const axis = (name: string, start: number) => ({
    name,
    type: 'scaled' as const,
    minimum: 0,
    maximum: 1e9,
    scale: 0.01,
    values: Array.from({ length: 300 }, (_, i) => start + i / 10),
  });
  const report = await inspectFolder({
    ...grid(3, 1),
    '3.las': sheet(3, 0, { brightest: 200, isSparse: true }),
    '4.las': sheet(0, 0, { code: 25833, vertical: 5783, east: 160_000 }),
    '5.e57': writeE57({
      scans: [{ fields: [axis('cartesianX', 1), axis('cartesianY', 2), axis('cartesianZ', 3)] }],
    }),
  });
  const { details, crs, verticalDatum } = layerOf(report);
  assert.deepEqual(details['formats'], ['LAS (5)', 'E57 (1)']);
  assert.deepEqual(details['systems'], ['EPSG:25832 (4)', 'EPSG:25833 (1)']);
  assert.deepEqual([crs, verticalDatum, details['colourBits']], [undefined, undefined, [8, 16]]);
  const [min, max] = details['densityRange'] as [number, number];
  assert.ok(min < 1.3 && max > 3.6, `${min} to ${max}`);
  assert.match(messageOf(report, 'sheetsWithoutPlace'), /1 of 6 .*: 5\.e57\. Set .*modelOptions\.placement/);
  const { suggestion } = suggestJobs(report, 2);
  assert.deepEqual(suggestion!.options, { heights: { mode: 'flat' } }, 'each sheet is read as it says');
  assert.match(
    suggestion!.reason,
    /different things of their heights: DHHN2016 height \(4\), DHHN92 height \(1\)/,
  );
});

test('gaps, overlaps, and damaged sheets are told', async () => {
  const { 'laser/1-1.las': middle, ...others } = grid(3, 3);
  const gap = await inspectFolder({
    ...others,
    'laser/cut.las': middle!.subarray(0, 100),
    'laser/empty.laz': 'no points',
  });
  assert.match(
    messageOf(gap, 'damagedSheets'),
    /1 of 9 .*laser\/cut\.las\. The first: it is cut off in its header/,
  );
  assert.match(messageOf(gap, 'mosaicGaps'), /1 gap between them, 1[23] %/);
  const twice = layerOf(await inspectFolder({ 'a.las': sheet(0, 0), 'b.las': sheet(0.5, 0) }));
  assert.ok(Math.abs((twice.details['overlapPercent'] as number) - 33) < 5);
});

test('sheets that say nothing of their heights get what is usual as a suggestion', async () => {
  const report = await inspectFolder({
    'a.las': sheet(0, 0, { vertical: 0 }),
    'b.las': sheet(1, 0, { vertical: 0 }),
  });
  assert.deepEqual(suggestJobs(report, 2).suggestion!.options, {
    heights: { mode: 'flat', vertical: 'EPSG:7837' },
  });
});

test('sheets without a coordinate system, or with a wrong geocentric one, are placed by a guess, and scans that count from a scanner are not', async () => {
  const guessed = await inspectFolder({
    'a.las': sheet(0, 0, { code: undefined }),
    'b.las': sheet(1, 0, { code: undefined }),
  });
  assert.deepEqual([layerOf(guessed).crs?.isGuessed, codesOf(guessed)], [true, ['missingCrs']]);
  const wrong = await inspectFolder({
    'a.las': sheet(0, 0, { code: 'geocentric' }),
    'b.las': sheet(1, 0, { code: 'geocentric' }),
  });
  assert.deepEqual([layerOf(wrong).crs, layerOf(wrong).bbox], [layerOf(guessed).crs, layerOf(guessed).bbox]);
  assert.deepEqual(codesOf(wrong), ['projectedCoordinates']);
  const scans = await inspectFolder({ 'a.pts': '2\n1 2 3\n4 5 6\n', 'b.pts': '2\n1 2 3\n4 5 6\n' });
  assert.deepEqual([layerOf(scans).bbox, codesOf(scans)], [undefined, ['sheetsWithoutPlace']]);
  const { uses, suggestion } = suggestJobs(scans, 2);
  assert.deepEqual([uses[0]!.type, suggestion], ['platenTilesPointcloud', undefined]);
  assert.match(uses[0]!.reason, /once its place is set/);
});

test('images beside points belong to them, and folders of tables, grids or images are no clouds', async () => {
  const image = writeTiff({ images: [{ width: 4, height: 4, bands: 3, sample: () => 7 }] });
  const both = await inspectFolder({ ...grid(2, 1), 'image/a.tif': image, 'image/b.tif': image });
  assert.equal(both.kind, 'pointCloud');
  const rows = Array.from(
    { length: 900 },
    (_, i) => `${600_000 + (i % 30)} ${5_400_000 - Math.floor(i / 30)} 9`,
  );
  const others: Files[] = [
    { 'a.csv': 'name;lon;lat\nx;11;48\n', 'b.csv': 'name;lon;lat\ny;11;48\n' },
    { 'a.las': sheet(0, 0), 'a.tif': image, 'b.tif': image, 'c.tif': image },
  ];
  for (const files of others)
    assert.equal((await inspectSubject(subjectOf(files)))?.layers[0]?.details?.['sheets'], undefined);
  const heights = await inspectFolder({ 'a.xyz': rows.join('\n'), 'b.xyz': rows.join('\n') });
  assert.equal(heights.kind, 'terrain');
});

test('outlines of sheets and of gaps become features for the map', async () => {
  const { 'laser/1-1.las': _middle, ...files } = grid(3, 3);
  const samples = createFeatureSamples();
  const folder = subjectOf(files);
  const finding = await inspectPointSheets(folder, await folder.list(100), {
    ...context(),
    samples,
  });
  const [{ features, isWhole }] = samples.list([finding!.layers[0]!.name]) as unknown as [
    { features: { properties: object; geometry: { type: string } }[]; isWhole: boolean },
  ];
  assert.deepEqual([features.length, isWhole], [9, true]);
  assert.deepEqual(features[0]!.properties, { gap: '1' });
  assert.deepEqual(features[1]!.properties, {
    name: 'laser/0-0.las',
    crs: 'EPSG:25832',
    points: perSide ** 2,
  });
});

test('when time is over, some sheets from all over the folder stand for all', async () => {
  let asked = 0;
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [
      `${i % 10}-${Math.floor(i / 10)}.las`,
      sheet(i % 10, i / 10, { isSparse: true }),
    ]),
  );
  const folder = subjectOf(files);
  const own = { ...context(), isOver: () => asked++ > 40 };
  const finding = await inspectPointSheets(folder, await folder.list(1000), own, 0);
  const { featureCount, isEstimated, isBboxEstimated } = finding!.layers[0]!;
  assert.deepEqual([isEstimated, isBboxEstimated], [true, true]);
  assert.ok(Math.abs(featureCount! / (100 * (perSide / 2) ** 2) - 1) < 0.01, `${featureCount}`);
  assert.match(
    messageOf({ ...finding!, issues: own.issues.list() }, 'notAllSheets'),
    /only 4\d of 100 sheets/,
  );
});

const context = () => ({
  issues: createIssues(),
  signal: new AbortController().signal,
  isOver: () => false,
  memoryBytes: 512 << 20,
  scratchFolder: '',
});
