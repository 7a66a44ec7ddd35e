import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inspection } from '@platen/contract/inspect';
import { informativeStyle, isPlain } from '../map-styles/informative-style.ts';
import { mapModule } from './map-module.ts';
import { openHeights } from './open-heights.ts';
import { guessedCrs, needsCrs, planOf } from './plan.ts';
import { runPublishing, type Created, type PublishActions, type PublishState } from './publish-run.ts';

const mapJob = 'platenTilesVector';
const file = { dataBucketId: 'b', dataBucketKey: 'a/trees.geojson' };
const layer = {
  name: 'trees',
  geometryTypes: ['Point'],
  isEstimated: false,
  isBboxEstimated: false,
  bbox: [9, 48, 10, 49],
  crs: { code: 'EPSG:4326', name: 'WGS 84', isGuessed: false },
  fields: [],
};
const use = (kind: 'datasource' | 'job', type: string) => ({ kind, type, confidence: 1, reason: '' });
const inspection = (more: Partial<Inspection>): Inspection => ({
  key: file.dataBucketKey,
  size: 1000,
  format: 'geojson',
  kind: 'vector',
  layers: [layer],
  issues: [],
  uses: [use('job', 'platenTilesVector'), use('datasource', 'geojson')],
  ...more,
});

test('what heights count from is asked where it is not known, and the answer becomes an option', () => {
  const heightsOf = (heights: Record<string, unknown>) =>
    openHeights(inspection({ layers: [{ ...layer, details: { heights } }] }));
  assert.equal(openHeights(inspection({})), undefined);
  assert.equal(heightsOf({ asks: false, undulation: 47, vertical: 'EPSG:7837' }), undefined);
  assert.deepEqual(heightsOf({ asks: true, undulation: 47 }), { undulation: 47, seaLevel: 'EPSG:5773' });
  assert.deepEqual(heightsOf({ asks: true, undulation: 47, vertical: 'EPSG:7837' }), {
    undulation: 47,
    seaLevel: 'EPSG:7837',
  });
  assert.equal(heightsOf({ asks: true, undulation: 47, seaLevel: 'EPSG:7837' })?.seaLevel, 'EPSG:7837');
  const suggestion = { jobType: mapJob, options: { heights: { unit: 'foot' } } };
  const ground = inspection({
    size: 5e7,
    suggestion: suggestion as unknown as NonNullable<Inspection['suggestion']>,
  });
  const plan = planOf(ground, { file, name: 'Ground', vertical: 'ellipsoid', mapJob });
  assert.ok(typeof plan === 'object' && plan.way === 'task');
  const { options } = plan.body.parameters as { options: Record<string, unknown> };
  assert.deepEqual(options['heights'], { unit: 'foot', vertical: 'ellipsoid' });
});

test('imagery that maps show quickly is shown as it is, other imagery is converted', () => {
  const planWith = (confidence: number) => {
    const uses = [use('job', 'platenConvertRaster'), { ...use('datasource', 'cog'), confidence }];
    const image = inspection({ format: 'geotiff', kind: 'raster', uses });
    const plan = planOf(image, { file, name: 'Aerial', mapJob: 'platenConvertRaster' });
    return typeof plan === 'object' ? plan.way : plan;
  };
  assert.deepEqual([0.95, 0.6, 0.2].map(planWith), ['datasource', 'task', 'task']);
});

test('a small GeoJSON is shown as it is, a large one becomes tiles', () => {
  const small = planOf(inspection({}), { file, name: 'Trees', mapJob });
  assert.deepEqual(small, {
    way: 'datasource',
    body: {
      name: 'Trees',
      type: 'geojson',
      sourceProperties: { type: 'internal', ...file },
      properties: {},
      bbox: [9, 48, 10, 49],
    },
  });
  const suggestion = {
    jobType: 'platenTilesVector',
    options: { tiling: { maxZoom: 9 } },
  } as unknown as NonNullable<Inspection['suggestion']>;
  const large = planOf(inspection({ size: 5e7, suggestion }), { file, name: 'Trees', mapJob });
  assert.deepEqual(large, {
    way: 'task',
    body: {
      name: 'Trees',
      jobType: 'platenTilesVector',
      parameters: {
        datasource: { command: 'create', name: 'Trees' },
        options: { tiling: { maxZoom: 9 }, input: { type: 'internal', ...file } },
      },
    },
    properties: {},
  });
});

