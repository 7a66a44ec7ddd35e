import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';

const { admin, adminId, user } = await startService();
const world = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const newProject = async (managerId?: string) =>
  (await admin.postProject({ body: world, ...(managerId !== undefined && { query: { managerId } }) }))._id;

test('a manager assigns, changes and removes members; each user has one role', async () => {
  const [max, eva] = [await user('max'), await user('eva')];
  const projectId = await newProject(max.id);
  const params = { projectId, userId: eva.id };
  await assert.rejects(eva.client.getProject({ params }), { status: 404 });
  await max.client.putProjectUser({ params, body: { roleId: 'projectMember' } });
  assert.equal((await eva.client.getProject({ params }))._id, projectId);
  assert.equal((await eva.client.getProjects()).totalCount, 1);
  await max.client.putProjectUser({ params, body: { roleId: 'projectManager' } });
  const { items } = await eva.client.getProjectUsers({ params, query: { orderBy: ['username'] } });
  assert.deepEqual(
    items.map(({ username, role }) => [username, role.name]),
    [
      ['eva', 'projectManager'],
      ['max', 'projectManager'],
    ],
  );
  await max.client.deleteProjectUser({ params, query: { purge: true } });
  await assert.rejects(eva.client.getProject({ params }), { status: 404 });
  await assert.rejects(max.client.deleteProjectUser({ params }), { status: 404 });
});

test('members cannot assign anyone, and only super users change their own role', async () => {
  const [max, eva] = [await user('max2'), await user('eva2')];
  const projectId = await newProject(max.id);
  await max.client.putProjectUser({
    params: { projectId, userId: eva.id },
    body: { roleId: 'projectMember' },
  });
  const promote = { params: { projectId, userId: eva.id }, body: { roleId: 'projectManager' } };
  await assert.rejects(eva.client.putProjectUser(promote), { status: 403 });
  await admin.putProjectUser(promote);
  const demote = { params: { projectId, userId: eva.id }, body: { roleId: 'projectMember' } };
  await assert.rejects(eva.client.putProjectUser(demote), { status: 403 });
  await assert.rejects(eva.client.deleteProjectUser({ params: { projectId, userId: eva.id } }), {
    status: 403,
  });
});

test('the last manager of a project cannot leave, also if two leave simultaneously', async () => {
  const [max, eva] = [await user('max3'), await user('eva3')];
  const projectId = await newProject(max.id);
  const remove = (userId: string) => admin.deleteProjectUser({ params: { projectId, userId } });
  await assert.rejects(remove(max.id), { status: 409 });
  await assert.rejects(admin.deleteUser({ params: { userId: max.id } }), { status: 409 });
  const params = { projectId, userId: eva.id };
  await admin.putProjectUser({ params, body: { roleId: 'projectManager' } });
  await Promise.allSettled([remove(max.id), remove(eva.id)]);
  const left = await admin.getProjectUsers({ params: { projectId } });
  assert.equal(left.items.filter(({ roleId }) => roleId === 'projectManager').length, 1);
});

test('a role that does not apply to projects and an unknown user have different errors', async () => {
  const projectId = await newProject();
  const eva = await user('eva4');
  for (const roleId of ['appGuest', 'nonsense']) {
    const assign = admin.putProjectUser({ params: { projectId, userId: eva.id }, body: { roleId } });
    await assert.rejects(assign, { status: 422, code: 'unusable_reference' });
  }
  const absent = admin.putProjectUser({
    params: { projectId, userId: 'nobody' },
    body: { roleId: 'projectMember' },
  });
  await assert.rejects(absent, { status: 404 });
});

test('the roles with getProject are projectManager and projectMember only', async () => {
  const { items } = await admin.getIamRoles({ query: { permission: 'getProject', orderBy: ['name'] } });
  assert.deepEqual(
    items.map(({ name, createdBy }) => [name, createdBy]),
    [
      ['projectManager', 'internal'],
      ['projectMember', 'internal'],
    ],
  );
  assert.equal((await admin.getIamRoles()).totalCount, 3);
  assert.equal((await admin.getIamRoles({ query: { permission: 'editApp' } })).totalCount, 1);
});

test('grants on a project can be made and read by way of the roles', async () => {
  const [max, eva] = [await user('max5'), await user('eva5')];
  const projectId = await newProject(max.id);
  const params = { roleId: 'projectMember', resourceId: projectId };
  await max.client.putIamRole({ params, query: { principalIds: [eva.id] } });
  const grants = await max.client.getIamPrincipalPermission({ params });
  assert.deepEqual(
    grants.items.map(({ principalId, roleName }) => [principalId, roleName]),
    [
      [eva.id, 'projectMember'],
      [max.id, 'projectManager'],
    ],
  );
  const own = await eva.client.getIamResourcePermission({ params: { principalId: eva.id } });
  assert.equal(own.items[0]!.resourceId, projectId);
  await assert.rejects(eva.client.getIamResourcePermission({ params: { principalId: adminId } }), {
    status: 403,
  });
  await assert.rejects(eva.client.putIamRole({ params, query: { principalIds: [eva.id] } }), { status: 403 });
  await max.client.deleteIamRole({ params, query: { principalIds: [eva.id] } });
  const responseFor = (resourceId: string) =>
    eva.client
      .getIamPrincipalPermission({ params: { resourceId } })
      .catch((error: { status: number; message: string }) => [error.status, error.message]);
  assert.deepEqual(await responseFor(projectId), [404, 'There is no such project or app.']);
  assert.deepEqual(await responseFor(projectId), await responseFor('absent'));
});
