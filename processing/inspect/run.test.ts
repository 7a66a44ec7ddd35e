import assert from 'node:assert/strict';
import { mkdtemp, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { InspectionReport } from '@platen/contract/inspect';
import { Value } from 'typebox/value';
import type { InputRanges } from '../input-ranges.ts';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import type { Inspector } from './inspector.ts';
import { createIssues } from './issues.ts';
import { openForSampling } from './vector/open-for-sampling.ts';
import { everyBrokenFormat } from '../features/testing-broken.ts';
import { inspectInputs, runInspect } from './run.ts';
import { inspectVector } from './vector/inspect-vector.ts';
import { sampleLayer } from './vector/sample-layer.ts';
import { spread } from './vector/spread.ts';

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
      reject: () => {},
    },
  );
  assert.ok(
    Value.Check(InspectionReport, report),
    JSON.stringify([...Value.Errors(InspectionReport, report)]),
  );
  assert.ok(JSON.stringify(report).length <= 256 * 1024);
  return report;
}

const contextOf = (inputs: JobInput[], log: JobContext['log'] = () => {}): JobContext => ({
  inputs,
  outputFolder: folder,
  scratchFolder: folder,
  signal: new AbortController().signal,
  progress: () => {},
  log,
  warn: () => {},
  reject: () => {},
});

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

test('a fault of one inspector is told, and hides neither what others know nor what it had noticed', async () => {
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

test('kind, version, uses and a picture are told', async () => {
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

/** As a runner brings them that does not share the disk: only what is asked for is there. */
function piecesFrom(path: string, size: number, target: string, asked: number[]): InputRanges {
  return {
    async fetch({ input, offset, length }) {
      if (input !== 0) return undefined;
      const from = await open(path);
      const to = await open(target, 'r+').catch(() => open(target, 'w+'));
      await to.truncate(size);
      const { buffer, bytesRead } = await from.read(
        Buffer.alloc(Math.min(length, size - offset)),
        0,
        undefined,
        offset,
      );
      await to.write(buffer, 0, bytesRead, offset);
      await Promise.all([from.close(), to.close()]);
      asked.push(bytesRead);
      return { path: target, size, isWhole: false };
    },
    list: async () => [],
  };
}

/** Only its table of contents. */
function geoPackage(): Buffer {
  const path = join(folder, 'contents.gpkg');
  const database = new DatabaseSync(path);
  database.exec(`
    pragma application_id = 0x47504b47;
    pragma user_version = 10300;
    create table gpkg_spatial_ref_sys (srs_id integer primary key, organization text, organization_coordsys_id integer);
    create table gpkg_contents (table_name text primary key, data_type text, min_x real, min_y real, max_x real,
      max_y real, srs_id integer);
    create table gpkg_geometry_columns (table_name text, column_name text, geometry_type_name text, srs_id integer);
    create table gpkg_ogr_contents (table_name text primary key, feature_count integer);
    insert into gpkg_spatial_ref_sys values (25832, 'EPSG', 25832);
    insert into gpkg_contents values ('trees', 'features', 500000, 5800000, 501000, 5801000, 25832);
    insert into gpkg_geometry_columns values ('trees', 'geom', 'POINT', 25832);
    insert into gpkg_ogr_contents values ('trees', 12345678)`);
  database.close();
  return readFileSync(path);
}

test('a file that is too large to be fetched is told by its beginning, or not at all', async () => {
  const line = `${feature([8, 47], { text: 'x'.repeat(1000) })}\n`;
  const head = line.repeat(Math.ceil((70 << 20) / line.length));
  const size = 300 << 20;
  for (const [name, content] of [
    ['huge.geojsonl', head],
    ['huge.gpkg', geoPackage()],
  ] as const) {
    const path = await write(name, content);
    await truncate(path, size); // nothing but zeros behind
    const asked: number[] = [];
    const pieces = piecesFrom(path, size, join(folder, `pieces of ${name}`), asked);
    const input = { path: join(folder, 'nothing'), name, size };
    const report = await inspectInputs({ ...contextOf([input]), inputRanges: pieces }, [
      { title: 'vectors', load: async () => inspectVector },
    ]);
    assert.ok(asked.reduce((sum, bytes) => sum + bytes) <= 65 << 20);
    if (name === 'huge.gpkg') {
      assert.deepEqual([report.format, codes(report)], ['geopackage', ['notLookedInto']]);
      const { fields: _fields, ...layer } = report.layers[0]!;
      assert.deepEqual(layer, {
        name: 'trees',
        geometryTypes: ['Point'],
        featureCount: 12_345_678,
        isEstimated: false,
        crs: { code: 'EPSG:25832', name: 'ETRS89 / UTM zone 32N', isGuessed: false },
        bbox: layer.bbox,
        isBboxEstimated: false,
      });
      assert.ok(Math.abs(layer.bbox![0]! - 9) < 0.01 && layer.bbox![1]! > 52, String(layer.bbox));
      continue;
    }
    const [layer] = report.layers;
    assert.deepEqual([layer!.isEstimated, layer!.isBboxEstimated, report.issues], [true, true, []]);
    assert.ok(Math.abs(layer!.featureCount! / (size / line.length) - 1) < 0.02, String(layer!.featureCount));
  }
});

test('ten gigabytes of nothing are no trouble', async () => {
  for (const name of ['sparse.geojson', 'sparse.csv', 'sparse.bin']) {
    const path = await write(name, '');
    const size = 10 * 1024 ** 3;
    await truncate(path, size);
    const report = await inspectInputs(contextOf([{ path, name, size }]), [
      { title: 'vectors', load: async () => inspectVector },
    ]);
    assert.deepEqual(report.layers, []);
    assert.ok(report.issues.length > 0, name);
  }
});

test('of a long file only a part is read, and what that tells is marked', async () => {
  const count = 40_000;
  const lines = Array.from({ length: count }, (_, i) =>
    feature([(i % 360) - 180, 0], { i, text: 'x'.repeat(100) }),
  );
  const path = await write('long.geojsonl', lines.join('\n'));
  const { size } = await stat(path);
  const { signal } = new AbortController();
  const opened = await openForSampling(
    { path, name: 'long.geojsonl', size },
    { scratchFolder: folder, signal, isFolder: false },
  );
  const layer = opened!.sources[0]!.layers[0]!;
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

for (const { name, content } of await everyBrokenFormat()) {
  test(`what is wrong in ${name} neither holds the inspection up nor hides what is right`, async () => {
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
