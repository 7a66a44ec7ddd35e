import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedEngines } from '@platen/viewer/engines';
import { addDatasource, sampleModule } from './modules/testing.ts';
import { digestOf, startService, type ApiClient } from '../testing.ts';
import { removeProject } from '../testing-projects.ts';

const service = await startService();
const { admin, adminId } = service;
const max = await service.user('max');
const mia = await service.user('mia');
const outsider = await service.user('olga');

const newProject = async (managerId: string) => {
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  return (await admin.postProject({ body, query: { managerId } }))._id;
};
const projectId = await newProject(max.id);
const params = { projectId };
await max.client.putProjectUser({
  params: { projectId, userId: mia.id },
  body: { roleId: 'projectMember' },
});

const newModule = async (client: ApiClient, fields: object = {}) =>
  client.postProjectModule({ params, body: { ...sampleModule, ...fields } });
const newApp = (client: ApiClient, body: object, query = {}) =>
  client.postProjectApp({ params, query, body: { name: 'Map', ...body } });
const base = await newModule(max.client, { name: 'base' });
const data = await newModule(max.client, { name: 'data', maps: [], startingMapName: null });

test('a new app is not public, has the engine it asks for, and its modules in their order', async () => {
  const app = await newApp(max.client, {
    description: 'A map',
    mapVersion: '^6.3',
    moduleIds: [data._id, base._id],
  });
  const { isPublic, publishTaskIds, moduleIds, mapVersion, memberId, properties, url, warnings } = app;
  assert.deepEqual(
    { isPublic, publishTaskIds, moduleIds, mapVersion, memberId, properties, url, warnings },
    {
      isPublic: false,
      publishTaskIds: [],
      moduleIds: [data._id, base._id],
      mapVersion: '^6.3',
      memberId: max.id,
      properties: {},
      url: `/app/${app.slug}/`,
      warnings: [],
    },
  );
  assert.deepEqual(await max.client.getProjectApp({ params: { ...params, appId: app._id } }), app);
});

test('an app needs nothing but a name; its engine is then the newest', async () => {
  const { moduleIds, mapVersion, warnings } = await newApp(max.client, {});
  assert.deepEqual(moduleIds, []);
  assert.equal(mapVersion, `^${installedEngines()[0]!.version}`);
  assert.deepEqual(
    warnings!.map(({ pointer, code }) => [pointer, code]),
    [['/moduleIds', 'noMaps']],
  );
});

test('an invalid version range is malformed, and one that is not installed lists the installed ones', async () => {
  await assert.rejects(newApp(max.client, { mapVersion: 'newest' }), {
    status: 400,
    errors: [{ pointer: '/mapVersion', code: 'invalid', detail: 'It must be a semver range such as ^6.3.' }],
  });
  const { items } = await mia.client.getMapVersions();
  assert.deepEqual(
    items.map(({ version }) => version),
    installedEngines().map(({ version }) => version),
  );
  await assert.rejects(newApp(max.client, { mapVersion: '^4.0' }), (error: Error & { status: number }) => {
    assert.equal(error.status, 422);
    return error.message.includes(items[0]!.version);
  });
});

test('modules that cannot be used are all named by their places, and nothing is stored', async () => {
  const elsewhere = await admin.postProjectModule({
    params: { projectId: await newProject(max.id) },
    body: { name: 'm' },
  });
  const before = await digestOf(service.context);
  await assert.rejects(newApp(max.client, { moduleIds: [base._id, elsewhere._id, base._id, 'none'] }), {
    status: 422,
    errors: [
      {
        pointer: '/moduleIds/1',
        code: 'unusable_reference',
        detail: 'There is no such module in this project.',
      },
      { pointer: '/moduleIds/2', code: 'unusable_reference', detail: 'The module is listed twice.' },
      {
        pointer: '/moduleIds/3',
        code: 'unusable_reference',
        detail: 'There is no such module in this project.',
      },
    ],
  });
  for (const body of [{ name: '' }, { moduleIds: 'x' }, { isPublic: true }, { own: 1 }, { mapVersion: 6 }])
    await assert.rejects(newApp(max.client, body), { status: 400 });
  assert.equal(await digestOf(service.context), before);
});

