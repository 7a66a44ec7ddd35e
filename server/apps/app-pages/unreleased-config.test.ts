import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Module } from '@platen/contract/modules';
import { requireShortTurns, watchLoop } from '../../base/testing-loop-watch.ts';
import { startService } from '../../testing.ts';

/** As for all that anybody may request. */

const service = await startService();
const { admin, app } = service;
const max = await service.user('max');
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({
  body,
  query: { managerId: max.id },
});
const params = { projectId, dataBucketId };

async function publicApp(name: string, moduleIds: string[]): Promise<string> {
  const { _id: appId } = await max.client.postProjectApp({ params, body: { name, moduleIds } });
  await max.client.putProjectAppPublic({ params: { projectId, appId }, body: {} });
  return appId;
}

const postModule = (content: object): Promise<Module> =>
  max.client.postProjectModule({
    params,
    body: { name: 'm', maps: [{ name: 'map', type: 'OpenlayersMap' }], ...content },
  });

test('neither the page nor the configuration of a large app without a release holds the event loop', async () => {
  const layers = Array.from({ length: 11_000 }, (_, i) => ({
    name: `layer ${i}`,
    type: 'WMSLayer',
    url: `https://wms.example.org/${i}`,
  }));
  const modules = [];
  for (let i = 0; i < 6; i++) modules.push((await postModule({ layers }))._id);
  const appId = await publicApp('large', modules);
  await app.inject({ url: '/app/none/' }); // compiled code
  for (const path of ['', 'app.config.json']) {
    const report = await watchLoop(async () => {
      const { statusCode } = await app.inject({ url: `/app/${appId}/${path}` });
      assert.equal(statusCode, 200);
    });
    requireShortTurns(`/app/…/${path}`, report);
  }
});

test('checking a module of the maximum size does not hold the event loop', async () => {
  const layers = Array.from({ length: 18_000 }, (_, i) => ({
    name: `l${i}`,
    type: 'W',
    projection: { epsg: i + 1 },
  }));
  requireShortTurns('the check', await watchLoop(() => postModule({ layers })));
});

test('what is kept of an app without a release follows its modules, its data and the rights of its member', async () => {
  const upload = async (text: string) => {
    const form = new FormData();
    form.append('a.geojson', new Blob([text]), 'a.geojson');
    await max.client.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
  };
  const places = '{"type":"FeatureCollection","features":[]}';
  await upload(places);
  const sourceProperties = { type: 'internal', dataBucketId, dataBucketKey: 'a.geojson' } as const;
  const { _id: datasourceId } = await max.client.postProjectDatasource({
    params,
    body: { name: 'a', type: 'geojson', sourceProperties },
  });
  const module = await postModule({ layers: [{ name: 'a', type: 'GeoJSONLayer', datasourceId }] });
  const appId = await publicApp('small', [module._id]);
  const config = async () => {
    const { headers, body: text } = await app.inject({ url: `/app/${appId}/app.config.json` });
    return { etag: headers['etag'], text };
  };
  const tags = new Set<unknown>();
  const requireNew = async (pattern: RegExp) => {
    const { etag, text } = await config();
    assert.match(text, pattern);
    assert.ok(!tags.has(etag), `the same ETag for ${text}`);
    tags.add(etag);
    assert.equal((await config()).etag, etag);
  };
  await requireNew(new RegExp(`"url":"/data/${datasourceId}/~1/a.geojson"`));
  await upload(`${places} `);
  await requireNew(new RegExp(`"url":"/data/${datasourceId}/~2/a.geojson"`));
  await max.client.putProjectModule({
    params: { projectId, moduleId: module._id },
    body: { layers: [{ name: 'b', type: 'WMSLayer', url: 'https://wms.example.org/' }] },
  });
  await requireNew(/wms\.example\.org/);
  const page = await app.inject({ url: `/app/${appId}/` });
  assert.match(String(page.headers['content-security-policy']), /wms\.example\.org/);
  await admin.putUserActive({ params: { userId: max.id }, body: { isActive: false } });
  assert.doesNotMatch((await config()).text, /wms\.example\.org/);
});
