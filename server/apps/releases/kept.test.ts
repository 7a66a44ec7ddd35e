import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { sql } from 'kysely';
import { createApp } from '../../app.ts';
import { notify } from '../../base/database/notifications.ts';
import { cleanUpRevisions } from '../../files/revisions/clean-up.ts';
import { newPlace, read, register, write } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { configAt, newMap } from './testing.ts';
import { removeProject } from '../../testing-projects.ts';

const hour = 3_600_000;
const settings = { keepRevisions: 0, keepRevisionsMs: 0 };
let offsetMs = 0;
const service = await startService({ settings, now: () => new Date(Date.now() + offsetMs) });
const { admin, app, context } = service;
const place = await newPlace(service);
const cleanUp = () => {
  const now = () => new Date(context.now().getTime() + 2 * hour);
  return cleanUpRevisions({ ...context, now });
};
const dataAt = async (url: string) => {
  const { statusCode, body } = await app.inject({ url });
  return statusCode === 200 ? body : statusCode;
};
const numbersOf = async (key: string) => {
  const { items } = await admin.getProjectDataBucketObjectRevisions({ params: place, query: { key } });
  return items.map(({ revision }) => revision);
};
const located = (dataBucketKey: string) => ({
  type: 'internal' as const,
  dataBucketId: place.dataBucketId,
  dataBucketKey,
});
const inUse = (error: RequestFailed) =>
  error.status === 409 && error.errors.some(({ pointer }) => pointer.startsWith('release/'));

test('pinned data outlives every clean-up, and is removed with the release', async () => {
  const { params, ids } = await newMap(service, place, ['kept']);
  const id = ids['kept']!;
  await admin.putProjectAppPublic({ params });
  await write(admin, place, { 'kept.geojson': 'kept 2' });
  const { _id: releaseId } = await admin.postProjectAppRelease({ params, body: {} });
  for (const n of [3, 4, 5]) await write(admin, place, { 'kept.geojson': `kept ${n}` });
  await cleanUp();
  assert.deepEqual(await numbersOf('kept.geojson'), [5, 2]);
  offsetMs = 48 * hour;
  assert.equal(await dataAt(`/data/${id}/~2/kept.geojson`), 'kept 2', 'after the day for open maps, too');
  offsetMs = 0;
  const { revisions } = await admin.getProjectUsage({ params: place });
  assert.deepEqual(revisions, { bytes: 'kept 2'.length, objects: 1 }, 'it counts as other revisions do');
  await admin.deleteProjectAppShownRelease({ params });
  await admin.deleteProjectAppRelease({ params: { ...params, releaseId } });
  await cleanUp();
  assert.deepEqual(await numbersOf('kept.geojson'), [5]);
});

test('an older revision between two that are kept is not taken for another', async () => {
  const { params, ids } = await newMap(service, place, ['gap']);
  const datasource = { ...place, datasourceId: ids['gap']! };
  await admin.postProjectAppRelease({ params, body: {} });
  await write(admin, place, { 'gap.geojson': 'gap 2' });
  await admin.postProjectAppRelease({ params, body: {} }); // so that the next upload is another revision
  await write(admin, place, { 'gap.geojson': 'gap 3' });
  const headers = { authorization: `Bearer ${service.adminToken}` };
  const contents = () =>
    Promise.all(
      [1, 2, 3].map(async (revision) => {
        const url = `/data/${datasource.datasourceId}/~${revision}/gap.geojson`;
        const { statusCode, body } = await app.inject({ url, headers });
        return statusCode === 200 ? body : statusCode;
      }),
    );
  assert.deepEqual(await contents(), ['gap 1', 'gap 2', 'gap 3']);
  // the clean-up counts contents of files, and revisions of datasources, apart
  await sql`delete from object_revision where revision = 2
    and object_id = (select id from object where key = 'gap.geojson' and project_id = ${place.projectId})`.execute(
    context.db,
  );
  await notify(context.db, 'accessChanged');
  assert.deepEqual(await contents(), ['gap 1', 404, 'gap 3']);
  const restore = (revision: string) =>
    admin.postProjectDatasourceRevisionRestore({ params: { ...datasource, revision } });
  await assert.rejects(restore('2'), (error: RequestFailed) => error.status === 409);
  await restore('1');
  assert.equal(await read(admin, place, 'gap.geojson'), 'gap 1');
});

