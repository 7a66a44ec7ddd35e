import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { newPlace, write } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { configAt, newMap } from './testing.ts';

const service = await startService();
const { admin, app } = service;
const place = await newPlace(service);
const gil = await service.user('gil');
const max = await service.user('max');
await admin.putProjectUser({
  params: { projectId: place.projectId, userId: max.id },
  body: { roleId: 'projectMember' },
});
const { params, appId, moduleId, ids } = await newMap(service, place, ['places']);
const id = ids['places']!;
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const letIn = (userId: string) =>
  admin.putIamRole({ params: { roleId: 'appGuest', resourceId: appId }, query: { principalIds: [userId] } });
const layerUrl = async (url: string, token: string) => {
  const { status, modules } = await configAt(service, url, as(token));
  return status === 200 ? modules[0]?.layers[0]?.url : status;
};
const dataAt = async (url: string, headers: Record<string, string> = {}) => {
  const { statusCode, body } = await app.inject({ url, headers });
  return statusCode === 200 ? body : statusCode;
};

await admin.postProjectAppRelease({ params, body: {} });
await write(admin, place, { 'places.geojson': 'places 2' });
await admin.postProjectAppRelease({ params, body: { show: false } });
await admin.putProjectModule({ params: { ...params, moduleId }, body: { name: 'Draft' } });
await write(admin, place, { 'places.geojson': 'places 3' });
await letIn(gil.id);
await letIn(max.id);

const addresses = [`/app/${appId}/draft/`, `/app/${appId}/release/1/`, `/app/${appId}/release/2/`];

test('readers of the app see its draft and each release, with the data of each, and no list contains them', async () => {
  for (const [index, address] of addresses.entries()) {
    const page = await app.inject({ url: address, headers: as(service.adminToken) });
    assert.equal(page.statusCode, 200);
    assert.match(page.body, new RegExp(`content="${address}app.config.json"`));
    assert.equal(page.headers['x-robots-tag'], 'noindex');
    assert.equal(page.headers['cache-control'], 'private, no-cache');
    const { answer } = await configAt(service, address, as(service.adminToken));
    assert.equal(answer.headers['x-robots-tag'], 'noindex');
    const url = await layerUrl(address, service.adminToken);
    assert.match(String(url), /^\/data\/t\/[\w-]+\/\w+\/~\d\/places\.geojson$/);
    assert.equal(await dataAt(String(url)), `places ${[3, 1, 2][index]}`);
  }
  const { modules } = await configAt(service, addresses[0]!, as(service.adminToken));
  assert.equal(modules[0]!.name, 'Draft');
  const shown = await admin.getProjectAppCompiled({ params, query: { edit: 'false' } });
  assert.equal(shown.modules[0]!.name, 'Base');
});

test('guests see the visible content only, never drafts or other releases', async () => {
  for (const { client, token } of [gil, max]) {
    const shown = String(await layerUrl(`/app/${appId}/`, token));
    assert.equal(await dataAt(shown), 'places 1');
    for (const revision of ['~2/', '~3/', ''])
      assert.equal(await dataAt(shown.replace('~1/', revision)), 404, revision);
    for (const address of addresses) {
      assert.equal(await dataAt(address, as(token)), 404, address);
      assert.equal(await layerUrl(address, token), 404, address);
    }
    const refused = (error: RequestFailed) => error.status === 403;
    await assert.rejects(client.getProjectAppReleases({ params }), refused);
    await assert.rejects(client.getProjectAppRelease({ params: { ...params, releaseId: '1' } }), refused);
    await assert.rejects(client.getProjectAppReleaseDiff({ params: { ...params, releaseId: '2' } }), refused);
    const { modules } = await client.getProjectAppCompiled({ params });
    assert.equal(modules[0]!.name, 'Base');
    assert.equal(modules[0]!.layers[0]!['url'], `/data/${id}/~1/places.geojson`);
  }
  assert.equal(await dataAt(`/data/${id}/~1/places.geojson`, as(gil.token)), 'places 1');
  assert.equal(await dataAt(`/data/${id}/~3/places.geojson`, as(gil.token)), 404);
  assert.equal(await dataAt(`/data/${id}/places.geojson`, as(gil.token)), 404);
});

test('a public app has no public drafts', async () => {
  await admin.putProjectAppPublic({ params });
  for (const address of addresses) {
    assert.equal(await dataAt(address), 404);
    assert.equal((await configAt(service, address)).status, 404);
    assert.equal(await layerUrl(address, gil.token), 404);
    assert.equal(await dataAt(String(await layerUrl(address, service.adminToken))).then(Boolean), true);
  }
  assert.equal(await dataAt(`/data/${id}/~3/places.geojson`), 404);
  await admin.deleteProjectAppPublic({ params });
});

test('an unknown release is not found; an address without its slash redirects', async () => {
  for (const number of ['0', '3', 'x', '-1', '1e3', '99999999999', '%00', '..%2f..'])
    assert.ok(
      [400, 404].includes(Number(await dataAt(`/app/${appId}/release/${number}/`, as(service.adminToken)))),
      number,
    );
  for (const address of addresses) {
    const answer = await app.inject({
      url: `${address.slice(0, -1)}?state=1`,
      headers: as(service.adminToken),
    });
    assert.deepEqual([answer.statusCode, answer.headers.location], [308, `${address}?state=1`]);
  }
});

test('an address of a deleted release says so', async () => {
  const { _id: releaseId } = await admin.postProjectAppRelease({ params, body: { show: false } });
  const address = `/app/${appId}/release/3/`;
  const url = String(await layerUrl(address, service.adminToken));
  assert.equal(await dataAt(url), 'places 3');
  await admin.deleteProjectAppRelease({ params: { ...params, releaseId } });
  assert.equal(await layerUrl(address, service.adminToken), 404);
});
