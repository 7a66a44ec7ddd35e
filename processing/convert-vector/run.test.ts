import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { VisitFeature } from '@platen/formats/feature/feature';
import { flatgeobufFormat } from '@platen/formats/flatgeobuf/format';
import { findJobSpec } from '../catalog.ts';
import { JobFailure, type JobInput } from '../job-type.ts';
import { runs } from '../runs.ts';
import { runConvertVector } from './run.ts';
import { convertVector } from './spec.ts';
import { afterFile } from '../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-convert-vector-'));
afterFile(() => rm(root, { recursive: true }));
let jobs = 0;

type Options = Parameters<typeof runConvertVector>[0];

interface Given {
  readonly name: string;
  readonly content: string;
  readonly input?: Partial<JobInput>;
}

async function run(given: readonly Given[] | string, options: Options = {}) {
  const files: readonly Given[] =
    typeof given === 'string' ? [{ name: 'town.geojson', content: given }] : given;
  const folder = join(root, String(jobs++));
  const [outputFolder, scratchFolder] = [join(folder, 'output'), join(folder, 'scratch')];
  await mkdir(outputFolder, { recursive: true });
  await mkdir(scratchFolder);
  const inputs: JobInput[] = [];
  for (const { name, content, input } of files) {
    const path = join(folder, name);
    await writeFile(path, content);
    inputs.push({ path, name, size: (await stat(path)).size, ...input });
  }
  const warnings: string[] = [];
  const { datasource, furtherDatasources } = await runConvertVector(options, {
    inputs,
    outputFolder,
    scratchFolder,
    signal: new AbortController().signal,
    progress: (_phase, done, total) => assert.ok(done <= total),
    log: () => {},
    warn: (code) => void warnings.push(code),
    reject: (code) => void warnings.push(code),
  });
  assert.deepEqual(await readdir(scratchFolder), []);
  return {
    datasource: datasource!,
    further: furtherDatasources,
    warnings,
    files: (await readdir(outputFolder)).toSorted(),
    text: (name: string) => readFile(join(outputFolder, name), 'utf8'),
    path: (name: string) => join(outputFolder, name),
  };
}

const feature = (geometry: unknown, properties: object = {}, id?: unknown) => ({
  type: 'Feature',
  id,
  properties,
  geometry,
});
const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });
const lines = (features: readonly object[]) => features.map((one) => JSON.stringify(one)).join('\n');

const town = lines([
  feature(point(9.5, 47.1), { name: 'Tree', height: 12 }, 7),
  feature(point(9.6, 47.2), { name: 'Ash', height: 15.5, old: true }),
]);

/** x, y and attributes of the points in a file. */
async function readPoints(path: string) {
  const file = { path, name: 'points.fgb', size: (await stat(path)).size, related: {} };
  const { signal } = new AbortController();
  const { layers } = await flatgeobufFormat.open(file, { signal, partBytes: Infinity });
  const points: { x: number; y: number; properties: Record<string, unknown> }[] = [];
  for (const part of layers.flatMap(({ parts }) => parts)) {
    const visit: VisitFeature = ({ geometry: { coordinates }, properties }) =>
      void points.push({ x: coordinates[0]!, y: coordinates[1]!, properties: { ...properties } });
    await flatgeobufFormat.read(part, visit, { maxFeatureBytes: 1e6 });
  }
  return points.toSorted((a, b) => a.x - b.x);
}

test('the job type is known by its name, and its datasource types are those it makes', () => {
  assert.equal(findJobSpec('platenConvertVector'), convertVector);
  assert.ok(Object.hasOwn(runs, convertVector.name));
});