test('data visible for a day after a new release is then removed, unless that release pins it, too', async () => {
  const { params, ids } = await newMap(service, place, ['day']);
  const url = `/data/${ids['day']}/~1/day.geojson`;
  await admin.putProjectAppPublic({ params });
  await admin.postProjectAppRelease({ params, body: {} });
  await write(admin, place, { 'day.geojson': 'day 2' });
  await admin.postProjectAppRelease({ params, body: {} });
  const at = async (hours: number) => {
    offsetMs = hours * hour;
    // of what a replica remembers for moments nothing counts
    const replica = await createApp(context);
    const { statusCode } = await replica.inject({ url });
    await replica.close();
    offsetMs = 0;
    return statusCode;
  };
  assert.deepEqual([await at(0), await at(23), await at(25)], [200, 200, 404]);
  await admin.postProjectAppReleaseRestore({ params: { ...params, releaseId: '1' } });
  assert.deepEqual([await at(25), await at(500)], [200, 200]);
});

test('pinned data is in use: datasource, file and folder, wherever the datasource points now', async () => {
  const { params, moduleId, ids } = await newMap(service, place, ['used']);
  const datasourceId = ids['used']!;
  const { _id: releaseId } = await admin.postProjectAppRelease({ params, body: { show: false } });
  await admin.putProjectApp({ params, body: { moduleIds: [] } });
  await admin.deleteProjectModule({ params: { ...params, moduleId } });
  const uses = async () =>
    (await admin.getProjectDatasourceUsedBy({ params: { ...place, datasourceId } })).items.filter(
      ({ type }) => type === 'release',
    );
  const [use] = await uses();
  assert.deepEqual(use, { type: 'release', _id: releaseId, name: 'Map (1)', role: 'pinned', blocks: true });
  const remove = (force?: true) =>
    admin.deleteProjectDatasource({ params: { ...place, datasourceId }, query: { ...(force && { force }) } });
  await assert.rejects(remove(), inUse);
  // it points elsewhere now, and only the release shows the old file
  await write(admin, place, { 'moved/used.geojson': '{}' });
  const sourceProperties = located('moved/used.geojson');
  await admin.putProjectDatasource({ params: { ...place, datasourceId }, body: { sourceProperties } });
  const query = { key: 'used.geojson' };
  await assert.rejects(admin.deleteProjectDataBucketObject({ params: place, query }), inUse);
  await remove(true);
  assert.equal(
    (await admin.getProjectAppRelease({ params: { ...params, releaseId } })).datasources.length,
    1,
  );
});

test('no other file is moved over what a release shows, unless by force; a copy over it is a revision', async () => {
  const { params, ids } = await newMap(service, place, ['over/target']);
  const datasourceId = ids['over/target']!;
  await admin.putProjectAppPublic({ params });
  await admin.postProjectAppRelease({ params, body: {} });
  await write(admin, place, { 'other.geojson': 'other', 'in/target.geojson': 'of a folder' });
  const url = `/data/${datasourceId}/~1/target.geojson`;
  const over = { key: 'other.geojson', to: 'over/target.geojson', overwrite: true };
  const move = (body: object) =>
    admin.postProjectDataBucketObjectMove({ params: place, body: { ...over, ...body } });
  const usedBy = (pointer: string) => (error: RequestFailed) =>
    error.status === 409 && error.errors.some((one) => one.pointer === pointer);
  await assert.rejects(move({}), usedBy(`datasource/${datasourceId}`));
  await assert.rejects(move({ key: 'in/', to: 'over/' }), usedBy(`datasource/${datasourceId}`));
  await admin.postProjectDataBucketObjectCopy({ params: place, body: over });
  await admin.putProjectDatasource({
    params: { ...place, datasourceId },
    body: { sourceProperties: located('other.geojson') },
  });
  await assert.rejects(move({ key: 'in/target.geojson' }), inUse);
  assert.equal(await dataAt(url), 'over/target 1');
  await move({ key: 'in/target.geojson', force: true });
});

