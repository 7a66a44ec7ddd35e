import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedEngines } from '@platen/viewer/engines';
import { addDatasource, sampleModule } from '../modules/testing.ts';
import { digestOf, startService } from '../../testing.ts';

const service = await startService();
const { admin } = service;
const max = await service.user('max');
const mia = await service.user('mia');
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId } = await admin.postProject({ body, query: { managerId: max.id } });
const params = { projectId };
await max.client.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectMember' } });
const datasourceId = await addDatasource(service, projectId);
const saved = await max.client.postProjectModule({ params, body: sampleModule });
const preview = (body: Parameters<typeof max.client.postProjectModulePreview>[0]['body'], who = max) =>
  who.client.postProjectModulePreview({ params, body });

const unsaved = {
  name: 'Mine',
  ownKey: { kept: true },
  layers: [
    { type: 'GeoJSONLayer', name: 'trees', datasourceId },
    { type: 'WMSLayer', name: 'air', url: 'https://air.example.org/wms', layers: 'a' },
  ],
};
const sampled = (modules: readonly object[], id: string) =>
  modules.find((module) => '_id' in module && module._id === id) as Record<string, unknown> | undefined;

test('one unsaved module is compiled as for a page, with the base layer and maps', async () => {
  const before = await digestOf(service.context);
  const seen = await preview({ modules: [{ module: unsaved }] });
  assert.equal(await digestOf(service.context), before);
  assert.equal(seen.engineVersion, installedEngines()[0]!.version);
  assert.deepEqual(
    seen.modules.map(({ _id }) => _id),
    ['platen-world', 'platen-stage', 'platen-base-maps', 'platen-unsaved-0'],
  );
  const { layers, ownKey } = sampled(seen.modules, 'platen-unsaved-0')!;
  assert.deepEqual(ownKey, { kept: true });
  const [trees] = layers as Record<string, unknown>[];
  assert.equal(trees!['url'], 'https://data.example.org/trees.json');
  assert.deepEqual(seen.hosts, ['https://air.example.org', 'https://data.example.org']);
  assert.deepEqual([seen.errors, seen.warnings.map(({ code }) => code)], [[], ['unknownKey']]);
});

test('base maps are those of the request, without those that are gone', async () => {
  const below = async (baseMaps: string[]) => {
    const { modules } = await preview({ modules: [{ module: unsaved }], baseMaps });
    return (sampled(modules, 'platen-base-maps')?.['layers'] ?? []) as Record<string, unknown>[];
  };
  const dark = await below(['world-dark', 'gone']);
  assert.ok(dark.length > 0);
  assert.ok(dark.every(({ name }) => String(name).startsWith('platen-base-maps-world-dark')));
  assert.deepEqual(await below([]), []);
});

test('invalid parts are reported with their position, and omitted', async () => {
  const broken = {
    name: 'Broken',
    layers: [
      { type: 'GeoJSONLayer' },
      { type: 'GeoJSONLayer', name: 'gone', datasourceId: 'none' },
      { type: 'GeoJSONLayer', name: 'good', url: '/data/x', style: 'elsewhere' },
    ],
    maps: [
      { type: 'CesiumMap', name: 'a', fallbackMap: 'b' },
      { type: 'OpenlayersMap', name: 'b', fallbackMap: 'a' },
    ],
  };
  const seen = await preview({
    modules: [{ moduleId: saved._id, module: broken }, { module: { layers: 3 } }],
  });
  assert.deepEqual(
    seen.errors.map(({ index, moduleId, pointer, code }) => [index, moduleId, pointer, code]),
    [
      [0, saved._id, '/layers/0/name', 'required'],
      [0, saved._id, '/maps/1/fallbackMap', 'cyclic'],
      [0, saved._id, '/layers/1/datasourceId', 'unusable_reference'],
      [1, undefined, '/layers', 'type'],
    ],
  );
  const shown = sampled(seen.modules, saved._id)!;
  const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);
  assert.deepEqual([names(shown['layers']), names(shown['maps'])], [['good'], ['a']]);
  assert.equal(sampled(seen.modules, 'platen-unsaved-1'), undefined);
  assert.deepEqual(
    seen.warnings.map(({ index, pointer, code }) => [index, pointer, code]),
    [[0, '/layers/2/style', 'elsewhere']],
  );
});

