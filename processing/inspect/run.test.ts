import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { InspectionReport } from '@platen/contract/inspect';
import { Value } from 'typebox/value';
import { createIssues } from './issues.ts';
import { openBeginning } from './open-beginning.ts';
import { runInspect } from './run.ts';
import { sampleLayer } from './sample-layer.ts';
import { spread } from './spread.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-inspect-'));
after(() => rm(folder, { recursive: true }));

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function inspect(name: string, content: string | Uint8Array): Promise<InspectionReport> {
  const path = await write(name, content);
  const scratchFolder = await mkdtemp(join(folder, 'scratch-'));
  const { report } = await runInspect(
    {},
    {
      inputs: [{ path, name: basename(path), size: (await stat(path)).size }],
      outputFolder: folder,
      scratchFolder,
      signal: new AbortController().signal,
      progress: () => {},
      log: () => {},
      warn: () => {},
    },
  );
  assert.ok(
    Value.Check(InspectionReport, report),
    JSON.stringify([...Value.Errors(InspectionReport, report)]),
  );
  assert.ok(JSON.stringify(report).length <= 256 * 1024);
  return report;
}

const feature = (coordinates: unknown, properties: object = {}, type = 'Point') =>
  JSON.stringify({ type: 'Feature', properties, geometry: { type, coordinates } });

const codes = ({ issues }: InspectionReport) => issues.map(({ code }) => code);

test('attributes have the type that all values have, and a few examples', async () => {
  const rows = [
    { a: 1, b: 'x', c: 1, d: true, e: { f: 1 }, g: null },
    { a: 2.5, b: 'y', c: 'one', d: false, e: [1], g: null },
    { a: 3, b: 'x', c: 2, d: true, e: {}, g: null },
  ];
  const { layers } = await inspect('rows.geojsonl', rows.map((row, i) => feature([i, i], row)).join('\n'));
  assert.deepEqual(layers[0]!.fields, [
    { name: 'a', type: 'number', examples: [1, 2.5, 3] },
    { name: 'b', type: 'string', examples: ['x', 'y'] },
    { name: 'c', type: 'mixed', examples: [1, 'one', 2] },
    { name: 'd', type: 'boolean', examples: [true, false] },
    { name: 'e', type: 'json', examples: ['{"f":1}', '[1]', '{}'] },
  ]);
});

test('latitudes before longitudes are noticed, and nothing is suggested', async () => {
  const report = await inspect(
    'sydney.geojsonl',
    [feature([-33.9, 151.2]), feature([-33.8, 151.1])].join('\n'),
  );
  assert.deepEqual(codes(report), ['swappedAxes']);
  assert.deepEqual([report.layers[0]!.crs, report.layers[0]!.bbox], [undefined, undefined]);
  assert.equal(report.suggestion, undefined);
});

test('projected coordinates in GeoJSON get a guess, its box, and a suggestion that names it', async () => {
  const report = await inspect('swiss.geojson', feature([2_600_000, 1_200_000]));
  assert.deepEqual(codes(report), ['projectedCoordinates']);
  const [layer] = report.layers;
  assert.deepEqual([layer!.crs!.code, layer!.crs!.isGuessed], ['EPSG:2056', true]);
  assert.ok(Math.abs(layer!.bbox![0]! - 7.4386) < 0.001 && Math.abs(layer!.bbox![1]! - 46.9511) < 0.001);
  assert.deepEqual(report.suggestion!.options['input'], { crs: 'EPSG:2056' });
});

test('a named CRS is followed, and an unknown one is an issue', async () => {
  const crs = (name: string) => `{"type":"name","properties":{"name":"${name}"}}`;
  const collection = (name: string) =>
    `{"type":"FeatureCollection","crs":${crs(name)},"features":[${feature([500_000, 5_800_000])}]}`;
  const known = await inspect('utm.geojson', collection('urn:ogc:def:crs:EPSG::25832'));
  assert.deepEqual(known.layers[0]!.crs, {
    code: 'EPSG:25832',
    name: 'ETRS89 / UTM zone 32N',
    isGuessed: false,
  });
  assert.equal(known.layers[0]!.bbox![0], 9);
  const unknown = await inspect('nowhere.geojson', collection('EPSG:999999'));
  assert.deepEqual(codes(unknown), ['unknownCrs']);
  assert.equal(unknown.suggestion, undefined);
});

