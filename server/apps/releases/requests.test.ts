import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { newPlace } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { newMap } from './testing.ts';

const service = await startService();
const { admin, app, context } = service;
const place = await newPlace(service);
const max = await service.user('max');
await admin.putProjectUser({
  params: { projectId: place.projectId, userId: max.id },
  body: { roleId: 'projectMember' },
});

const failsWith = (status: number) => (error: RequestFailed) => error.status === status;

test('the same request sent again makes no other release', async () => {
  const { params } = await newMap(service, place, ['twice']);
  const send = () =>
    app.inject({
      method: 'POST',
      url: `/api/v1/project/${place.projectId}/app/${params.appId}/release`,
      headers: { authorization: `Bearer ${service.adminToken}`, 'idempotency-key': 'one' },
      payload: { note: 'once' },
    });
  const [first, second] = [await send(), await send()];
  assert.deepEqual([first.statusCode, second.statusCode], [201, 201]);
  assert.equal(second.body, first.body);
  assert.equal((await admin.getProjectAppReleases({ params })).totalCount, 1);
});

test('releases made at the same moment have numbers of their own', async () => {
  const { params } = await newMap(service, place, ['many']);
  const made = await Promise.all(
    Array.from({ length: 5 }, () => admin.postProjectAppRelease({ params, body: {} })),
  );
  assert.deepEqual(
    made.map(({ number }) => number).toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5],
  );
  const { items } = await admin.getProjectAppReleases({ params });
  assert.deepEqual(
    items.map(({ isShown }) => isShown),
    [true, false, false, false, false],
  );
});

test('creators may release their app; showing another release of a public app requires the permission', async () => {
  const own = await max.client.postProjectModule({
    params: place,
    body: { name: 'Own', maps: [{ type: 'CesiumMap', name: 'globe' }] },
  });
  const made = await max.client.postProjectApp({
    params: place,
    body: { name: 'Max’s', moduleIds: [own._id] },
  });
  const params = { ...place, appId: made._id };
  const one = await max.client.postProjectAppRelease({ params, body: {} });
  const two = await max.client.postProjectAppRelease({ params, body: {} });
  await admin.putProjectAppPublic({ params });
  const restore = { params: { ...params, releaseId: one._id } };
  await assert.rejects(max.client.postProjectAppReleaseRestore(restore), failsWith(403));
  await assert.rejects(max.client.postProjectAppRelease({ params, body: {} }), failsWith(403));
  await assert.rejects(max.client.deleteProjectAppShownRelease({ params }), failsWith(403));
  assert.equal((await max.client.postProjectAppRelease({ params, body: { show: false } })).isShown, false);
  assert.equal((await admin.getProjectApp({ params })).releaseId, two._id);
  const other = await service.user('outsider');
  await assert.rejects(other.client.getProjectAppReleases({ params }), failsWith(404));
});

test('If-Match applies to the visible release', async () => {
  const { params } = await newMap(service, place, ['match']);
  await admin.postProjectAppRelease({ params, body: {} });
  await admin.postProjectAppRelease({ params, body: {} });
  const url = `/api/v1/project/${place.projectId}/app/${params.appId}/release/1/restore`;
  const send = (revision: number) =>
    app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${service.adminToken}`, 'if-match': `"${revision}"` },
    });
  const { revision } = await admin.getProjectApp({ params });
  assert.equal((await send(revision - 1)).statusCode, 412);
  assert.equal((await send(revision)).statusCode, 200);
});

test('events report releases and changes of the visible release', async () => {
  const { params, appId } = await newMap(service, place, ['told']);
  const { _id } = await admin.postProjectAppRelease({ params, body: {} });
  const { rows } = await context.db
    .selectFrom('project_change')
    .select(['type', 'action', 'resource_id', 'by'])
    .where('resource_id', 'in', [_id, appId])
    .orderBy('id')
    .execute()
    .then((all) => ({ rows: all }));
  const by = service.adminId;
  assert.deepEqual(rows, [
    { type: 'app', action: 'created', resource_id: appId, by },
    { type: 'release', action: 'created', resource_id: _id, by },
    { type: 'app', action: 'changed', resource_id: appId, by },
  ]);
});