test('a change replaces moduleIds entirely, and ignores what the service sets', async () => {
  const app = await newApp(max.client, { moduleIds: [base._id], properties: { b: 1, a: 2 } });
  const appParams = { ...params, appId: app._id };
  const changed = await max.client.putProjectApp({
    params: appParams,
    body: {
      moduleIds: [data._id, base._id],
      isPublic: true,
      memberId: mia.id,
      publishTaskIds: ['x'],
    } as never,
  });
  assert.deepEqual(
    { ...changed, updatedAt: '', revision: 0 },
    { ...app, moduleIds: [data._id, base._id], updatedAt: '', revision: 0 },
  );
  const read = await max.client.getProjectApp({ params: appParams });
  const putBack = await max.client.putProjectApp({
    params: appParams,
    body: read,
    headers: { 'if-match': `"${read.revision}"` },
  });
  assert.deepEqual(putBack.moduleIds, read.moduleIds);
  const stale = max.client.putProjectApp({ params: appParams, body: {}, headers: { 'if-match': '"1"' } });
  await assert.rejects(stale, { status: 412 });
  await assert.rejects(max.client.putProjectApp({ params: appParams, body: { mapVersion: '^4' } }), {
    status: 422,
  });
  assert.deepEqual(
    (await max.client.putProjectApp({ params: appParams, body: { moduleIds: [] } })).moduleIds,
    [],
  );
});

test('a compiled app holds its modules whole and in order, with the addresses of their data', async () => {
  const datasourceId = await addDatasource(service, projectId);
  const module = await newModule(max.client, {
    name: 'own',
    layers: [{ type: 'GeoJSONLayer', name: 'trees', datasourceId, own: { b: 1, a: 2 } }],
    ownKey: { kept: [true] },
  });
  const app = await newApp(max.client, { moduleIds: [module._id, base._id] });
  const compiled = await max.client.getProjectAppCompiled({ params: { ...params, appId: app._id } });
  assert.equal(compiled.name, 'Map');
  const { warnings: _, ...expected } = module;
  const [first, second] = compiled.modules;
  assert.equal(
    JSON.stringify(first),
    JSON.stringify({
      ...expected,
      layers: [{ ...module.layers[0], url: 'https://data.example.org/trees.json' }],
    }),
  );
  const { warnings: __, ...expectedBase } = base;
  assert.deepEqual(second, expectedBase);
});

test('a problem of all modules together is a warning', async () => {
  const styled = await newModule(max.client, {
    name: 'styled',
    layers: [
      { type: 'GeoJSONLayer', name: 'a', url: '/a', style: 'blue' },
      { type: 'GeoJSONLayer', name: 'b', url: '/b', style: 'red' },
    ],
    maps: [],
    startingMapName: 'globe',
    contentTree: [{ type: 'LayerContentTreeItem', name: 'trees', layerName: 'trees' }],
  });
  const styles = await newModule(max.client, {
    name: 'styles',
    styles: [{ type: 'VectorStyleItem', name: 'blue' }],
    maps: [{ type: 'HolographicMap', name: 'h' }],
    startingMapName: 'h',
  });
  const codesOf = async (moduleIds: string[]) =>
    (await newApp(max.client, { moduleIds })).warnings!.map(({ pointer, code }) => `${pointer} ${code}`);
  assert.deepEqual(await codesOf([styled._id, styles._id]), [
    '/moduleIds/0 unknownName',
    '/moduleIds/0 forwardReference',
    '/moduleIds/0 unknownName',
    '/moduleIds/1 unsupportedType',
  ]);
  assert.deepEqual(await codesOf([styles._id, styled._id, base._id]), [
    '/moduleIds/1 unknownName',
    '/moduleIds/0 unsupportedType',
  ]);
});

test('MemberId makes the app read with the permissions of another member, for holders of grantRole', async () => {
  const own = await newModule(mia.client, { name: 'hers' });
  const app = await newApp(max.client, { moduleIds: [own._id] }, { MemberId: mia.id });
  assert.equal(app.memberId, mia.id);
  const sameApp = await newApp(max.client, { moduleIds: [own._id] }, { memberId: mia.id });
  assert.equal(sameApp.memberId, mia.id);
  await assert.rejects(newApp(max.client, { moduleIds: [base._id] }, { MemberId: mia.id }), { status: 422 });
  await assert.rejects(newApp(mia.client, {}, { MemberId: max.id }), { status: 403 });
  await assert.rejects(newApp(max.client, {}, { MemberId: outsider.id }), { status: 422 });
  await assert.rejects(newApp(mia.client, { moduleIds: [base._id] }), { status: 422 });
});

