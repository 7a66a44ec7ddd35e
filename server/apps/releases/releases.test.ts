import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import type { FreeForm } from '@platen/contract/schema';
import { installedEngines } from '@platen/viewer/engines';
import { newPlace, write } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { configAt, newMap } from './testing.ts';

const service = await startService();
const { admin, app, context } = service;
const place = await newPlace(service);
const max = await service.user('max');
await admin.putProjectUser({
  params: { projectId: place.projectId, userId: max.id },
  body: { roleId: 'projectMember' },
});

const failsWith = (status: number, code?: string) => (error: RequestFailed) =>
  error.status === status && (code === undefined || error.code === code);
const layersOf = async (appId: string) => {
  const { modules } = await configAt(service, `/app/${appId}/`);
  return modules.flatMap(({ layers }) => layers.map(({ name }) => name));
};
const dataAt = async (url: string, headers: Record<string, string> = {}) => {
  const { statusCode, body } = await app.inject({ url, headers });
  return statusCode === 200 ? body : statusCode;
};

test('visitors see the release, whatever is edited, until the next one; earlier ones can be shown again at once', async () => {
  const { params, appId, moduleId, ids } = await newMap(service, place, ['trees']);
  await admin.putProjectAppPublic({ params });
  const one = await admin.postProjectAppRelease({ params, body: { note: 'first' } });
  assert.deepEqual([one.number, one.note, one.isShown, one.numberOfModules], [1, 'first', true, 1]);
  assert.equal(one.engineVersion, installedEngines()[0]!.version);
  const moduleParams = { ...params, moduleId };
  await admin.putProjectModule({
    params: moduleParams,
    body: { layers: [{ type: 'GeoJSONLayer', name: 'houses', datasourceId: ids['trees'] }] },
  });
  await admin.putProjectApp({ params, body: { name: 'Another name' } });
  assert.deepEqual(await layersOf(appId), ['trees']);
  const page = await app.inject({ url: `/app/${appId}/` });
  assert.match(page.body, /<title>Map<\/title>/);
  const two = await admin.postProjectAppRelease({ params, body: {} });
  assert.equal(two.number, 2);
  assert.deepEqual(await layersOf(appId), ['houses']);
  const shown = await admin.postProjectAppReleaseRestore({ params: { ...params, releaseId: '1' } });
  assert.equal(shown.releaseId, one._id);
  assert.deepEqual(await layersOf(appId), ['trees']);
  const again = await admin.postProjectAppReleaseRestore({ params: { ...params, releaseId: one._id } });
  assert.equal(again.revision, shown.revision, 'what is shown already changes nothing');
  const { items } = await admin.getProjectAppReleases({ params });
  assert.deepEqual(
    items.map(({ number, isShown }) => [number, isShown]),
    [
      [2, false],
      [1, true],
    ],
  );
  assert.deepEqual(await admin.deleteProjectAppShownRelease({ params }), { numberOfDeletedItems: 1 });
  assert.deepEqual(await admin.deleteProjectAppShownRelease({ params }), { numberOfDeletedItems: 0 });
  assert.deepEqual(await layersOf(appId), ['houses']);
  const { items: entries } = await admin.getAudit({ query: { targetId: [appId], limit: 100 } });
  assert.deepEqual(entries.map(({ action }) => action).toReversed(), [
    'app.makePublic',
    'app.release',
    'app.release',
    'app.showRelease',
    'app.showDraft',
  ]);
});

test('a release remains unchanged when its modules and the app change or are deleted', async () => {
  const { params, moduleId, appId } = await newMap(service, place, ['pinned']);
  await admin.putProjectAppPublic({ params });
  const { _id: releaseId } = await admin.postProjectAppRelease({ params, body: {} });
  const before = await admin.getProjectAppRelease({ params: { ...params, releaseId } });
  await admin.putProjectApp({ params, body: { name: 'B', mapVersion: '*', moduleIds: [] } });
  await admin.deleteProjectModule({ params: { ...params, moduleId } });
  assert.deepEqual(await admin.getProjectAppRelease({ params: { ...params, releaseId: '1' } }), before);
  assert.deepEqual(await layersOf(appId), ['pinned']);
  await assert.rejects(admin.deleteProjectAppShownRelease({ params }), failsWith(422));
  await assert.rejects(admin.putProjectAppPublic({ params, body: { releaseId: null } }), failsWith(422));
});

