import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../testing.ts';

const service = await startService();
const { admin } = service;
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };

const newModule = (body: object) => admin.postProjectModule({ params, body: { name: 'module', ...body } });
const newApp = (...moduleIds: string[]) => admin.postProjectApp({ params, body: { name: 'Map', moduleIds } });
const getApp = (appId: string) => admin.getProjectApp({ params: { ...params, appId } });
const codesIn = ({ warnings }: { warnings?: { pointer: string; code: string }[] }) =>
  warnings!.map(({ pointer, code }) => `${pointer} ${code}`);

const maps = [{ type: 'OpenlayersMap', name: 'flat' }];
const layer = { type: 'GeoJSONLayer', name: 'a', url: '/a.json' };

test('the warnings of an app are stored, and renewed when one of its modules was changed', async () => {
  const base = await newModule({ maps });
  const data = await newModule({ layers: [{ ...layer, style: 'blue' }] });
  const app = await newApp(base._id, data._id);
  assert.deepEqual(codesIn(app), ['/moduleIds/1 unknownName']);
  assert.deepEqual(await getApp(app._id), app);
  const { items } = await admin.getProjectApps({ params });
  assert.equal(items.find(({ _id }) => _id === app._id)!.warnings, undefined);
  const stored = async () =>
    (
      await service.context.db
        .selectFrom('app')
        .select('warnings')
        .where('id', '=', app._id)
        .executeTakeFirstOrThrow()
    ).warnings;
  assert.equal((await stored())!.length, 1);
  await admin.putProjectModule({
    params: { ...params, moduleId: base._id },
    body: { styles: [{ type: 'VectorStyleItem', name: 'blue' }] },
  });
  assert.equal(await stored(), null);
  const renewed = await getApp(app._id);
  assert.deepEqual(codesIn(renewed), []);
  assert.equal(renewed.revision, app.revision);
  assert.deepEqual(await stored(), []);
  await admin.deleteProjectModule({ params: { ...params, moduleId: base._id }, query: { force: true } });
  assert.deepEqual(codesIn(await getApp(app._id)), ['/moduleIds noMaps', '/moduleIds/0 unknownName']);
});

test('an app that was not changed is sent whole, as its warnings may be others', async () => {
  const app = await newApp();
  const { statusCode } = await service.app.inject({
    url: `/api/v1/project/${projectId}/app/${app._id}`,
    headers: { authorization: `Bearer ${service.adminToken}`, 'if-none-match': `"${app.revision}"` },
  });
  assert.equal(statusCode, 200);
});

test('a layer that none of the maps can show is said, by the items that count in the end', async () => {
  const trees = { type: 'CesiumTilesetLayer', name: 'trees', url: '/t.json', activeOnStartup: true };
  const data = await newModule({ layers: [trees, { ...layer, activeOnStartup: true, mapNames: ['globe'] }] });
  const flat = await newModule({ maps });
  const globe = await newModule({ maps: [{ type: 'CesiumMap', name: 'globe' }] });
  const hidden = await newModule({ layers: [{ ...trees, activeOnStartup: false }] });
  assert.deepEqual(codesIn(await newApp(flat._id, data._id)), [
    '/moduleIds/1 unknownName',
    '/moduleIds/1 neverShown',
    '/moduleIds/1 neverShown',
  ]);
  assert.deepEqual(codesIn(await newApp(flat._id, data._id, globe._id)), []);
  assert.deepEqual(codesIn(await newApp(flat._id, data._id, hidden._id)), [
    '/moduleIds/1 unknownName',
    '/moduleIds/2 neverShown', // people may still switch it on
    '/moduleIds/1 neverShown',
  ]);
});

test('a projection that an earlier module defines is known from then on', async () => {
  const proj4 = '+proj=utm +zone=33 +ellps=GRS80 +units=m +no_defs';
  const defines = await newModule({ maps, projection: { epsg: 25833, proj4 } });
  const uses = await newModule({
    projection: { epsg: 25833 },
    layers: [{ ...layer, projection: { epsg: 25833 } }],
  });
  assert.deepEqual(codesIn(await newApp(defines._id, uses._id)), []);
  assert.deepEqual(codesIn(await newApp(uses._id, defines._id)), [
    '/moduleIds/0 unknownProjection',
    '/moduleIds/0 unknownProjection',
  ]);
});

test('the parent of an item of the content tree may be in any module of the app', async () => {
  const child = await newModule({
    maps,
    contentTree: [{ type: 'LayerGroupContentTreeItem', name: 'grp.points', layerNames: [] }],
  });
  const parent = await newModule({ contentTree: [{ type: 'NodeContentTreeItem', name: 'grp' }] });
  assert.deepEqual(codesIn(await newApp(child._id, parent._id)), []);
  assert.deepEqual(codesIn(await newApp(child._id)), ['/moduleIds/0 unknownName']);
});

test('types unknown to an older engine are reported by the app that requests it', async () => {
  const data = await newModule({
    maps: [{ type: 'CesiumMap', name: 'globe' }],
    layers: [{ type: 'I3SLayer', name: 'i', url: '/SceneServer' }],
  });
  const body = { name: 'Map', moduleIds: [data._id] };
  const codes = async (mapVersion: string) =>
    codesIn(await admin.postProjectApp({ params, body: { ...body, mapVersion } }));
  assert.deepEqual(await codes('^6.3'), []);
  assert.deepEqual(await codes('~6.2.0'), ['/moduleIds/0 unsupportedType']);
});

test('an app that is too large to be checked can be read, and says so', async () => {
  const own = { filler: 'x'.repeat(1_000_000) };
  const modules = await Promise.all(Array.from({ length: 16 }, () => newModule({ own })));
  const [last] = modules;
  await admin.putProjectModule({ params: { ...params, moduleId: last!._id }, body: { own: 1 } as never });
  const app = await newApp(...modules.map(({ _id }) => _id));
  for (const { _id } of modules) {
    const body = { own: { filler: 'x'.repeat(1_048_000) } } as never;
    await admin.putProjectModule({ params: { ...params, moduleId: _id }, body });
  }
  const more = { properties: { filler: 'x'.repeat(200_000) } };
  await admin.putProjectModule({ params: { ...params, moduleId: last!._id }, body: more });
  assert.deepEqual(codesIn(await getApp(app._id)), ['/moduleIds too_large']);
});