test('FlatGeobuf is the default, with an id as an attribute', async () => {
  const { files, datasource, path } = await run(town);
  assert.deepEqual(files, ['town.fgb', 'town.fgb.thumbnail.png']);
  assert.equal(datasource.type, 'flatgeobuf');
  assert.equal(datasource.path, 'town.fgb');
  assert.deepEqual(datasource.bbox, [9.5, 47.1, 9.6, 47.2]);
  const [tree, ash] = await readPoints(path('town.fgb'));
  assert.deepEqual([tree!.x, tree!.y, ash!.x, ash!.y], [9.5, 47.1, 9.6, 47.2]);
  assert.deepEqual([tree!.properties['name'], tree!.properties['id']], ['Tree', 7]);
});

test('GeoJSON is one collection, and newline-delimited it is generic data', async () => {
  const one = await run(town, { output: { format: 'geojson' } });
  assert.deepEqual(
    [one.datasource.type, one.files],
    ['geojson', ['town.geojson', 'town.geojson.thumbnail.png']],
  );
  const { features, bbox } = JSON.parse(await one.text('town.geojson')) as {
    features: unknown[];
    bbox: number[];
  };
  assert.deepEqual(features, JSON.parse(`[${town.split('\n').join(',')}]`));
  assert.deepEqual(bbox, [9.5, 47.1, 9.6, 47.2]);
  const { datasource, text } = await run(town, { output: { format: 'geojsonl', decimals: 0 } });
  assert.deepEqual([datasource.type, datasource.path], ['generic', 'town.geojsonl']);
  const [first] = (await text('town.geojsonl')).split('\n');
  assert.deepEqual(JSON.parse(first!), feature(point(10, 47), { name: 'Tree', height: 12 }, 7));
});

test('the datasource contains counts, fields and a style', async () => {
  const { properties } = (await run(town)).datasource;
  assert.equal(properties['featureCount'], 2);
  assert.deepEqual(properties['geometryTypes'], ['Point']);
  const fields = properties['fields'] as { name: string; type: string; max?: number }[];
  assert.deepEqual(
    fields.map(({ name, type, max }) => [name, type, max]),
    [
      ['name', 'string', undefined],
      ['height', 'number', 15.5],
      ['old', 'boolean', undefined],
    ],
  );
  assert.equal((properties['vcMapStyle'] as { type: string }).type, 'VectorStyleItem');
});

test('each layer becomes a file, and the datasource is made of the chosen one', async () => {
  const inputs: Given[] = [
    { name: 'a.geojson', content: town, input: { layer: 'Straßen / Wege' } },
    { name: 'b.geojson', content: town, input: { layer: 'straßen_Wege' } },
    { name: 'c.geojson', content: town, input: { layer: '../..' } },
  ];
  const output = { format: 'geojson', layer: 'straßen_Wege' };
  const { files, datasource } = await run(inputs, { output });
  assert.deepEqual(files, [
    'Straßen_Wege.geojson',
    'layer.geojson',
    'straßen_Wege-2.geojson',
    'straßen_Wege-2.geojson.thumbnail.png',
  ]);
  assert.equal(datasource.path, 'straßen_Wege-2.geojson');
  const one = await run(inputs, { output: { format: 'geojson' }, modelOptions: { layerName: 'all' } });
  assert.deepEqual(one.files, ['all.geojson', 'all.geojson.thumbnail.png']);
  assert.equal(one.datasource.properties['featureCount'], 6);
  await assert.rejects(run(inputs, { output: { layer: 'none' } }), (error) => {
    assert.ok(error instanceof JobFailure);
    assert.match(error.message, /"none".*"Straßen \/ Wege"/);
    return error.code === 'noSuchLayer';
  });
});

test('only the wanted attributes are kept', async () => {
  const names = async (modelOptions: NonNullable<Options['modelOptions']>) => {
    const { text } = await run(town, { modelOptions, output: { format: 'geojson' } });
    const { features } = JSON.parse(await text('town.geojson')) as { features: { properties: object }[] };
    return features.map(({ properties }) => Object.keys(properties).join(' '));
  };
  assert.deepEqual(await names({ include: ['name', 'old'] }), ['name', 'name old']);
  assert.deepEqual(await names({ exclude: ['name'] }), ['height', 'height old']);
});

