import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPlace, write } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { configAt, newMap, newModule } from './testing.ts';

const service = await startService();
const { admin, app } = service;
const place = await newPlace(service);
const gil = await service.user('gil');
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const dataAt = async (url: string, headers: Record<string, string> = {}) => {
  const { statusCode, body } = await app.inject({ url, headers });
  return statusCode === 200 ? body : statusCode;
};
const urlsOf = async (url: string, headers: Record<string, string> = {}) => {
  const { modules } = await configAt(service, url, headers);
  return modules.flatMap(({ layers }) => layers.map((layer) => String(layer.url)));
};

/** An app that showed both to its guests, and shows one of them now. */
async function changedMap(name: string) {
  const [kept, gone] = [`${name}kept`, `${name}gone`];
  const map = await newMap(service, place, [kept, gone]);
  const { params, ids } = map;
  const { _id: first } = await admin.postProjectAppRelease({ params, body: {} });
  const { _id } = await newModule(admin, place, { [kept]: ids[kept]! });
  await admin.putProjectApp({ params, body: { moduleIds: [_id] } });
  return { ...map, first, kept, gone, goneUrl: `/data/${ids[gone]}/~1/${gone}.geojson` };
}

test('content from before an app was public remains closed', async () => {
  const { params, appId, goneUrl } = await changedMap('a');
  await admin.postProjectAppRelease({ params, body: {} });
  await admin.putProjectAppPublic({ params });
  assert.equal((await urlsOf(`/app/${appId}/`)).length, 1);
  assert.equal(await dataAt(goneUrl), 404);
});

test('nor does publishing another release open what was shown until then', async () => {
  const { params, goneUrl } = await changedMap('b');
  const { _id: releaseId } = await admin.postProjectAppRelease({ params, body: { show: false } });
  await admin.putProjectAppPublic({ params, body: { releaseId } });
  assert.equal(await dataAt(goneUrl), 404);
});

test('while an app is public, open maps keep their content', async () => {
  const { params, goneUrl, gone } = await changedMap('c');
  await admin.putProjectAppPublic({ params });
  await admin.postProjectAppRelease({ params, body: {} });
  await admin.putProjectAppPublic({ params });
  assert.equal(await dataAt(goneUrl), `${gone} 1`);
});

test('later visitors do not receive former content', async () => {
  const { params, appId, goneUrl, gone } = await changedMap('d');
  const early = await admin.postProjectAppShareLink({ params, body: { name: 'Early' } });
  const begin = async (url: string) => {
    const { headers } = await app.inject({ url });
    return (await urlsOf(String(headers.location))).map((one) => one.split('/').slice(0, 4).join('/'))[0]!;
  };
  const before = await begin(early.url);
  await admin.putIamRole({
    params: { roleId: 'appGuest', resourceId: appId },
    query: { principalIds: [gil.id] },
  });
  const [guestBefore = ''] = await urlsOf(`/app/${appId}/`, as(gil.token));
  await admin.postProjectAppRelease({ params, body: {} });
  const after = await begin(early.url);
  const below = (root: string) => dataAt(goneUrl.replace('/data', root.split('/').slice(0, 4).join('/')));
  assert.equal(await below(before), `${gone} 1`, 'its map is open');
  assert.equal(await below(guestBefore), `${gone} 1`, 'so is this one');
  assert.equal(await below(after), 404);
});

test('guests do not see warnings about a draft', async () => {
  const { params, appId } = await changedMap('e');
  await admin.putIamRole({
    params: { roleId: 'appGuest', resourceId: appId },
    query: { principalIds: [gil.id] },
  });
  const layers = [{ type: 'SecretNewLayer', name: 'secret' }];
  const { moduleIds } = await admin.getProjectApp({ params });
  await admin.putProjectModule({ params: { ...params, moduleId: moduleIds[0]! }, body: { layers } });
  assert.match(JSON.stringify((await admin.getProjectApp({ params })).warnings), /SecretNewLayer/);
  assert.doesNotMatch(JSON.stringify(await gil.client.getProjectApp({ params })), /SecretNewLayer/);
});

test('the page of addresses lists for guests only those of the visible content', async () => {
  const { params, appId, ids, kept } = await changedMap('f');
  const datasourceId = ids[kept]!;
  await admin.putIamRole({
    params: { roleId: 'appGuest', resourceId: appId },
    query: { principalIds: [gil.id] },
  });
  await write(admin, place, { [`${kept}.geojson`]: `${kept} 2` });
  const sourceProperties = { type: 'external' as const, url: 'https://secret.example/draft' };
  await admin.putProjectDatasource({ params: { ...params, datasourceId }, body: { sourceProperties } });
  const page = await app.inject({ url: `/open/${datasourceId}/`, headers: as(gil.token) });
  assert.equal(page.statusCode, 200);
  assert.doesNotMatch(page.body, /secret\.example/);
  assert.ok(page.body.includes(`/data/${datasourceId}/~1/${kept}.geojson`), page.body);
  const own = await app.inject({ url: `/open/${datasourceId}/`, headers: as(service.adminToken) });
  assert.match(own.body, /secret\.example\/draft/);
});