test('a release shows a file that was renamed, under its new name and for open maps under the old one', async () => {
  const { params, appId, ids } = await newMap(service, place, ['early', 'late']);
  await write(admin, place, { 'elsewhere.geojson': 'elsewhere' });
  await admin.putProjectAppPublic({ params });
  await admin.postProjectAppRelease({ params, body: {} });
  const rename = (key: string, to: string) =>
    admin.postProjectDataBucketObjectMove({ params: place, body: { key, to } });
  const relocate = (datasourceId: string) =>
    admin.putProjectDatasource({
      params: { ...place, datasourceId },
      body: { sourceProperties: located('elsewhere.geojson') },
    });
  await rename('early.geojson', 'new/early-2.geojson');
  await relocate(ids['early']!);
  await relocate(ids['late']!);
  await rename('late.geojson', 'new/late-2.geojson');
  const { modules } = await configAt(service, `/app/${appId}/`);
  const urls = modules.flatMap(({ layers }) => layers.map(({ url }) => url!));
  assert.deepEqual(urls, [
    `/data/${ids['early']}/~1/early-2.geojson`,
    `/data/${ids['late']}/~1/late-2.geojson`,
  ]);
  assert.deepEqual(await Promise.all(urls.map(dataAt)), ['early 1', 'late 1']);
  assert.equal(await dataAt(`/data/${ids['early']}/~1/early.geojson`), 'early 1');
  assert.equal(await dataAt(`/data/${ids['late']}/~1/late.geojson`), 'late 1');
  assert.equal(await dataAt(`/data/${ids['late']}/~1/elsewhere.geojson`), 404);
});

test('a restored app has its releases and their data, and is not public', async () => {
  const { params, appId, ids } = await newMap(service, place, ['trash']);
  await admin.postProjectAppRelease({ params, body: { note: 'x' } });
  const from = new Date(Date.now() + hour).toISOString();
  await admin.putProjectAppPublic({ params, body: { from } });
  await write(admin, place, { 'trash.geojson': 'trash 2' });
  const before = await admin.getProjectAppRelease({ params: { ...params, releaseId: '1' } });
  await admin.deleteProjectApp({ params });
  await cleanUp();
  const { items } = await admin.getProjectTrash({ params: place, query: { type: ['app'] } });
  await admin.postProjectTrashItemRestore({ params: { ...place, trashId: items[0]!._id } });
  assert.deepEqual(await admin.getProjectAppRelease({ params: { ...params, releaseId: '1' } }), before);
  const restored = await admin.getProjectApp({ params });
  assert.deepEqual(
    [restored.isPublic, restored.publicFrom, restored.releaseId],
    [false, undefined, before._id],
  );
  await admin.putProjectAppPublic({ params });
  const config = await app.inject({ url: `/app/${appId}/app.config.json` });
  assert.equal(config.statusCode, 200);
  assert.equal(await dataAt(`/data/${ids['trash']}/~1/trash.geojson`), 'trash 1');
  assert.equal(await dataAt(`/data/${ids['trash']}/~2/trash.geojson`), 404);
  assert.equal((await admin.postProjectAppRelease({ params, body: {} })).number, 2);
});

test('a restored datasource has the content that a release shows', async () => {
  const { params, ids } = await newMap(service, place, ['back']);
  const datasourceId = ids['back']!;
  await admin.putProjectAppPublic({ params });
  await admin.postProjectAppRelease({ params, body: {} });
  await write(admin, place, { 'back.geojson': 'back 2' });
  await admin.deleteProjectDatasource({ params: { ...place, datasourceId }, query: { force: true } });
  assert.equal(await dataAt(`/data/${datasourceId}/~1/back.geojson`), 404);
  await cleanUp();
  const { items } = await admin.getProjectTrash({ params: place, query: { type: ['datasource'] } });
  const trashId = items.find(({ resourceId }) => resourceId === datasourceId)!._id;
  await admin.postProjectTrashItemRestore({ params: { ...place, trashId } });
  assert.equal(await dataAt(`/data/${datasourceId}/~1/back.geojson`), 'back 1');
});

test('a project is deleted with all its releases', async () => {
  const other = await newPlace(service);
  const { params } = await newMap(service, other, ['gone']);
  await admin.postProjectAppRelease({ params, body: {} });
  await admin.putProjectAppPublic({ params });
  await register(service, other, 'gone.geojson');
  await removeProject(admin, other.projectId);
  const left = await context.db
    .selectFrom('app_release')
    .select('id')
    .where('project_id', '=', other.projectId)
    .execute();
  assert.deepEqual(left, []);
  assert.equal(await read(admin, place, 'kept.geojson'), 'kept 5');
});
