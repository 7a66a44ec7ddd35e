import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../testing.ts';

const { app, admin, user } = await startService();
const [manager, second, member] = [await user('max'), await user('kim'), await user('mia')];
const project = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
  query: { managerId: manager.id },
});
const params = { projectId: project._id };
const assign = (userId: string, roleId: string) =>
  admin.putProjectUser({ params: { ...params, userId }, body: { roleId } });
await assign(second.id, 'projectManager');
await assign(member.id, 'projectMember');

const maps = [{ type: 'CesiumMap', name: 'globe' }];
const layerOf = (datasourceId: string) => ({ type: 'GeoJSONLayer', name: datasourceId, datasourceId });

async function addFile(key: string): Promise<{ id: string; path: string }> {
  const form = new FormData();
  form.append('file', new Blob(['{"type":"FeatureCollection","features":[]}']), key);
  const dataBucketId = project.defaultDataBucketId;
  await manager.client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const sourceProperties = { type: 'internal' as const, dataBucketId, dataBucketKey: key };
  const body = { name: key, type: 'geojson' as const, sourceProperties };
  const { _id, uri } = await manager.client.postProjectDatasource({ params, body });
  return { id: _id, path: uri };
}

const statusOf = async (path: string) => (await app.inject(path)).statusCode;

/** Sooner than by the end of the three seconds for which decisions are kept. */
async function becomes(path: string, status: number): Promise<void> {
  const deadline = performance.now() + 2500;
  while ((await statusOf(path)) !== status) {
    assert.ok(performance.now() < deadline, `${path} answers ${status} in time`);
    await sleep(5);
  }
}

test('users who may not publish cannot show more to the public through a public app', async () => {
  const [shown, kept] = [await addFile('shown.geojson'), await addFile('kept.geojson')];
  const layers = [layerOf(shown.id)];
  const module = await member.client.postProjectModule({ params, body: { name: 'M', maps, layers } });
  const other = await member.client.postProjectModule({
    params,
    body: { name: 'N', layers: [layerOf(kept.id)] },
  });
  const own = await member.client.postProjectApp({ params, body: { name: 'A', moduleIds: [module._id] } });
  const ofModule = { params: { ...params, moduleId: module._id } };
  const ofApp = { params: { ...params, appId: own._id } };
  const both = { layers: [layerOf(shown.id), layerOf(kept.id)] };
  await member.client.putProjectModule({ ...ofModule, body: both });
  await member.client.putProjectModule({ ...ofModule, body: { layers } });
  await manager.client.putProjectAppPublic(ofApp);
  await becomes(shown.path, 200);
  assert.equal(await statusOf(kept.path), 404);

  const refused = { status: 403, code: 'forbidden' };
  await assert.rejects(member.client.putProjectModule({ ...ofModule, body: both }), refused);
  const moduleIds = [module._id, other._id];
  await assert.rejects(member.client.putProjectApp({ ...ofApp, body: { moduleIds } }), refused);
  assert.equal(await statusOf(kept.path), 404);
  await member.client.putProjectModule({ ...ofModule, body: { name: 'Still theirs', layers } });
  await member.client.putProjectApp({ ...ofApp, body: { name: 'Still theirs', moduleIds: [module._id] } });
  await manager.client.putProjectModule({ ...ofModule, body: both });
  await becomes(kept.path, 200);
});

test('data that the user behind a public app may no longer read is no longer shown', async () => {
  const file = await addFile('roads.geojson');
  const layers = [layerOf(file.id)];
  const module = await manager.client.postProjectModule({ params, body: { name: 'Roads', maps, layers } });
  const body = { name: 'Of the second', moduleIds: [module._id] };
  const { _id: appId } = await second.client.postProjectApp({ params, body });
  await second.client.putProjectAppPublic({ params: { ...params, appId } });
  await becomes(file.path, 200);
  await assign(second.id, 'projectMember');
  await becomes(file.path, 404);
  await assign(second.id, 'projectManager');
  await becomes(file.path, 200);
});
