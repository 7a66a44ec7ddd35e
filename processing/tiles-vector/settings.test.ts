import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { presets } from './presets.ts';
import { readSettings } from './settings.ts';
import { tilesVector, type TilesVectorOptions } from './spec.ts';

test('all options have the defaults of the schema', () => {
  const { name, description, attribution, model, ...settings } = readSettings({});
  assert.deepEqual([name, description, attribution, model], [undefined, undefined, undefined, {}]);
  assert.deepEqual(settings, {
    minZoom: 0,
    maxZoom: undefined,
    buffer: 16,
    extent: 4096,
    simplification: 3,
    shortestEdges: false,
    strict: false,
    memoryMegabytes: 1024,
    workers: undefined,
    whenTooLarge: 'dropDensest',
    tileLimitBytes: 500_000,
    tileLimitFeatures: 200_000,
    dust: true,
    repair: true,
    labels: undefined,
    cluster: undefined,
    format: 'pmtiles',
  });
  const { tiling, processing, output } = tilesVector.options.properties;
  const defaults = (group: { properties: object }) =>
    Object.entries(group.properties as Record<string, { default?: unknown }>)
      .filter(([, { default: value }]) => value !== undefined)
      .map(([key, { default: value }]) => [key, value]);
  const explicit = {
    tiling: Object.fromEntries(defaults(tiling)),
    processing: Object.fromEntries(defaults(processing)),
    output: Object.fromEntries(defaults(output)),
  };
  assert.equal(Object.keys(explicit.processing).length, 9);
  assert.deepEqual(readSettings(explicit as TilesVectorOptions), readSettings({}));
});

test('every option has a title for its field', () => {
  const untitled: string[] = [];
  let seen = 0;
  const visit = (schema: Record<string, unknown>, path: string): void => {
    for (const [key, inner] of Object.entries((schema['properties'] ?? {}) as Record<string, never>)) {
      seen++;
      if (inner['title'] === undefined) untitled.push(`${path}/${key}`);
      visit(inner, `${path}/${key}`);
      if (inner['items'] !== undefined) visit(inner['items'], `${path}/${key}/*`);
    }
  };
  visit(tilesVector.options as unknown as Record<string, unknown>, '');
  assert.ok(seen >= 50, `${seen}`);
  assert.deepEqual(untitled, []);
});

test('the schema takes what the guide shows, and refuses nonsense', () => {
  const good: TilesVectorOptions = {
    tiling: { preset: 'city', minZoom: 3, maxZoom: 12 },
    modelOptions: {
      filter: ['==', ['get', 'a'], 1],
      layers: [
        {
          name: 'roads',
          source: '*.gpkg',
          filter: ['==', 'class', 'road'],
          attributes: { label: ['get', 'name'] },
          types: { lanes: 'integer' },
          zoomBy: ['get', 'rank'],
          labelPoints: { layer: 'names' },
        },
      ],
    },
    processing: { cluster: { distance: 50, aggregates: { people: ['sum', 'pop'] } }, workers: 4 },
    output: { format: 'mbtiles' },
  };
  assert.deepEqual([...Value.Errors(tilesVector.options, good)], []);
  for (const bad of [
    { tiling: { preset: 'huge' } },
    { modelOptions: { layers: [{ filter: true }] } },
    { modelOptions: { types: { a: 'date' } } },
    { modelOptions: { layers: [{ name: 'x', labelPoints: 'yes' }] } },
    { processing: { cluster: { aggregates: { people: ['median', 'pop'] } } } },
    { processing: { workers: 0 } },
    { output: { format: 'zip' } },
  ])
    assert.ok(!Value.Check(tilesVector.options, bad), JSON.stringify(bad));
});

test('a preset sets omitted options only', () => {
  for (const name of Object.keys(presets)) {
    const { minZoom, maxZoom } = readSettings({ tiling: { preset: name } });
    assert.ok(maxZoom === undefined || minZoom < maxZoom);
  }
  const city = readSettings({ tiling: { preset: 'city', maxZoom: 15 }, processing: { simplification: 0 } });
  assert.deepEqual([city.minZoom, city.maxZoom, city.simplification], [8, 15, 0]);
  const zooms = (tiling: object) => {
    const { minZoom, maxZoom } = readSettings({ tiling: { preset: 'city', ...tiling } });
    return [minZoom, maxZoom];
  };
  assert.deepEqual(zooms({ maxZoom: 5 }), [5, 5]);
  assert.deepEqual(zooms({ minZoom: 18 }), [18, 18]);
});

test('clusters are measured in tile units, whatever the extent', () => {
  const distance = (extent: number) =>
    readSettings({ tiling: { extent }, processing: { cluster: { distance: 64 } } }).cluster?.distance;
  assert.deepEqual([distance(4096), distance(512)], [512, 64]);
  const { cluster, buffer } = readSettings({ tiling: { preset: 'points' } });
  assert.deepEqual(cluster, { distance: 320, minPoints: 2, maxZoom: undefined, aggregates: {} });
  assert.equal(buffer, 320);
  assert.equal(readSettings({ tiling: { preset: 'points', extent: 512 } }).buffer, 40);
});

test('the tile limit is accepted at its former place', () => {
  assert.equal(readSettings({ output: { tileLimitKilobytes: 9 } }).tileLimitBytes, 9000);
  const both = { processing: { tileLimitKilobytes: 7 }, output: { tileLimitKilobytes: 9 } };
  assert.equal(readSettings(both).tileLimitBytes, 7000);
});

test('contradicting values are reported with a pointer', () => {
  const refused = (options: TilesVectorOptions, code: string, message: RegExp) =>
    assert.throws(() => readSettings(options), { name: 'JobFailure', code, message });
  refused({ tiling: { minZoom: 5, maxZoom: 3 } }, 'zoomRange', /^\/tiling\/maxZoom: .*\(3\).*\(5\)\.$/);
  const layers = (layer: object) => ({ layers: [{ name: 'a' }, { name: 'x', ...layer }] });
  refused(
    { tiling: { maxZoom: 9 }, modelOptions: layers({ minZoom: 10 }) },
    'zoomRange',
    /^\/modelOptions\/layers\/1\/minZoom: the layer "x" begins above/,
  );
  refused(
    { tiling: { minZoom: 9 }, modelOptions: layers({ maxZoom: 8 }) },
    'zoomRange',
    /^\/modelOptions\/layers\/1\/maxZoom: the layer "x" ends below/,
  );
  refused({ modelOptions: { layers: [] } }, 'invalidOption', /^\/modelOptions\/layers: /);
  refused(
    { modelOptions: { ...layers({}), layerName: 'y' } },
    'invalidOption',
    /^\/modelOptions\/layerName: /,
  );
  const lines = { layers: [{ name: 'x', geometryTypes: ['LineString' as const] }] };
  refused(
    { modelOptions: lines, processing: { cluster: {} } },
    'invalidOption',
    /^\/processing\/cluster: only points/,
  );
  readSettings({ modelOptions: lines, tiling: { preset: 'points' } });
  for (const [tiling, maxZoom] of [
    [{ maxZoom: 9 }, 10],
    [{ minZoom: 9 }, 8],
  ] as const)
    refused(
      { tiling, processing: { cluster: { maxZoom } } },
      'zoomRange',
      /^\/processing\/cluster\/maxZoom: /,
    );
  const aggregates = { point_count: ['sum', 'a'] as ['sum', string] };
  refused(
    { processing: { cluster: { aggregates } } },
    'invalidOption',
    /^\/processing\/cluster\/aggregates\/point_count: /,
  );
});