test('each layer becomes a datasource of its own bounds and picture if that is wanted', async () => {
  const other = lines([feature(point(1, 2), { other: 1 })]);
  const inputs = [
    { name: 'a.geojson', content: other, input: { layer: 'Straßen / Wege' } },
    { name: 'b.geojson', content: town, input: { layer: 'trees' } },
    { name: 'c.geojson', content: other, input: { layer: '\u0007' } },
  ];
  assert.equal((await run(inputs)).further, undefined);
  const { datasource, further, files } = await run(inputs, { output: { allLayers: true, layer: 'trees' } });
  assert.deepEqual([datasource.path, datasource.properties['featureCount']], ['trees.fgb', 2]);
  assert.deepEqual(
    further!.map(({ key, title, path, bbox, properties }) => [
      key,
      title,
      path,
      bbox,
      properties['featureCount'],
    ]),
    [
      ['Straßen_Wege', 'Straßen / Wege', 'Straßen_Wege.fgb', [1, 2, 1, 2], 1],
      ['layer', 'layer', 'layer.fgb', [1, 2, 1, 2], 1],
    ],
  );
  assert.equal(files.filter((name) => name.endsWith('.thumbnail.png')).length, 3);
});

test('the properties of all layers fit into the report of a job, however many attributes they have', async () => {
  const properties = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`a${i}`, i]));
  const feature = { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [1, 2] } };
  const content = JSON.stringify(feature);
  const inputs = Array.from({ length: 40 }, (_, i) => ({ name: `${i}.geojson`, content }));
  const { datasource, further } = await run(inputs, { output: { allLayers: true } });
  assert.equal(further!.length, 39);
  const text = JSON.stringify([datasource, further]);
  assert.ok(text.length > 1e6);
  // the service reads 200,000 in a report
  assert.ok(text.split('":').length < 195_000, `${text.split('":').length} keys`);
});

test('layers are made by filters and expressions', async () => {
  const layers = [
    { name: 'high', filter: ['>', ['get', 'height'], 13] },
    { name: 'trees', source: 'town', attributes: { label: ['upcase', ['get', 'name']] } },
    { name: 'none', source: 'village' },
  ];
  const { files, text, datasource, warnings } = await run(town, {
    modelOptions: { layers },
    output: { format: 'geojson', layer: 'trees' },
  });
  assert.deepEqual(files, ['high.geojson', 'trees.geojson', 'trees.geojson.thumbnail.png']);
  assert.deepEqual(warnings, ['unknownSource']);
  assert.equal(datasource.properties['featureCount'], 2);
  const { features } = JSON.parse(await text('trees.geojson')) as { features: { properties: object }[] };
  assert.deepEqual(
    features.map(({ properties }) => (properties as { label: string }).label),
    ['TREE', 'ASH'],
  );
});

test('unusable features are rejected with a warning', async () => {
  const odd = lines([
    feature(null),
    feature({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    }),
    feature(point(9.5, 95)),
    feature({ type: 'Point', coordinates: ['a', 'b'] }),
  ]);
  for (const format of ['geojson', 'flatgeobuf']) {
    const { warnings, datasource } = await run(`${town}\n${town}\n${odd}`, { output: { format } });
    assert.equal(datasource.properties['featureCount'], 4);
    assert.deepEqual(
      new Set(warnings),
      new Set(['withoutGeometry', 'invalidCoordinates', 'invalidGeometry']),
    );
  }
});

test('a job without anything to write fails, and says why', async () => {
  const fails = async (content: string, code: string) =>
    assert.rejects(run(content), (error) => error instanceof JobFailure && error.code === code);
  await fails('{"type":"FeatureCollection","features":[]}', 'emptyInput');
  await fails(lines([feature(null)]), 'nothingUsable');
  await fails(lines([feature(point(500_000, 5_000_000))]), 'nothingUsable');
  await fails('{"type":"FeatureCollection","features":[', 'brokenJson');
});