test('layers of another type than their datasource are reported while they are edited', async () => {
  const layers = [{ type: 'VectorTileLayer', name: 'trees', datasourceId }];
  const { warnings } = await preview({ modules: [{ module: { name: 'Tiles', layers } }] });
  const found = warnings.find(({ code }) => code === 'otherType');
  assert.deepEqual([found?.index, found?.pointer], [0, '/layers/0/type']);
});

test('the modules of an app are checked together, saved or not, for the engine it requests', async () => {
  const tree = [{ type: 'LayerContentTreeItem', name: 'trees', layerName: 'trees' }];
  const both = await preview({
    modules: [{ moduleId: saved._id }, { module: { name: 'Tree', contentTree: tree } }],
    mapVersion: '~5.0',
    isApp: true,
  });
  assert.match(both.engineVersion!, /^5\.0\./);
  assert.deepEqual(
    both.modules.map(({ _id }) => _id),
    ['platen-world', 'platen-base-maps', saved._id, 'platen-unsaved-1'],
  );
  assert.deepEqual([both.errors, both.warnings], [[], []]);
  const cog = [
    { type: 'COGLayer' },
    { type: 'COGLayer', name: 'photo', url: '/data/photo.tif', style: 'bold' },
  ];
  const alone = await preview({
    modules: [{ module: { name: 'Tree', contentTree: tree, layers: cog } }],
    mapVersion: '~5.0',
    isApp: true,
  });
  assert.deepEqual(
    alone.warnings.map(({ index, pointer, code }) => [index, pointer, code]),
    [
      [0, '/layers/0', 'noSource'],
      [undefined, '', 'noMaps'],
      [0, '/contentTree/0/layerName', 'unknownName'],
      [0, '/layers/1/style', 'unknownName'],
      [0, '/layers/0/type', 'unsupportedType'],
      [0, '/layers/1/type', 'unsupportedType'],
    ],
  );
  assert.deepEqual(
    alone.modules.map(({ _id }) => _id),
    ['platen-world', 'platen-base-maps', 'platen-unsaved-0'],
  );
});

test('an engine that is not installed, a repeated module and missing plugins are reported', async () => {
  const plugins = [
    { name: '@vcmap/wrong', version: 1 },
    { name: '@vcmap/none', version: '^1' },
  ];
  const { engineVersion, errors, warnings, modules } = await preview({
    modules: [
      { moduleId: saved._id },
      { moduleId: saved._id },
      { module: { plugins } },
      { moduleId: 'none' },
    ],
    mapVersion: '^4',
  });
  assert.equal(engineVersion, undefined);
  assert.deepEqual(
    errors.map(({ index, code }) => [index, code]),
    [
      [2, 'type'],
      [3, 'unusable_reference'],
      [undefined, 'noEngine'],
      [1, 'duplicate'],
    ],
  );
  assert.deepEqual(
    warnings.map(({ index, pointer, code }) => [index, pointer, code]),
    [[2, '/plugins/1', 'pluginMissing']],
  );
  assert.deepEqual(sampled(modules, 'platen-unsaved-2')!['plugins'], []);
});

test('members see what they make, but nothing of the modules of others', async () => {
  const { errors, modules } = await preview(
    {
      modules: [{ moduleId: saved._id }, { module: unsaved }, { moduleId: saved._id, module: { name: 'x' } }],
    },
    mia,
  );
  assert.deepEqual(
    errors.map(({ index, code, detail }) => [index, code, /getModule/.test(detail)]),
    [[0, 'unusable_reference', true]],
  );
  assert.deepEqual(
    modules.map(({ _id }) => _id),
    ['platen-world', 'platen-stage', 'platen-base-maps', 'platen-unsaved-1', saved._id],
  );
  assert.deepEqual(sampled(modules, saved._id)!['layers'], []);
});
