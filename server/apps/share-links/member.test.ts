import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { sampleModule } from '../modules/testing.ts';
import { startSharing } from './testing.ts';

const { service, max, ids, share, get, openVisit } = await startSharing();
const { projectId } = ids;
const mia = await service.user('mia');
await max.client.putProjectUser({
  params: { projectId, userId: mia.id },
  body: { roleId: 'projectMember' },
});
const newModule = async (datasourceId: string) => {
  const layers = [{ type: 'GeoJSONLayer', name: datasourceId, datasourceId }];
  return (await mia.client.postProjectModule({ params: { projectId }, body: { ...sampleModule, layers } }))
    ._id;
};
const shown = await newModule(ids.shown);
const hidden = await newModule(ids.other);
/** By a member, who may not show it to all. */
const newOwn = async () => {
  const body = { name: 'Map', moduleIds: [shown] };
  const { _id: appId } = await mia.client.postProjectApp({ params: { projectId }, body });
  return { projectId, appId };
};
const layersOf = async (url: string) => {
  const { config } = await openVisit(url);
  const { modules } = JSON.parse((await get(config)).body) as { modules: { layers: { name: string }[] }[] };
  return modules.slice(1).flatMap(({ layers }) => layers.map(({ name }) => name));
};
const refused = (error: RequestFailed) => error.status === 403;

test('users who may not make an app public cannot change what its links show, also not by releases', async () => {
  const params = await newOwn();
  const first = await mia.client.postProjectAppRelease({ params, body: {} });
  const { url } = await share({}, params);
  const moduleIds = [shown, hidden];
  await mia.client.putProjectApp({ params, body: { moduleIds } });
  const seen = await layersOf(url);
  assert.equal(seen.length, 1);
  await assert.rejects(mia.client.postProjectAppRelease({ params, body: {} }), refused);
  const second = await mia.client.postProjectAppRelease({ params, body: { show: false } });
  const of = (releaseId: string) => ({ params: { ...params, releaseId } });
  await assert.rejects(mia.client.postProjectAppReleaseRestore(of(second._id)), refused);
  await assert.rejects(mia.client.deleteProjectAppShownRelease({ params }), refused);
  assert.deepEqual(await layersOf(url), seen);
  await max.client.postProjectAppReleaseRestore(of(second._id));
  assert.equal((await layersOf(url)).length, 2);
  await max.client.postProjectAppReleaseRestore(of(first._id));
});

test('a link to one release leaves its maker the choice of what the app shows', async () => {
  const params = await newOwn();
  const { _id: shows } = await mia.client.postProjectAppRelease({ params, body: {} });
  const { url } = await share({ shows }, params);
  await mia.client.putProjectApp({ params, body: { moduleIds: [shown, hidden] } });
  await mia.client.postProjectAppRelease({ params, body: {} });
  assert.equal((await layersOf(url)).length, 1);
});

test('scheduling an app to become public already requires the permission', async () => {
  const params = await newOwn();
  const from = new Date(Date.now() + 3_600_000).toISOString();
  await max.client.putProjectAppPublic({ params, body: { from } });
  const moduleIds = [shown, hidden];
  await assert.rejects(mia.client.putProjectApp({ params, body: { moduleIds } }), refused);
  await assert.rejects(mia.client.postProjectAppRelease({ params, body: {} }), refused);
  const release = await mia.client.postProjectAppRelease({ params, body: { show: false } });
  await max.client.putProjectAppPublic({ params, body: { from, releaseId: release._id } });
  await mia.client.putProjectApp({ params, body: { moduleIds } });
  await mia.client.postProjectAppRelease({ params, body: {} });
  await max.client.putProjectAppPublic({ params, body: { from, releaseId: null } });
  const empty = { moduleIds: [] };
  await mia.client.putProjectApp({ params, body: empty });
  await assert.rejects(mia.client.putProjectApp({ params, body: { moduleIds } }), refused);
});
