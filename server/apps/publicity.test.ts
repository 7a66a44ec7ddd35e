import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleModule } from '../modules/testing.ts';
import { startService } from '../testing.ts';

const service = await startService();
const { admin } = service;
const max = await service.user('max');
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
  query: { managerId: max.id },
});
const params = { projectId };

const newModule = (fields: object) =>
  max.client.postProjectModule({ params, body: { ...sampleModule, ...fields } });
const newApp = (moduleIds: string[]) =>
  max.client.postProjectApp({ params, body: { name: 'Map', moduleIds } });
const base = await newModule({ name: 'base' });
const data = await newModule({ name: 'data', maps: [], startingMapName: null });

test('an app with a map can be shown to the world and taken back, and the log tells who did', async () => {
  const app = await newApp([base._id]);
  const appParams = { ...params, appId: app._id };
  const shown = await max.client.putProjectAppPublic({ params: appParams });
  assert.equal(shown.isPublic, true);
  assert.deepEqual(await max.client.putProjectAppPublic({ params: appParams }), shown);
  const { items } = await max.client.getProjectApps({ params, query: { isPublic: true } });
  assert.deepEqual(
    items.map(({ _id }) => _id),
    [app._id],
  );
  const unchanged = await max.client.putProjectApp({ params: appParams, body: { isPublic: false } as never });
  assert.equal(unchanged.isPublic, true);
  const takeBack = () => max.client.deleteProjectAppPublic({ params: appParams });
  assert.deepEqual(await takeBack(), { numberOfDeletedItems: 1 });
  assert.deepEqual(await takeBack(), { numberOfDeletedItems: 0 });
  assert.equal((await max.client.getProjectApp({ params: appParams })).isPublic, false);
  const { items: log } = await admin.getAudit({ query: { targetId: [app._id] } });
  assert.deepEqual(
    log.map(({ action, actorId }) => [action, actorId]),
    [
      ['app.makePrivate', max.id],
      ['app.makePublic', max.id],
    ],
  );
});

test('an app without a map is not made public, and the refusal says what to do', async () => {
  for (const moduleIds of [[], [data._id]]) {
    const { _id: appId } = await newApp(moduleIds);
    await assert.rejects(max.client.putProjectAppPublic({ params: { ...params, appId } }), (error: Error) => {
      assert.equal((error as Error & { status: number }).status, 422);
      return error.message.includes('CesiumMap');
    });
  }
});
