import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import type { InspectionReport } from '@platen/contract/inspect';
import { writeLas } from '@platen/formats/las/testing';
import { JobFailure } from '../job-type.ts';
import type { Inspector } from './inspector.ts';
import { everyBrokenFormat } from '../features/testing-broken.ts';
import { inspectInputs, runInspect } from './run.ts';
import { inspectVector } from './vector/inspect-vector.ts';
import { codes, feature, setUpInspections } from './testing-inspections.ts';

const { contextOf, inspect, write } = await setUpInspections();

test('attributes have the common type of their values, and a few examples', async () => {
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

test('swapped axes are detected, and nothing is suggested', async () => {
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

test('a guess depends on where the data of the project probably are', async () => {
  const path = await write('a.las', writeLas({ points: [{ x: 391_000, y: 5_820_000, z: 0 }] }));
  const inputs = [{ path, name: 'a.las', size: (await stat(path)).size }];
  const codeWith = async (options: { area?: number[] }): Promise<string | undefined> => {
    const { report } = await runInspect(options, contextOf(inputs));
    return (report as InspectionReport).layers[0]!.crs!.code;
  };
  assert.equal(await codeWith({}), 'EPSG:25832');
  assert.equal(await codeWith({ area: [13, 52, 14, 53] }), 'EPSG:25833');
});

test('a named CRS is used, and an unknown one is an issue', async () => {
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

test('a few invalid positions do not affect the others', async () => {
  const lines = Array.from({ length: 99 }, (_, i) => feature([10 + i / 100, 50]));
  const report = await inspect('outlier.geojsonl', [...lines, feature([1e300, -1e300])].join('\n'));
  assert.deepEqual(codes(report), ['outsideDegrees']);
  assert.deepEqual(report.layers[0]!.bbox, [10, 50, 10.98, 50]);
});

test('GeoJSON is longitude and latitude, even if half of two positions are not, and the outlier is named', async () => {
  const report = await inspect(
    'halfbad.geojsonl',
    [feature([11.5, 48.1]), feature([11_500, 48_100])].join('\n'),
  );
  assert.deepEqual(codes(report), ['outsideDegrees']);
  assert.match(report.issues[0]!.message, /The first one is 11500, 48100\./);
  assert.deepEqual(report.layers[0]!.crs, { code: 'EPSG:4326', name: 'WGS 84', isGuessed: false });
  assert.deepEqual(report.layers[0]!.bbox, [11.5, 48.1, 11.5, 48.1]);
});

test('an error in one inspector is reported, and hides neither the results of others nor its earlier issues', async () => {
  const path = await write('a.geojson', feature([1, 2]));
  const input = { path, name: 'a.geojson', size: (await stat(path)).size };
  const logged: string[] = [];
  const family = (title: string, inspector: Inspector) => ({ title, load: async () => inspector });
  const context = contextOf([input], (_level, message) => logged.push(message));
  const report = await inspectInputs(
    context,
    [
      family('cubes', async (_subject, { issues }) => {
        issues.add('dented', 'A cube has a dent.');
        throw new TypeError('no such corner');
      }),
      family('nothing', async (_subject, { issues }) => {
        issues.add('seen', 'This is none of ours, so nobody need know.');
        return undefined;
      }),
      family('spheres', () => new Promise(() => {})),
      family('vectors', inspectVector),
    ],
    { maxMs: 2000 },
  );
  assert.deepEqual(codes(report), ['dented', 'inspectorFailed', 'inspectionTooLong']);
  assert.deepEqual(logged, ['Looking for cubes failed: TypeError: no such corner']);
  const known = await inspectInputs(context, [
    family('cubes', () => Promise.reject(new Error('none'))),
    family('vectors', inspectVector),
  ]);
  assert.deepEqual([known.format, codes(known)], ['geojson', ['inspectorFailed']]);
  const gone = family('cubes', () => Promise.reject(new JobFailure('inputChanged', 'It was changed.')));
  await assert.rejects(inspectInputs(context, [gone]), { code: 'inputChanged' });
});

test('the report has kind, version, uses and a thumbnail', async () => {
  const report = await inspect(
    'places.geojson',
    feature(
      [
        [8, 47],
        [9, 48],
      ],
      {},
      'LineString',
    ),
  );
  assert.equal(report.kind, 'vector');
  assert.deepEqual(
    report.uses.map(({ kind, type }) => `${kind} ${type}`),
    ['job platenTilesVector', 'datasource geojson', 'job platenConvertVector'],
  );
  const png = Buffer.from(report.thumbnail!.replace('data:image/png;base64,', ''), 'base64');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [256, 171]);
  const gpx = await inspect(
    'track.gpx',
    '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="2"/></gpx>',
  );
  assert.deepEqual([gpx.format, gpx.formatVersion], ['gpx', '1.1']);
  const nowhere = await inspect('swapped.geojsonl', feature([-33.9, 151.2]));
  assert.deepEqual([nowhere.uses, nowhere.thumbnail], [[], undefined]);
});

test('a report with very many attributes is shortened to the size limit', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5000 }, (_, i) => [`attribute ${'ü'.repeat(150)} ${i}`, '€'.repeat(200)]),
  );
  const report = await inspect('wide.geojson', feature([1, 2], properties));
  assert.deepEqual(codes(report), ['manyFields']);
  assert.ok(report.layers[0]!.fields.length > 0);
});

for (const { name, content } of await everyBrokenFormat()) {
  test(`faults in ${name} neither stop the inspection nor hide its valid features`, async () => {
    const report = await inspect(name, content);
    assert.equal(report.kind, 'vector');
    assert.ok(report.layers.length > 0);
  });
}

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
