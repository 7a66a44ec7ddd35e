import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SourceFile } from '../source/source.ts';
import { geoJsonFormat } from './format.ts';
import { afterFile } from '../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-divide-'));
afterFile(() => rm(root, { recursive: true }));
let files = 0;

async function fileOf(text: string): Promise<SourceFile> {
  const path = join(root, `${files++}.json`);
  await writeFile(path, text);
  return { path, name: 'data.json', size: (await stat(path)).size, related: {} };
}

async function read(file: SourceFile, partBytes: number) {
  const options = { signal: new AbortController().signal, partBytes };
  const { layers } = await geoJsonFormat.open(file, options);
  const [{ parts, crs }] = layers as [(typeof layers)[0]];
  const ids: unknown[] = [];
  const lines: unknown[] = [];
  for (const part of parts) {
    await geoJsonFormat.read(
      part,
      (feature, place) => {
        ids.push(feature.id);
        lines.push(place().line);
      },
      { maxFeatureBytes: 1e6 },
    );
  }
  return { ids, lines, parts: parts.length, crs };
}

const features = Array.from({ length: 300 }, (_, id) => ({
  type: 'Feature',
  id,
  properties: { text: `"},{"type":"Feature" ${'x'.repeat(id % 50)}`, list: [[1], [2]] },
  geometry: { type: 'Point', coordinates: [id / 10, 1] },
}));
const ids = features.map(({ id }) => id);
const lines = features.map((feature) => JSON.stringify(feature));

const shapes: Readonly<Record<string, string>> = {
  'a collection in one line': `{"type":"FeatureCollection","features":[${lines.join()}]}`,
  'a collection of lines': `{"type":"FeatureCollection",\n"features": [\n${lines.join(',\n')}\n]\n}\n`,
  'a printed collection': JSON.stringify({ type: 'FeatureCollection', features }, undefined, 2),
  lines: `${lines.join('\n')}\n`,
  'lines with a byte order mark and carriage returns': `\ufeff${lines.join('\r\n')}`,
  'a sequence with record separators': lines.map((line) => `\x1e${line}\n`).join(''),
};

for (const [name, text] of Object.entries(shapes)) {
  test(`${name}: the parts together are the whole, each feature on its line`, async () => {
    const file = await fileOf(text);
    const whole = await read(file, Infinity);
    assert.deepEqual([whole.parts, whole.ids], [1, ids]);
    const divided = await read(file, 3000);
    assert.ok(divided.parts > 5, String(divided.parts));
    assert.deepEqual([divided.ids, divided.lines], [ids, whole.lines]);
  });
}

test('the CRS is found before the features and behind them', async () => {
  const crs = '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}}';
  for (const text of [`{${crs},"features":[${lines.join()}]}`, `{"features":[${lines.join()}],${crs}}`]) {
    assert.equal((await read(await fileOf(text), 3000)).crs, 'urn:ogc:def:crs:EPSG::3857');
  }
});

test('a file with features inside features is not read as if they were features', async () => {
  const inner = features.slice(0, 20);
  const nested = features.map(({ id, geometry }) => ({
    type: 'Feature',
    id,
    properties: { inner },
    geometry,
  }));
  const file = await fileOf(JSON.stringify({ type: 'FeatureCollection', features: nested }));
  await assert.rejects(read(file, 2000), { code: 'brokenFile' });
  assert.deepEqual((await read(file, Infinity)).ids, ids);
});
