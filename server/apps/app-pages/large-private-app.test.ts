import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireShortTurns, watchLoop } from '../../base/testing-loop-watch.ts';
import { startService } from '../../testing.ts';

const { admin, app, user } = await startService();
const { client, id: managerId, token } = await user('max');
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
  query: { managerId },
});
const params = { projectId };
const layers = Array.from({ length: 11_000 }, (_, i) => ({
  name: `layer ${i} ${'x'.repeat(12)}`,
  type: 'WMSLayer',
  url: `https://wms.example.org/${i}`,
}));

test('no configuration of a private app of 14 MB, draft or release, holds the event loop', async () => {
  const maps = [{ name: 'map', type: 'OpenlayersMap' }];
  const moduleIds: string[] = [];
  for (let i = 0; i < 14; i++)
    moduleIds.push((await client.postProjectModule({ params, body: { name: 'm', maps, layers } }))._id);
  const { _id: appId } = await client.postProjectApp({ params, body: { name: 'large', moduleIds } });
  const headers = { authorization: `Bearer ${token}` };
  await app.inject({ url: '/app/none/app.config.json' }); // compiled code
  let size = 0;
  const requireShort = async (path: string) => {
    const report = await watchLoop(async () => {
      const { statusCode, rawPayload } = await app.inject({ url: `/app/${appId}/${path}`, headers });
      assert.equal(statusCode, 200);
      size = rawPayload.length;
    });
    requireShortTurns(`/app/…/${path}`, report);
  };
  for (const path of ['app.config.json', 'draft/app.config.json', 'draft/']) await requireShort(path);
  await client.postProjectAppRelease({ params: { projectId, appId }, body: {} });
  for (const path of ['release/1/', 'release/1/app.config.json', 'app.config.json']) await requireShort(path);
  assert.ok(size > 13.5e6, `${size} bytes`);
});
