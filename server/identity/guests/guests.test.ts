import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleModule } from '../../apps/modules/testing.ts';
import { registerFile } from '../../datasources/serving/testing.ts';
import { startReplica, startService } from '../../testing.ts';

const service = await startService();
const { admin, app, context } = service;
const replica = await startReplica(context);
const max = await service.user('max');
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const project = await admin.postProject({ body, query: { managerId: max.id } });
const place = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
const { projectId } = place;
const form = new FormData();
form.append('places.geojson', new Blob(['{"type":"FeatureCollection","features":[]}']), 'file');
await admin.postProjectDataBucketUpload({ params: place, body: form });
const shown = await registerFile(service, place, 'geojson', 'places.geojson');
const layers = [{ type: 'GeoJSONLayer', name: 'places', datasourceId: shown }];
const module = await max.client.postProjectModule({
  params: { projectId },
  body: { ...sampleModule, layers },
});
const newApp = async () => {
  const fields = { name: 'Map', moduleIds: [module._id] };
  return (await max.client.postProjectApp({ params: { projectId }, body: fields }))._id;
};
const assign = (userId: string, roleId: string) =>
  max.client.putProjectUser({ params: { projectId, userId }, body: { roleId } });
let people = 0;
const person = () => service.user(`guest${++people}`);

const statusOf = async (url: string, token: string | undefined, at = app) =>
  (await at.inject({ url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }))
    .statusCode;

/** What opens an app to a guest: its page, its configuration, its data with a token and by a path. */
async function waysOf(appId: string, { client, token }: { client: typeof admin; token: string }) {
  const { path } = await client.postProjectAppCapability({ params: { projectId, appId } });
  const ways: [url: string, token?: string][] = [
    [`/app/${appId}/`, token],
    [`/app/${appId}/app.config.json`, token],
    [`/data/${shown}/places.geojson`, token],
    [`${path}/${shown}/places.geojson`],
    [`/api/v1/project/${projectId}/app/${appId}`, token],
    [`/api/v1/project/${projectId}/app/${appId}/compiled`, token],
  ];
  return async () =>
    Promise.all(ways.flatMap(([url, by]) => [statusOf(url, by), statusOf(url, by, replica)]));
}

async function closes(change: () => Promise<unknown>, statuses: () => Promise<number[]>): Promise<void> {
  assert.deepEqual(new Set(await statuses()), new Set([200]));
  await change();
  const until = Date.now() + 1000;
  while ((await statuses()).includes(200) && Date.now() < until) await sleep(20);
  assert.deepEqual(new Set(await statuses()), new Set([404]));
}

test('a guest has access to one app in every way, until it is revoked', async () => {
  const [appId, other, gil] = [await newApp(), await newApp(), await person()];
  const params = { projectId, appId, userId: gil.id };
  await max.client.putProjectAppGuest({ params });
  await closes(() => max.client.deleteProjectAppGuest({ params }), await waysOf(appId, gil));
  await max.client.putProjectAppGuest({ params });
  assert.equal(await statusOf(`/app/${other}/`, gil.token), 404);
  await assert.rejects(gil.client.getProject({ params: { projectId } }), { status: 404 });
  await assert.rejects(gil.client.getProjectAppGuests({ params }), { status: 403 });
  await assert.rejects(gil.client.putProjectAppGuest({ params }), { status: 403 });
  assert.equal((await gil.client.getProjects()).totalCount, 0);
  await assert.rejects(gil.client.postProjectAppCapability({ params: { projectId, appId: other } }), {
    status: 404,
  });
});

test('guests are listed by those who may know of them, with who let them in', async () => {
  const [appId, one, two, mia] = [await newApp(), await person(), await person(), await person()];
  await assign(mia.id, 'projectMember');
  const params = { projectId, appId };
  for (const { id: userId } of [one, two, one])
    await max.client.putProjectAppGuest({ params: { ...params, userId } });
  await admin.putUserActive({ params: { userId: two.id }, body: { isActive: false } });
  const { items, totalCount } = await mia.client.getProjectAppGuests({
    params,
    query: { orderBy: ['username'] },
  });
  const listed = items.map(({ _id, username, isActive, createdBy }) => ({
    _id,
    username,
    isActive,
    createdBy,
  }));
  const expected = [
    { _id: one.id, username: `guest${people - 2}`, isActive: true, createdBy: max.id },
    { _id: two.id, username: `guest${people - 1}`, isActive: false, createdBy: max.id },
  ];
  assert.deepEqual([listed, totalCount], [expected, 2]);
  const found = await mia.client.getProjectAppGuests({ params, query: { username: [`GUEST${people - 1}`] } });
  assert.deepEqual(
    found.items.map(({ _id }) => _id),
    [two.id],
  );
  const page = await mia.client.getProjectAppGuests({ params, query: { limit: 1, page: 1 } });
  assert.equal(page.items.length, 1);
  const { items: entries } = await admin.getAudit({ query: { targetId: [one.id], action: ['guest.add'] } });
  assert.deepEqual(
    entries.map(({ detail, actorId }) => [detail, actorId]),
    [[{ appId }, max.id]],
  );
});

