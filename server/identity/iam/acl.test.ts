import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiPrefix } from '@platen/contract/endpoint';
import { startService } from '../../testing.ts';

const { admin, adminId, adminToken, app, user } = await startService();
const [max, mia, gil, olga] = [await user('max'), await user('mia'), await user('gil'), await user('olga')];
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId } = await admin.postProject({ body, query: { managerId: max.id } });
await max.client.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectMember' } });
const module = await mia.client.postProjectModule({ params: { projectId }, body: { name: 'M' } });
const { _id: appId } = await max.client.postProjectApp({ params: { projectId }, body: { name: 'A' } });
const asGuest = { params: { roleId: 'appGuest', resourceId: appId }, query: { principalIds: [gil.id] } };
await max.client.putIamRole(asGuest);

const holders = (items: readonly { username: string; roleName: string; resourceType: string }[]) =>
  items.map(({ username, roleName, resourceType }) => `${username} ${roleName} ${resourceType}`);

test('the principals of an app are its readers and its guests, of a module its readers and who made it', async () => {
  const ofApp = await mia.client.getProjectAppUsers({ params: { projectId, appId } });
  assert.deepEqual(holders(ofApp.items), ['max projectManager project', 'gil appGuest app']);
  const hers = { projectId, moduleId: module._id };
  const ofModule = await mia.client.getProjectModuleUsers({ params: hers });
  assert.deepEqual(holders(ofModule.items), ['max projectManager project', 'mia projectMember project']);
  for (const { client } of [olga, gil]) {
    const status = client === gil.client ? 403 : 404;
    await assert.rejects(client.getProjectAppUsers({ params: { projectId, appId } }), { status });
    await assert.rejects(client.getProjectModuleUsers({ params: hers }), { status: 404 });
  }
});

test('a resource lists its principals, and a principal their resources, to permitted users', async () => {
  const onApp = await mia.client.getIamPrincipalPermission({ params: { resourceId: appId } });
  assert.deepEqual(holders(onApp.items), ['gil appGuest app']);
  assert.deepEqual(onApp.items[0]!.permissions, ['getApp']);
  const own = await gil.client.getIamResourcePermission({ params: { principalId: gil.id } });
  assert.deepEqual(
    own.items.map(({ resourceId, roleId }) => [resourceId, roleId]),
    [[appId, 'appGuest']],
  );
  await assert.rejects(max.client.getIamResourcePermission({ params: { principalId: gil.id } }), {
    status: 403,
  });
  assert.deepEqual(await admin.getIamResourcePermission({ params: { principalId: gil.id } }), own);
  for (const { client } of [gil, olga])
    await assert.rejects(client.getIamPrincipalPermission({ params: { resourceId: appId } }), {
      status: 404,
    });
});

test('a role that is granted to several is granted to all of them or to none', async () => {
  const grant = (principalIds: string[], roleId = 'appGuest') =>
    max.client.putIamRole({ params: { roleId, resourceId: appId }, query: { principalIds } });
  await assert.rejects(grant([olga.id, 'nobody']), { status: 422 });
  assert.equal(await guests(), 'gil');
  await grant([olga.id, gil.id]);
  assert.equal(await guests(), 'gil olga');
  await assert.rejects(grant([olga.id], 'projectMember'), { status: 422 });
  await assert.rejects(grant([olga.id], 'nonsense'), { status: 404 });
  const take = (principalIds: string[], roleId = 'appGuest') =>
    max.client.deleteIamRole({ params: { roleId, resourceId: appId }, query: { principalIds } });
  await assert.rejects(take([olga.id, mia.id]), { status: 404 });
  assert.equal(await guests(), 'gil olga');
  await assert.rejects(take([olga.id], 'projectMember'), { status: 404 });
  await assert.rejects(olga.client.deleteIamRole(asGuest), { status: 404 });
  await assert.rejects(mia.client.putIamRole(asGuest), { status: 403 });
  await take([olga.id]);
  assert.equal(await guests(), 'gil');
});

const guests = async () => {
  const { items } = await max.client.getProjectAppGuests({
    params: { projectId, appId },
    query: { orderBy: ['username'] },
  });
  return items.map(({ username }) => username).join(' ');
};

test('hostile ids are refused by every endpoint of rights, and change nothing', async () => {
  const hostile = [
    'absent',
    "'; drop table membership; --",
    '../../project',
    '%',
    '{}',
    '$1',
    'x'.repeat(2000),
    'ÄÖÜ😀',
    '\u0000',
    '\u202e',
    projectId.toUpperCase(),
    `${projectId} `,
    `${appId}\n`,
  ];
  const paths = (id: string): [method: 'GET' | 'PUT' | 'DELETE', path: string][] => [
    ['GET', `/iam/role/${id}`],
    ['PUT', `/iam/role/${id}/${appId}?principalIds=${gil.id}`],
    ['PUT', `/iam/role/appGuest/${id}?principalIds=${gil.id}`],
    ['PUT', `/iam/role/appGuest/${appId}?principalIds=${id}`],
    ['PUT', `/iam/role/projectMember/${projectId}?principalIds=${id}`],
    ['DELETE', `/iam/role/${id}/${appId}?principalIds=${gil.id}`],
    ['DELETE', `/iam/role/appGuest/${id}?principalIds=${gil.id}`],
    ['DELETE', `/iam/role/appGuest/${appId}?principalIds=${id}`],
    ['GET', `/iam/resource-permission/${id}`],
    ['GET', `/iam/principal-permission/${id}`],
    ['GET', `/iam/super-user/${id}`],
    ['PUT', `/iam/super-user/${id}`],
    ['DELETE', `/iam/super-user/${id}`],
    ['GET', `/project/${projectId}/app/${id}/users`],
    ['GET', `/project/${id}/app/${appId}/users`],
    ['GET', `/project/${projectId}/module/${id}/users`],
    ['GET', `/project/${projectId}/app/${id}/guests`],
    ['PUT', `/project/${projectId}/app/${appId}/guest/${id}`],
    ['DELETE', `/project/${projectId}/app/${appId}/guest/${id}`],
    ['PUT', `/project/${projectId}/app/${id}/guest/${gil.id}`],
  ];
  const rights = async () =>
    JSON.stringify([
      await admin.getIamPrincipalPermission({ params: { resourceId: projectId } }),
      await admin.getIamPrincipalPermission({ params: { resourceId: appId } }),
      await admin.getIamSuperUsers(),
    ]);
  const before = await rights();
  const headers = { authorization: `Bearer ${adminToken}` };
  for (const id of hostile) {
    for (const [method, path] of paths(encodeURIComponent(id))) {
      const answer = await app.inject({ method, url: apiPrefix + path, headers });
      assert.ok([400, 404, 414, 422].includes(answer.statusCode), `${answer.statusCode} ${method} ${path}`);
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    }
  }
  assert.equal(await rights(), before);
});

test('the number of principals per request is limited, and at least one is required', async () => {
  const grant = (query: string) =>
    app.inject({
      method: 'PUT',
      url: `${apiPrefix}/iam/role/appGuest/${appId}${query}`,
      headers: { authorization: `Bearer ${adminToken}` },
    });
  const many = Array.from({ length: 101 }, () => `principalIds=${gil.id}`).join('&');
  for (const query of ['', '?principalIds=', `?${many}`])
    assert.equal((await grant(query)).statusCode, 400, query.slice(0, 20));
  assert.equal((await grant(`?principalIds=${gil.id}&principalIds=${gil.id}`)).statusCode, 201);
  assert.equal((await admin.getIamSuperUser({ params: { userId: adminId } })).isSuperUser, true);
});