test('a few positions that are none do not hide the others', async () => {
  const lines = Array.from({ length: 99 }, (_, i) => feature([10 + i / 100, 50]));
  const report = await inspect('outlier.geojsonl', [...lines, feature([1e300, -1e300])].join('\n'));
  assert.deepEqual(codes(report), ['outsideDegrees']);
  assert.deepEqual(report.layers[0]!.bbox, [10, 50, 10.98, 50]);
});

test('of a long file only a part is read, and what that tells is marked', async () => {
  const count = 40_000;
  const lines = Array.from({ length: count }, (_, i) =>
    feature([(i % 360) - 180, 0], { i, text: 'x'.repeat(100) }),
  );
  const path = await write('long.geojsonl', lines.join('\n'));
  const { size } = await stat(path);
  const { signal } = new AbortController();
  const opened = await openBeginning(
    { path, name: 'long.geojsonl', size },
    { scratchFolder: folder, signal },
  );
  const layer = opened.sources[0]!.layers[0]!;
  assert.ok(layer.parts.length > 4);
  const options = { signal, issues: createIssues(), isCutOff: false };
  const whole = await sampleLayer(layer, { ...options, isOver: () => false });
  assert.deepEqual([whole.isWhole, whole.features], [true, count]);
  let looks = 0;
  const isOver = () => looks++ > 500;
  const sample = await sampleLayer(layer, { ...options, isOver });
  assert.equal(sample.isWhole, false);
  assert.ok(Math.abs(sample.features! / count - 1) < 0.1, `${sample.features}`);
  const glance = await sampleLayer(layer, { ...options, isOver: () => true });
  assert.equal(glance.features, undefined);
});

test('of a long table only the beginning is read, and rows are counted by it', async () => {
  const rows = 200_000;
  const row = (i: number) => `${1_000_000 + i};8.5;47.5;"${'two\nlines '.repeat(10)}"\n`;
  const text = `id;lon;lat;note\n${Array.from({ length: rows }, (_, i) => row(i)).join('')}`;
  assert.ok(text.length > 20 << 20);
  const { layers, issues } = await inspect('long.csv', text);
  const [layer] = layers;
  assert.deepEqual([layer!.isEstimated, layer!.isBboxEstimated], [true, true]);
  assert.ok(Math.abs(layer!.featureCount! / rows - 1) < 0.001, `${layer!.featureCount}`);
  assert.deepEqual(issues, []);
});

test('parts are looked at all over a file, the first one first', () => {
  assert.deepEqual(spread(8), [0, 4, 2, 6, 1, 5, 3, 7]);
  assert.deepEqual(spread(3), [0, 2, 1]);
  assert.deepEqual(spread(1), [0]);
  assert.deepEqual(spread(0), []);
});

test('a report of very many attributes is cut until it can be kept', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5000 }, (_, i) => [`attribute ${'ü'.repeat(150)} ${i}`, '€'.repeat(200)]),
  );
  const report = await inspect('wide.geojson', feature([1, 2], properties));
  assert.deepEqual(codes(report), ['manyFields']);
  assert.ok(report.layers[0]!.fields.length > 0);
});

test('hostile files get an answer with a reason', async () => {
  const hostile: Record<string, string | Uint8Array> = {
    'empty.geojson': '',
    'open.geojson': '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Poi',
    'deep.geojson': '['.repeat(100_000),
    'page.geojson': '<!doctype html><title>Not found</title>',
    'fake.zip': Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(500, 7)]),
    'fake.gz': Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
    'fake.shp': Buffer.concat([Buffer.from([0, 0, 0x27, 0x0a]), Buffer.alloc(96, 0xff)]),
    'fake.gpkg': Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(2000, 0x55)]),
    'fake.fgb': Buffer.concat([Buffer.from('fgb\u0003fgb\u0000'), Buffer.alloc(100, 0xfe)]),
    'fake.gml': '<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml"><gml:featureMember>',
    'fake.csv': 'a,b\n1,2\n',
    'numbers.geojson': '{"type":"Point","coordinates":[1e999,"x"]}',
  };
  for (const [name, content] of Object.entries(hostile)) {
    const { issues, layers } = await inspect(name, content);
    assert.ok(issues.length > 0, `${name}: ${JSON.stringify(layers)}`);
    assert.ok(
      issues.every(({ message }) => message.includes(name)),
      `${name}: ${JSON.stringify(issues)}`,
    );
  }
});