test('only active users become guests, and guest access is revoked once', async () => {
  const [appId, gone] = [await newApp(), await person()];
  const params = { projectId, appId, userId: gone.id };
  await assert.rejects(max.client.deleteProjectAppGuest({ params }), { status: 404 });
  await admin.putUserActive({ params: { userId: gone.id }, body: { isActive: false } });
  await assert.rejects(max.client.putProjectAppGuest({ params }), { status: 422 });
  for (const userId of ['nobody', "'; drop table app_guest", 'x'.repeat(500), 'ä', '%']) {
    const wrong = { params: { ...params, userId } };
    await assert.rejects(max.client.putProjectAppGuest(wrong), { status: 404 });
    await assert.rejects(max.client.deleteProjectAppGuest(wrong), { status: 404 });
  }
});

test('a user removed from a project with purge immediately loses guest access to its apps', async () => {
  const [appId, other, tia, mia] = [await newApp(), await newApp(), await person(), await person()];
  for (const { id } of [tia, mia]) {
    await assign(id, 'projectMember');
    for (const one of [appId, other])
      await max.client.putProjectAppGuest({ params: { projectId, appId: one, userId: id } });
  }
  const elsewhere = await admin.postProject({ body, query: { managerId: max.id } });
  const theirs = await max.client.postProjectApp({
    params: { projectId: elsewhere._id },
    body: { name: 'E' },
  });
  const foreign = { projectId: elsewhere._id, appId: theirs._id };
  await max.client.putProjectAppGuest({ params: { ...foreign, userId: tia.id } });
  const remove = (purge?: boolean) =>
    max.client.deleteProjectUser({
      params: { projectId, userId: tia.id },
      query: purge === undefined ? {} : { purge },
    });
  await remove();
  assert.equal(await statusOf(`/app/${appId}/`, tia.token), 200);
  await assign(tia.id, 'projectMember');
  await closes(() => remove(true), await waysOf(appId, tia));
  assert.equal(await statusOf(`/app/${other}/`, tia.token), 404);
  // of others, and of other projects, nothing
  assert.equal(await statusOf(`/app/${appId}/`, mia.token), 200);
  assert.equal((await tia.client.getProjectApp({ params: foreign }))._id, theirs._id);
  const { items } = await admin.getAudit({ query: { targetId: [tia.id], action: ['member.remove'] } });
  const guestOf = [appId, other].toSorted();
  assert.deepEqual(
    items.map(({ detail }) => detail),
    [
      { before: 'projectMember', purge: true, guestOf },
      { before: 'projectMember', purge: false },
    ],
  );
});

test('an app that was in the trash during a purge does not restore the purged guest', async () => {
  const [appId, tia, gil] = [await newApp(), await person(), await person()];
  await assign(tia.id, 'projectMember');
  const params = { projectId, appId };
  for (const { id: userId } of [tia, gil])
    await max.client.putProjectAppGuest({ params: { ...params, userId } });
  await max.client.deleteProjectApp({ params });
  await max.client.deleteProjectUser({ params: { projectId, userId: tia.id }, query: { purge: true } });
  const { items } = await max.client.getProjectTrash({ params: { projectId } });
  const trashId = items.find(({ resourceId }) => resourceId === appId)!._id;
  await max.client.postProjectTrashItemRestore({ params: { projectId, trashId } });
  const { items: guests } = await max.client.getProjectAppGuests({ params });
  assert.deepEqual(
    guests.map(({ _id }) => _id),
    [gil.id],
  );
  assert.equal(await statusOf(`/app/${appId}/`, tia.token), 404);
});