test('only data pinned by the visible release is readable', async () => {
  const { params, appId, ids } = await newMap(service, place, ['data']);
  const id = ids['data']!;
  await admin.putProjectAppPublic({ params });
  await admin.postProjectAppRelease({ params, body: {} });
  assert.equal(await dataAt(`/data/${id}/data.geojson`), 'data 1', 'what is pinned is what is served');
  // within the minutes in which uploads are one revision
  await write(admin, place, { 'data.geojson': 'data 2' });
  const { modules } = await configAt(service, `/app/${appId}/`);
  const { url } = modules[0]!.layers[0]!;
  assert.equal(url, `/data/${id}/~1/data.geojson`);
  assert.equal(await dataAt(url!), 'data 1');
  assert.equal(await dataAt(`/data/${id}/~2/data.geojson`), 404);
  await untilAnswers(`/data/${id}/data.geojson`, 404);
  assert.equal(await dataAt(`/data/${id}`), 404);
  const headers = { authorization: `Bearer ${max.token}` };
  assert.equal(await dataAt(`/data/${id}/data.geojson`, headers), 'data 2', 'members read what there is');
  assert.equal(await dataAt(`/data/${id}/~1/data.geojson`, headers), 'data 1');
  await admin.postProjectAppRelease({ params, body: {} });
  assert.equal(await dataAt(`/data/${id}/data.geojson`), 'data 2');
  assert.equal(await dataAt(`/data/${id}/~2/data.geojson`), 'data 2');
  assert.equal(await dataAt(url!), 'data 1', 'open maps go on');
  await admin.deleteProjectAppPublic({ params });
  for (const revision of ['', '~1/', '~2/'])
    assert.equal(await dataAt(`/data/${id}/${revision}data.geojson`), 404, revision);
});

/** What has just changed may be answered from memory for moments, but only by what was public before. */
async function untilAnswers(url: string, wanted: string | number): Promise<void> {
  for (let n = 0; n < 200; n++) {
    const got = await dataAt(url);
    if (got === wanted) return;
    assert.equal(got, 'data 1');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`${url} does not answer ${wanted}`);
}

test('a public app without a release opens all of its data, also beside one with a release', async () => {
  const released = await newMap(service, place, ['both']);
  const id = released.ids['both']!;
  await admin.putProjectAppPublic({ params: released.params });
  await admin.postProjectAppRelease({ params: released.params, body: {} });
  await write(admin, place, { 'both.geojson': 'both 2' });
  const { _id: appId } = await admin.postProjectApp({
    params: place,
    body: { name: 'Live', moduleIds: [released.moduleId] },
  });
  const params = { ...place, appId };
  await admin.putProjectAppPublic({ params });
  assert.equal(await dataAt(`/data/${id}/both.geojson`), 'both 2');
  assert.equal(await dataAt(`/data/${id}/~1/both.geojson`), 'both 1');
  await admin.deleteProjectAppPublic({ params });
  assert.equal(await dataAt(`/data/${id}/both.geojson`), 404);
  assert.equal(await dataAt(`/data/${id}/~1/both.geojson`), 'both 1');
});

test('files added to a folder or replaced later are not part of the release', async () => {
  await write(admin, place, { 'folder/a.json': 'a1', 'folder/b.json': 'b1' });
  const sourceProperties = {
    type: 'internal' as const,
    dataBucketId: place.dataBucketId,
    dataBucketKey: 'folder/',
  };
  const body = { name: 'folder', type: 'generic' as const, sourceProperties };
  const { _id: id } = await admin.postProjectDatasource({ params: place, body });
  const layers = [{ type: 'GeoJSONLayer', name: 'l', datasourceId: id, url: `/data/${id}/a.json` }];
  const maps = [{ type: 'CesiumMap', name: 'globe' }];
  const module = await admin.postProjectModule({ params: place, body: { name: 'M', layers, maps } });
  const { _id: appId } = await admin.postProjectApp({
    params: place,
    body: { name: 'A', moduleIds: [module._id] },
  });
  const params = { ...place, appId };
  await admin.putProjectAppPublic({ params });
  // an upload right before, which others could have become one revision with
  await write(admin, place, { 'folder/b.json': 'b2' });
  const { _id: releaseId } = await admin.postProjectAppRelease({ params, body: {} });
  const { datasources } = await admin.getProjectAppRelease({ params: { ...params, releaseId } });
  assert.deepEqual(datasources, [{ datasourceId: id, revision: 2 }]);
  await write(admin, place, { 'folder/c.json': 'c1' });
  await write(admin, place, { 'folder/b.json': 'b3', 'folder/d.json': 'd1' });
  const contents = async () =>
    Promise.all(['a', 'b', 'c', 'd'].map((name) => dataAt(`/data/${id}/~2/${name}.json`)));
  assert.deepEqual(await contents(), ['a1', 'b2', 404, 404]);
  await admin.deleteProjectDataBucketObject({ params: place, query: { key: 'folder/a.json', force: true } });
  assert.deepEqual((await contents())[0], 404, 'what is deleted is gone for all');
  const [item] = (await admin.getProjectTrash({ params: place })).items;
  await admin.postProjectTrashItemRestore({ params: { ...place, trashId: item!._id } });
  assert.deepEqual(await contents(), ['a1', 'b2', 404, 404]);
});

test('the current permissions of the user behind the app apply, also for a release', async () => {
  const ann = await service.user('ann');
  const membership = { params: { projectId: place.projectId, userId: ann.id } };
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectManager' } });
  const { moduleId, ids } = await newMap(service, place, ['behind']);
  const { _id: appId } = await ann.client.postProjectApp({
    params: place,
    body: { name: 'Ann’s', moduleIds: [moduleId] },
  });
  const params = { ...place, appId };
  await ann.client.putProjectAppPublic({ params });
  await ann.client.postProjectAppRelease({ params, body: {} });
  const url = `/data/${ids['behind']}/~1/behind.geojson`;
  assert.deepEqual([await layersOf(appId), await dataAt(url)], [['behind'], 'behind 1']);
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectMember' } });
  assert.deepEqual([await layersOf(appId), await dataAt(url)], [[], 404]);
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectManager' } });
  assert.deepEqual([await layersOf(appId), await dataAt(url)], [['behind'], 'behind 1']);
  await admin.putUserActive({ params: { userId: ann.id }, body: { isActive: false } });
  assert.deepEqual([await layersOf(appId), await dataAt(url)], [[], 404]);
});