test('one feature far away moves neither the start of the map nor the distances of its labels', () => {
  const typicalBbox = [9.5, 48.5, 9.6, 48.6];
  const plan = planOf(inspection({ layers: [{ ...layer, bbox: [0, 0, 10, 49], typicalBbox }] }), {
    file,
    name: 'Trees',
    mapJob,
  });
  assert.ok(typeof plan === 'object' && plan.way === 'datasource');
  assert.deepEqual(plan.body.properties, { typicalBbox });
  const datasource = { type: 'geojson', bbox: [0, 0, 10, 49], properties: { typicalBbox } } as const;
  const startOf = (one: object) => {
    const { viewpoints } = mapModule({ name: 'x', datasource: one as never, layer: {} });
    return (viewpoints as { groundPosition: number[] }[])[0]!.groundPosition;
  };
  assert.deepEqual(startOf(datasource), [9.55, 48.55, 0]);
  const replaced = { ...datasource, bbox: [20, 30, 21, 31] };
  assert.deepEqual(startOf(replaced), [20.5, 30.5, 0], 'what is no part of the data any more does not count');
});

test('data that is served as it is needs no job, whatever its size', () => {
  const uses = [use('datasource', 'tileset')];
  const plan = planOf(inspection({ kind: 'tileset', size: 1e10, uses }), {
    file,
    name: 'City',
    mapJob: undefined,
  });
  assert.equal(typeof plan === 'object' && plan.way, 'datasource');
});

test('a coordinate system chosen by the user is used for the job', () => {
  const plan = planOf(inspection({}), { file, name: 'Trees', crs: 'EPSG:25832', mapJob });
  assert.ok(typeof plan === 'object' && plan.way === 'task');
  const options = plan.body.parameters['options'] as { input: { crs: string } };
  assert.equal(options.input.crs, 'EPSG:25832');
  const unknown = planOf(inspection({ uses: [] }), { file, name: 'Trees', crs: 'EPSG:25832', mapJob });
  assert.equal(typeof unknown === 'object' && unknown.way, 'task');
});

test('unknown data and data unsuitable for maps are distinguished', () => {
  const { format: _, ...unknown } = inspection({ uses: [] });
  assert.equal(planOf(unknown, { file, name: 'x', mapJob }), 'unknown');
  assert.equal(
    planOf(inspection({ uses: [use('job', 'platenOther')] }), { file, name: 'x', mapJob }),
    'noWay',
  );
  assert.equal(
    planOf(inspection({ uses: [use('datasource', 'generic')] }), { file, name: 'x', mapJob }),
    'noWay',
  );
});

test('an unknown coordinate system is asked for, and a guess is offered', () => {
  const { crs: _, bbox: __, ...bare } = layer;
  assert.equal(needsCrs(inspection({ layers: [bare] })), true);
  assert.equal(needsCrs(inspection({})), false);
  const guessed = { ...layer, crs: { code: 'EPSG:25832', name: 'UTM', isGuessed: true } };
  assert.equal(guessedCrs(inspection({ layers: [guessed] })), 'EPSG:25832');
  assert.equal(guessedCrs(inspection({})), undefined);
});

const words = { locale: 'en', others: 'Other', noValue: 'No value' };
const text = (name: string, values: string[]) => ({
  name,
  type: 'string' as const,
  count: values.length,
  values,
});

test('few values of an attribute become colours with a legend, names and identifiers do not', () => {
  const names = text(
    'name',
    Array.from({ length: 100 }, (_, i) => `Tree ${i}`),
  );
  const species = text('species', ['oak', 'lime']);
  const style = informativeStyle({ attributes: [names, species], shape: 'point' }, {}, words)!;
  const { legend } = style['properties'] as { legend: { rows: { title: string }[] }[] };
  assert.deepEqual(
    legend[0]!.rows.map(({ title }) => title),
    ['lime', 'oak', 'Other'],
  );
  assert.equal(informativeStyle({ attributes: [names], shape: 'point' }, {}, words), undefined);
});

