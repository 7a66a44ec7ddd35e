import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };

test('a project has a default data bucket named after it, and its creator as manager', async () => {
  const { admin, adminId } = await startService();
  const project = await admin.postProject({ body: world });
  assert.equal(project.name, 'City');
  assert.deepEqual(project.properties, {});
  assert.ok(project.defaultDataBucketId);
  assert.match(project.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const members = await admin.getProjectUsers({ params: { projectId: project._id } });
  assert.deepEqual(
    members.items.map(({ _id, role }) => [_id, role.name]),
    [[adminId, 'projectManager']],
  );
});

test('managerId makes another user the manager instead of the caller', async () => {
  const { admin, user } = await startService();
  const mia = await user('mia');
  const project = await admin.postProject({ body: world, query: { managerId: mia.id } });
  const { items } = await mia.client.getProjectUsers({ params: { projectId: project._id } });
  assert.deepEqual(
    items.map((member) => member._id),
    [mia.id],
  );
});

test('only super users create projects, and outsiders learn nothing of them', async () => {
  const { admin, user } = await startService();
  const otto = await user('otto');
  await assert.rejects(otto.client.postProject({ body: world }), { status: 403, code: 'forbidden' });
  const { _id: projectId } = await admin.postProject({ body: world });
  await assert.rejects(otto.client.getProject({ params: { projectId } }), { status: 404 });
  assert.equal((await otto.client.getProjects()).totalCount, 0);
});

test('a list has pages and filters by text, time and box, and refuses unknown parameters', async () => {
  const { admin } = await startService();
  for (let i = 0; i < 25; i++) {
    await admin.postProject({
      body: { name: `Project ${i}`, description: i % 2 ? 'odd' : 'even', bbox: [i, 0, i + 1, 1] },
    });
  }
  const first = await admin.getProjects();
  assert.deepEqual(
    [first.items.length, first.limit, first.page, first.totalCount, first.totalPages],
    [20, 20, 0, 25, 2],
  );
  assert.equal(first.items[0]!.name, 'Project 24');
  const second = await admin.getProjects({ query: { page: 1 } });
  assert.equal(second.items.length, 5);
  assert.equal((await admin.getProjects({ query: { description: ['ODD'] } })).totalCount, 12);
  assert.equal((await admin.getProjects({ query: { bbox: '3.5,0,4.5,1' } })).totalCount, 2);
  assert.equal(
    (await admin.getProjects({ query: { createdAt: ['2100-01-01T00:00:00Z/..'] } })).totalCount,
    0,
  );
  const sorted = await admin.getProjects({ query: { orderBy: ['name'], sort: 'asc', limit: 2 } });
  assert.deepEqual(
    sorted.items.map((project) => project.name),
    ['Project 0', 'Project 1'],
  );
  const unknown = admin.getProjects({ query: { colour: 'red' } as never });
  await assert.rejects(unknown, {
    status: 400,
    errors: [{ pointer: '/colour', code: 'unknown', detail: 'This field is unknown.' }],
  });
});

test('a change overwrites only the fields present, and a stale If-Match is refused', async () => {
  const { admin } = await startService();
  const project = await admin.postProject({
    body: { ...world, properties: { z: 1, a: { deep: [1, null] } } },
  });
  const params = { projectId: project._id };
  const changed = await admin.putProject({ params, body: { name: 'Town' } });
  assert.deepEqual(
    { ...changed, updatedAt: '', revision: 0 },
    { ...project, name: 'Town', updatedAt: '', revision: 0 },
  );
  const stale = admin.putProject({ params, body: { name: 'X' }, headers: { 'if-match': '"1"' } });
  await assert.rejects(stale, { status: 412 });
  const putBack = await admin.putProject({
    params,
    body: changed,
    headers: { 'if-match': `"${changed.revision}"` },
  });
  assert.deepEqual(putBack, changed);
});

test('a box must have its latitudes in range and in order', async () => {
  const { admin } = await startService();
  for (const bbox of [
    [0, 91, 1, 92],
    [0, 10, 1, 5],
    [0, 0, 1],
  ]) {
    await assert.rejects(admin.postProject({ body: { ...world, bbox } }), { status: 400 });
  }
});

test('deleting a project takes everything in it away, for admins only', async () => {
  const { admin, user } = await startService();
  const mia = await user('mia');
  const { _id: projectId } = await admin.postProject({ body: world, query: { managerId: mia.id } });
  await assert.rejects(mia.client.deleteProject({ params: { projectId } }), { status: 403 });
  const { numberOfDeletedItems, name } = await admin.deleteProject({ params: { projectId } });
  assert.deepEqual([numberOfDeletedItems, name], [1, world.name]);
  await assert.rejects(admin.getProject({ params: { projectId } }), { status: 404 });
});

test('a repeated POST with the same Idempotency-Key has one effect and one reply', async () => {
  const { admin } = await startService();
  const headers = { 'idempotency-key': 'k1' };
  const first = await admin.postProject({ body: world, headers });
  assert.deepEqual(await admin.postProject({ body: world, headers }), first);
  assert.equal((await admin.getProjects()).totalCount, 1);
  await assert.rejects(admin.postProject({ body: { ...world, name: 'Other' }, headers }), { status: 422 });
});