test('members keep their own apps, and see no more than names and metadata of the others', async () => {
  const hers = await newApp(mia.client, { name: 'hers only', properties: { a: 1 } });
  const his = await newApp(max.client, { name: 'his only', properties: { a: 1 } });
  const { items } = await mia.client.getProjectApps({ params, query: { name: ['only'] } });
  assert.deepEqual(
    items.map(({ name, properties }) => [name, properties]),
    [
      ['his only', {}],
      ['hers only', { a: 1 }],
    ],
  );
  const hisParams = { ...params, appId: his._id };
  const herParams = { ...params, appId: hers._id };
  for (const refused of [
    () => mia.client.getProjectApp({ params: hisParams }),
    () => mia.client.getProjectAppCompiled({ params: hisParams }),
    () => mia.client.putProjectApp({ params: hisParams, body: {} }),
    () => mia.client.deleteProjectApp({ params: hisParams }),
    () => mia.client.putProjectAppPublic({ params: herParams }),
    () => mia.client.deleteProjectAppPublic({ params: herParams }),
  ])
    await assert.rejects(refused(), { status: 403 });
  await assert.rejects(outsider.client.getProjectApp({ params: herParams }), { status: 404 });
  await mia.client.putProjectApp({ params: herParams, body: { name: 'still hers' } });
  await max.client.putIamRole({
    params: { roleId: 'appGuest', resourceId: hers._id },
    query: { principalIds: [outsider.id] },
  });
  const { items: readers } = await max.client.getProjectAppUsers({ params: herParams });
  assert.deepEqual(readers.map(({ username, roleId }) => `${username} ${roleId}`).toSorted(), [
    'max projectManager',
    'mia projectMember',
    'olga appGuest',
  ]);
  assert.equal((await outsider.client.getProjectApp({ params: herParams })).name, 'still hers');
  assert.equal((await outsider.client.getProjectAppCompiled({ params: herParams })).name, 'still hers');
  await assert.rejects(outsider.client.putProjectApp({ params: herParams, body: {} }), { status: 403 });
  await assert.rejects(outsider.client.getProjectApps({ params }), { status: 404 });
  assert.deepEqual(await mia.client.deleteProjectApp({ params: herParams }), { numberOfDeletedItems: 1 });
});

test('a module in use stays, unless force takes it out of the apps that use it', async () => {
  const own = await newModule(max.client, { name: 'used' });
  const app = await newApp(max.client, { name: 'The user', moduleIds: [own._id, base._id] });
  const moduleParams = { ...params, moduleId: own._id };
  await assert.rejects(max.client.deleteProjectModule({ params: moduleParams }), (error: Error) => {
    assert.equal((error as Error & { status: number }).status, 409);
    return error.message.includes('“The user”');
  });
  const hers = await newModule(mia.client, { name: 'hers, in his app' });
  await newApp(max.client, { moduleIds: [hers._id] });
  const herModule = { ...params, moduleId: hers._id };
  await assert.rejects(mia.client.deleteProjectModule({ params: herModule, query: { force: true } }), {
    status: 403,
  });
  await max.client.deleteProjectModule({ params: moduleParams, query: { force: true } });
  const changed = await max.client.getProjectApp({ params: { ...params, appId: app._id } });
  assert.deepEqual([changed.moduleIds, changed.revision], [[base._id], app.revision + 1]);
});

test('a project is deleted with all its apps and modules', async () => {
  const id = await newProject(adminId);
  const module = await admin.postProjectModule({ params: { projectId: id }, body: sampleModule });
  await admin.postProjectApp({ params: { projectId: id }, body: { name: 'Map', moduleIds: [module._id] } });
  await removeProject(admin, id);
  const { db } = service.context;
  const { count } = await db
    .selectFrom('app_module')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(count, 0);
});