test('a map has the colours that were chosen in the preview, or one colour if that was the choice', () => {
  const attributes = [text('species', ['oak', 'lime']), text('state', ['old', 'young', 'dead'])];
  const rowsOf = (colouredBy: string) => {
    const style = informativeStyle({ attributes, shape: 'area' }, { colouredBy }, words);
    const { legend } = (style?.['properties'] ?? { legend: [] }) as {
      legend: { rows: { title: string }[] }[];
    };
    return legend[0]?.rows.map(({ title }) => title);
  };
  assert.deepEqual(rowsOf('state'), ['dead', 'old', 'young', 'Other']);
  assert.equal(rowsOf(''), undefined);
});

test('points and areas with a name are labelled by it where there is room, lines and parts of areas are not', () => {
  const names = text('name', ['Old oak', 'Lime']);
  const data = { attributes: [names], featureCount: 100 };
  const bbox = [0, 0, 1, 1];
  const labelled = informativeStyle({ ...data, shape: 'point' }, { bbox }, words)!;
  assert.ok('labelText' in (labelled['declarativeStyle'] as object));
  const areas = informativeStyle({ ...data, shape: 'area' }, { bbox }, words)!;
  assert.ok('labelText' in (areas['declarativeStyle'] as object));
  for (const other of [{ shape: 'area', isTiled: true }, { shape: 'line' }] as const) {
    const style = informativeStyle({ ...data, ...other }, { bbox }, words)!;
    assert.ok(!('labelText' in (style['declarativeStyle'] as object)));
  }
});

test('a style that somebody has chosen stays', () => {
  const plain = { style: { type: 'VectorStyleItem' } };
  assert.equal(isPlain({ typeProperties: {} }, plain), true);
  assert.equal(isPlain({ typeProperties: {} }, {}), true);
  assert.equal(isPlain({ typeProperties: plain }, plain), false);
  assert.equal(isPlain({ typeProperties: {} }, { style: { type: 'DeclarativeStyleItem' } }), false);
});

const thing = <T>(id: string) => ({ _id: id }) as T;

function actionsThat(fail: string | undefined, calls: string[]): PublishActions {
  const act = <T>(name: string) => {
    calls.push(name);
    if (name === fail) throw new Error(name);
    return Promise.resolve(thing<T>(name));
  };
  return {
    async data(_created, report) {
      report({ task: thing('task') });
      return act('data');
    },
    module: async () => act('module'),
    app: async () => act('app'),
    publish: async () => act('public'),
  };
}

test('publishing reports each step, and resumes at the failed one without creating anything twice', async () => {
  const calls: string[] = [];
  const states: PublishState[] = [];
  const failed = await runPublishing({}, actionsThat('app', calls), (state) => states.push(state));
  assert.equal(failed.step, 'app');
  assert.match(String(failed.failure), /app/);
  assert.deepEqual(Object.keys(failed.created).toSorted(), ['datasource', 'module', 'task']);
  assert.deepEqual(calls.splice(0), ['data', 'module', 'app']);
  const done = await runPublishing(failed.created, actionsThat(undefined, calls), (state) =>
    states.push(state),
  );
  assert.deepEqual(calls, ['app', 'public']);
  assert.equal(done.step, undefined);
  assert.equal(done.created.isPublic, true);
  assert.deepEqual(
    states.map(({ step }) => step),
    ['data', 'data', 'module', 'app', 'app', 'app', 'public', undefined],
  );
});

test('a map for its maker alone is not made public', async () => {
  const calls: string[] = [];
  const created: Created = { datasource: thing('d') };
  const { isPublic } = (
    await runPublishing(created, { ...actionsThat(undefined, calls), publish: undefined }, () => {})
  ).created;
  assert.deepEqual(calls, ['module', 'app']);
  assert.equal(isPublic, undefined);
});
