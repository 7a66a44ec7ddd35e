import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { addDatasource } from './testing.ts';

const service = await startService();
const { admin, context } = service;
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

test('warnings that have become others are stored by a PUT that changes nothing, without a new revision', async () => {
  const datasourceId = await addDatasource(service, projectId);
  const layers = [{ type: 'GeoJSONLayer', name: 'trees', datasourceId }];
  const { _id: moduleId, ...module } = await admin.postProjectModule({
    params: { projectId },
    body: { name: 'Trees', layers },
  });
  const app = { name: 'Map', moduleIds: [moduleId], mapVersion: '^6.3' };
  const { _id: appId } = await admin.postProjectApp({ params: { projectId }, body: app });
  const warningsOfApp = async () =>
    (await context.db.selectFrom('app').select('warnings').where('id', '=', appId).executeTakeFirst())
      ?.warnings;
  await admin.getProjectApp({ params: { projectId, appId } });
  assert.notEqual(await warningsOfApp(), null);
  await admin.putProjectDatasource({ params: { projectId, datasourceId }, body: { type: 'wms' } });
  const params = { projectId, moduleId };
  const repeated = await admin.putProjectModule({ params, body: { name: 'Trees', layers } });
  const pointers = repeated.warnings!.flatMap(({ code, pointer }) => (code === 'otherType' ? pointer : []));
  assert.deepEqual(pointers, ['/layers/0/type']);
  assert.deepEqual([repeated.revision, repeated.updatedAt], [module.revision, module.updatedAt]);
  const { body } = await service.app.inject({
    url: `/api/v1/project/${projectId}/module/${moduleId}`,
    headers: { authorization: `Bearer ${service.adminToken}`, 'if-none-match': `"${module.revision}"` },
  });
  assert.deepEqual(JSON.parse(body), repeated, 'it is sent whole');
  assert.equal(await warningsOfApp(), null, 'apps check theirs again');
});
