import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startService } from '../../testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();

async function newProject() {
  const { admin } = await service;
  return admin.postProject({ body: world });
}

test('a bucket is created with a name alone, changed in parts and deleted', async () => {
  const { admin } = await service;
  const { _id: projectId } = await newProject();
  const bucket = await admin.postProjectDataBucket({ params: { projectId }, body: { name: 'scans' } });
  assert.deepEqual([bucket.name, bucket.description, bucket.properties], ['scans', '', {}]);
  assert.equal(bucket.projectId, projectId);
  const params = { projectId, dataBucketId: bucket._id };
  const changed = await admin.putProjectDataBucket({
    params,
    body: { properties: { z: 1, a: [null] }, revision: 7 } as { properties: Record<string, unknown> },
  });
  assert.equal(JSON.stringify(changed.properties), '{"z":1,"a":[null]}');
  assert.equal(changed.name, 'scans');
  assert.deepEqual(await admin.getProjectDataBucket({ params }), changed);
  const stale = { params, body: { name: 'x' }, headers: { 'if-match': '"1"' } };
  await assert.rejects(admin.putProjectDataBucket(stale), { status: 412 });
  assert.deepEqual(await admin.deleteProjectDataBucket({ params }), { numberOfDeletedItems: 1 });
  await assert.rejects(admin.getProjectDataBucket({ params }), { status: 404 });
});

test('the default bucket is listed under its name and stays as long as its project', async () => {
  const { admin } = await service;
  const { _id: projectId, defaultDataBucketId } = await newProject();
  const { items, totalCount } = await admin.getProjectDataBuckets({ params: { projectId } });
  assert.equal(totalCount, 1);
  assert.equal(items[0]!.name, `default-${projectId}`);
  const params = { projectId, dataBucketId: defaultDataBucketId };
  await assert.rejects(admin.deleteProjectDataBucket({ params }), { status: 409 });
  assert.equal((await admin.getProjectDataBuckets({ params: { projectId } })).totalCount, 1);
});

test('a bucket goes to the trash with its files, and their bytes are released when that is emptied', async () => {
  const { admin, context } = await service;
  const { _id: projectId } = await newProject();
  const { _id } = await admin.postProjectDataBucket({ params: { projectId }, body: { name: 'scans' } });
  const params = { projectId, dataBucketId: _id };
  const form = new FormData();
  form.append('file', new Blob(['hello']), 'a.txt');
  await admin.postProjectDataBucketUpload({ params, body: form });
  const before = await context.db.selectFrom('object').select('blob_id').executeTakeFirstOrThrow();
  const isLetGo = async () => {
    const { rows } =
      await sql`select from blob where id = ${before.blob_id} and unneeded_since is not null`.execute(
        context.db,
      );
    return rows.length === 1;
  };
  await admin.deleteProjectDataBucket({ params });
  assert.equal(await isLetGo(), false);
  assert.deepEqual(await admin.deleteProjectTrash({ params }), { numberOfDeletedItems: 1 });
  assert.equal(await isLetGo(), true);
});

test('members see the names of buckets, not their content, and may not make any', async () => {
  const { admin, user } = await service;
  const { _id: projectId } = await newProject();
  const secret = { name: 'scans', properties: { flight: 7 } };
  const { _id: dataBucketId } = await admin.postProjectDataBucket({ params: { projectId }, body: secret });
  const moritz = await user('moritz');
  await admin.putProjectUser({ params: { projectId, userId: moritz.id }, body: { roleId: 'projectMember' } });
  const { items } = await moritz.client.getProjectDataBuckets({
    params: { projectId },
    query: { name: ['scan'] },
  });
  assert.deepEqual(
    items.map(({ name, properties }) => [name, properties]),
    [['scans', {}]],
  );
  const { client } = moritz;
  const params = { projectId, dataBucketId };
  await assert.rejects(client.getProjectDataBucket({ params }), { status: 403 });
  await assert.rejects(client.putProjectDataBucket({ params, body: { name: 'x' } }), { status: 403 });
  await assert.rejects(client.deleteProjectDataBucket({ params }), { status: 403 });
  await assert.rejects(client.getProjectDataBucketObjects({ params }), { status: 403 });
  await assert.rejects(client.postProjectDataBucket({ params: { projectId }, body: { name: 'mine' } }), {
    status: 403,
  });
});

test('a bucket is not found by way of another project', async () => {
  const { admin } = await service;
  const [one, other] = [await newProject(), await newProject()];
  const params = { projectId: one._id, dataBucketId: other.defaultDataBucketId };
  await assert.rejects(admin.getProjectDataBucket({ params }), { status: 404 });
  await assert.rejects(admin.getProjectDataBucketObjects({ params }), { status: 404 });
  const form = new FormData();
  form.append('file', new Blob(['hello']), 'a.txt');
  await assert.rejects(admin.postProjectDataBucketUpload({ params, body: form }), { status: 404 });
});
