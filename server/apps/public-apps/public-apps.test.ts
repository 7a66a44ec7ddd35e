import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleModule } from '../modules/testing.ts';
import { startService } from '../../testing.ts';
import { version } from '../../base/version.ts';

const service = await startService();
const { admin, as } = service;
const anyone = as();
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };
const { _id: moduleId } = await admin.postProjectModule({ params, body: sampleModule });
const addApp = async (name: string, slug: string | null) => {
  const body = {
    name,
    description: `All ${name}`,
    moduleIds: [moduleId],
    slug,
  };
  return (await admin.postProjectApp({ params, body }))._id;
};
const [trees, bridges, secret] = [
  await addApp('Trees', 'trees'),
  await addApp('Bridges', null),
  await addApp('Secret', null),
];
for (const appId of [trees, bridges]) await admin.putProjectAppPublic({ params: { projectId, appId } });

test('public apps are listed for anyone, but only where super users want it', async () => {
  await assert.rejects(anyone.getPublicApps({ query: {} }), { status: 404 });
  const before = await admin.getAdminSettings({});
  assert.deepEqual([before.listsPublicApps, before.revision], [false, 1]);
  const changed = await admin.putAdminSettings({
    body: { ...before, name: 'Maps of the city', listsPublicApps: true },
  });
  assert.deepEqual([changed.revision, changed.updatedBy], [2, service.adminId]);
  assert.deepEqual(await anyone.getService({}), {
    name: 'Maps of the city',
    listsPublicApps: true,
    version,
    maxTokenDays: 365,
  });
  const { items, totalCount } = await anyone.getPublicApps({ query: {} });
  assert.equal(totalCount, 2);
  assert.deepEqual(items, [
    {
      name: 'Bridges',
      description: 'All Bridges',
      url: `/app/${bridges}/`,
      picture: `/app/${bridges}/preview.png`,
    },
    {
      name: 'Trees',
      description: 'All Trees',
      slug: 'trees',
      url: '/app/trees/',
      picture: '/app/trees/preview.png',
    },
  ]);
  for (const { url, picture } of items)
    for (const path of [url, picture])
      assert.equal((await service.app.inject({ url: path })).statusCode, 200);
  assert.ok(!JSON.stringify(items).includes(secret!));
});

test('they are found by name, page by page, and named as the world sees them', async () => {
  const names = async (query: { name?: string[]; limit?: number; page?: number }) =>
    (await anyone.getPublicApps({ query })).items.map(({ name }) => name);
  assert.deepEqual(await names({ name: ['TREE'] }), ['Trees']);
  assert.deepEqual(await names({ limit: 1, page: 1 }), ['Trees']);
  await admin.postProjectAppRelease({ params: { projectId, appId: trees! }, body: { show: true } });
  await admin.putProjectApp({ params: { projectId, appId: trees! }, body: { name: 'Not yet told' } });
  assert.deepEqual(await names({}), ['Bridges', 'Trees']);
  assert.deepEqual(await names({ name: ['not yet'] }), []);
  await admin.deleteProjectAppPublic({ params: { projectId, appId: bridges! } });
  assert.deepEqual(await names({}), ['Trees']);
});

test('settings are changed by super users alone, one after the other, and it is on record', async () => {
  const max = await service.user('max');
  for (const client of [anyone, max.client]) await assert.rejects(client.getAdminSettings({}));
  await assert.rejects(max.client.putAdminSettings({ body: { name: 'Mine' } }), { status: 403 });
  const put = (ifMatch: string) =>
    service.app.inject({
      method: 'PUT',
      url: '/api/v1/admin/settings',
      headers: { authorization: `Bearer ${service.adminToken}`, 'if-match': ifMatch },
      payload: { listsPublicApps: false },
    });
  assert.equal((await put('"1"')).statusCode, 412);
  assert.equal((await put('"2"')).statusCode, 200);
  await assert.rejects(anyone.getPublicApps({ query: {} }), { status: 404 });
  const { items } = await admin.getAudit({ query: { action: ['service.changeSettings'] } });
  assert.deepEqual(
    items.map(({ detail }) => detail),
    [
      { listsPublicApps: { from: true, to: false } },
      {
        name: { from: 'Platen', to: 'Maps of the city' },
        listsPublicApps: { from: false, to: true },
      },
    ],
  );
});
