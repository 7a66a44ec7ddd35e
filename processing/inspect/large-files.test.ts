import assert from 'node:assert/strict';
import { open, stat, truncate } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { InputRanges } from '../input-ranges.ts';
import { createIssues } from './issues.ts';
import { openForSampling } from './vector/open-for-sampling.ts';
import { inspectInputs } from './run.ts';
import { inspectVector } from './vector/inspect-vector.ts';
import { sampleLayer } from './vector/sample-layer.ts';
import { spread } from './vector/spread.ts';
import { codes, feature, setUpInspections } from './testing-inspections.ts';

const { contextOf, folder, inspect, write } = await setUpInspections();

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

test('a file too large to fetch is described from its beginning, or not at all', async () => {
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

test('ten gigabytes of zeros are rejected quickly', async () => {
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

test('a long file is sampled, and its numbers are marked as estimates', async () => {
  const count = 40_000;
  const lines = Array.from({ length: count }, (_, i) =>
    feature([(i % 360) - 180, 0], { i, text: 'x'.repeat(100) }),
  );
  const path = await write('long.geojsonl', lines.join('\n'));
  const { size } = await stat(path);
  const { signal } = new AbortController();
  const opened = await openForSampling(
    { path, name: 'long.geojsonl', size },
    { scratchFolder: folder, signal, isFolder: false, memoryBytes: 2 ** 29 },
  );
  const layer = opened!.sources[0]!.layers[0]!;
  assert.ok(layer.parts.length > 4);
  const options = { signal, issues: createIssues(), isCutOff: false, memoryBytes: 2 ** 29 };
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

test('a long table is read only at its beginning, from which the rows are estimated', async () => {
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

test('sampled parts spread over the whole file, beginning with the first', () => {
  assert.deepEqual(spread(8), [0, 4, 2, 6, 1, 5, 3, 7]);
  assert.deepEqual(spread(3), [0, 2, 1]);
  assert.deepEqual(spread(1), [0]);
  assert.deepEqual(spread(0), []);
});