test('an app that cannot work cannot be released, and the response names the places', async () => {
  const { params, moduleId } = await newMap(service, place, ['faulty']);
  const release = () => admin.postProjectAppRelease({ params, body: {} });
  const pointers = async (): Promise<string[]> => {
    const error = await release().then(
      () => assert.fail('it was released'),
      (failure: unknown) => failure as RequestFailed,
    );
    assert.deepEqual([error.status, error.code], [422, 'unprocessable']);
    return error.errors.map(({ pointer, code }) => `${pointer} ${code}`);
  };
  await admin.putProjectModule({ params: { ...params, moduleId }, body: { maps: [] } });
  assert.deepEqual(await pointers(), ['/moduleIds noMaps']);
  await context.db.updateTable('app').set({ map_version: '^4' }).where('id', '=', params.appId).execute();
  assert.deepEqual(await pointers(), ['/moduleIds noMaps', '/mapVersion noEngine']);
  await admin.putProjectApp({ params, body: { mapVersion: '*', moduleIds: [] } });
  assert.deepEqual(await pointers(), ['/moduleIds noMaps']);
  assert.equal((await admin.getProjectAppReleases({ params })).totalCount, 0);
  for (const body of [{ note: 7 }, { own: 1 }, { note: 'x'.repeat(10_001) }, { show: 'yes' }])
    await assert.rejects(admin.postProjectAppRelease({ params, body: body as object }), failsWith(400));
});

test('warnings are stored with the release', async () => {
  const { params, moduleId } = await newMap(service, place, ['odd']);
  await admin.putProjectModule({ params: { ...params, moduleId }, body: { startingMapName: 'nowhere' } });
  const { warnings } = await admin.postProjectAppRelease({ params, body: {} });
  assert.ok(warnings.some(({ code }) => code === 'unknownName'));
  assert.deepEqual((await admin.getProjectAppReleases({ params })).items[0]!.warnings, warnings);
});

test('a release warns of layers whose data names no source, and of no others', async () => {
  const { params, moduleId } = await newMap(service, place, ['silent']);
  const register = async (name: string, properties: FreeForm) => {
    const sourceProperties = { type: 'external', url: `https://${name}.example/` } as const;
    const body = { name, type: 'geojson', sourceProperties, properties } as const;
    return (await admin.postProjectDatasource({ params, body }))._id;
  };
  const [silent, named] = [await register('silent', {}), await register('named', { attribution: 'Ulm' })];
  const layer = (name: string, options: FreeForm) => ({ type: 'GeoJSONLayer', name, ...options });
  const layers = [
    layer('silent', { datasourceId: silent }),
    layer('named', { datasourceId: named }),
    layer('own', { datasourceId: silent, properties: { attributions: { provider: 'Own' } } }),
    layer('address', { url: 'https://a.example/b.geojson' }),
    { type: 'VectorLayer', name: 'empty' },
  ];
  await admin.putProjectModule({ params: { ...params, moduleId }, body: { layers } });
  const { warnings } = await admin.postProjectAppRelease({ params, body: {} });
  const found = warnings.filter(({ code }) => code === 'unattributed').map(({ detail }) => detail);
  assert.deepEqual(
    found.map((detail) => /\/layers\/(\d)/.exec(detail)?.[1]),
    ['0', '3'],
  );
  const everyPress = await admin.putProjectAppPublic({ params, body: { releaseId: null } });
  const live = everyPress.warnings!.filter(({ code }) => code === 'unattributed');
  assert.equal(live.length, 2, 'maps that always show the latest warn, too');
});

test('a visible or scheduled release cannot be deleted; others can, and their numbers are not reused', async () => {
  const { params } = await newMap(service, place, ['gone']);
  const one = await admin.postProjectAppRelease({ params, body: {} });
  const two = await admin.postProjectAppRelease({ params, body: { show: false } });
  assert.equal(two.isShown, false);
  const remove = (releaseId: string) => admin.deleteProjectAppRelease({ params: { ...params, releaseId } });
  await assert.rejects(remove(one._id), failsWith(409));
  const from = new Date(Date.now() + 3_600_000).toISOString();
  await admin.putProjectAppPublic({ params, body: { releaseId: two._id, from } });
  await assert.rejects(remove(two._id), failsWith(409));
  await admin.deleteProjectAppPublic({ params });
  assert.deepEqual(await remove(two._id), { numberOfDeletedItems: 1 });
  await assert.rejects(remove(two._id), failsWith(404));
  assert.equal((await admin.postProjectAppRelease({ params, body: {} })).number, 3);
});
