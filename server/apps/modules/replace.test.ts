import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';

const { admin } = await startService();
const bbox = [-180, -85, 180, 85];
const { _id: projectId } = await admin.postProject({ body: { name: 'City', description: '', bbox } });

test('with replace the configuration is the one that is sent, in its order; without it absent keys stay', async () => {
  const layers = [{ type: 'VectorLayer', name: 'a' }];
  const body = { name: 'whole', description: 'kept', own: 1, styles: [], layers, projection: { epsg: 4326 } };
  const { _id: moduleId } = await admin.postProjectModule({ params: { projectId }, body });
  const params = { projectId, moduleId };
  const put = (change: object, query: { replace?: boolean }) =>
    admin.putProjectModule({ params, query, body: change });
  const content = (module: object) => Object.keys(module).slice(Object.keys(module).indexOf('memberId') + 1);

  const kept = await put({ maps: [] }, {});
  assert.deepEqual(content(kept).slice(0, 5), ['own', 'styles', 'layers', 'projection', 'maps']);

  const replaced = await put({ viewpoints: [], layers, name: 'other' }, { replace: true });
  assert.deepEqual(content(replaced), ['viewpoints', 'layers', 'maps', 'contentTree', 'warnings']);
  assert.deepEqual([replaced.name, replaced.description], ['other', 'kept']);
  assert.deepEqual(await admin.getProjectModule({ params }), replaced);
});
