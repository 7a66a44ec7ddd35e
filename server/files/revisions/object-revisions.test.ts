import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { newPlace, read, write } from './testing.ts';

const service = await startService();
const { admin, adminId, context, user } = service;

const revisionsOf = async (params: Awaited<ReturnType<typeof newPlace>>, key: string) =>
  (await admin.getProjectDataBucketObjectRevisions({ params, query: { key } })).items;

test('overwritten content is kept as a revision, the newest first, and equal content makes none', async () => {
  const params = await newPlace(service);
  for (const text of ['one', 'two', 'two', 'three']) await write(admin, params, { 'a.txt': text });
  const revisions = await revisionsOf(params, 'a.txt');
  assert.deepEqual(
    revisions.map(({ revision, isCurrent, size }) => [revision, isCurrent, size]),
    [
      [3, true, 5],
      [2, false, 3],
      [1, false, 3],
    ],
  );
  assert.equal(revisions[1]!.replacedBy, adminId);
  assert.equal(revisions[1]!.replacedAt, revisions[0]!.createdAt);
  assert.equal(revisions[0]!.replacedAt, undefined);
});

test('each kept revision of a file can be downloaded, whole or by range', async () => {
  const params = await newPlace(service);
  for (const text of ['one', 'two!']) await write(admin, params, { 'a.txt': text });
  const download = async (revision: number, headers = {}) => {
    const query = { key: 'a.txt', revision };
    return (await admin.getProjectDataBucketDownloadFile({ params, query, headers })).text();
  };
  assert.deepEqual([await download(1), await download(2)], ['one', 'two!']);
  assert.equal(await download(1, { range: 'bytes=1-' }), 'ne');
  await assert.rejects(download(3), { status: 404 });
  await context.db.deleteFrom('object_revision').execute();
  await assert.rejects(download(1), { status: 404 });
});

test('old content is restored only if the quota has space for it and for the content it replaces', async () => {
  const params = await newPlace(service);
  for (const text of ['one!', 'two!']) await write(admin, params, { 'a.txt': text });
  const setQuota = (bytes: number) =>
    admin.putProject({ params: { projectId: params.projectId }, body: { quota: { bytes } } });
  const restore = (revision: string) =>
    admin.postProjectDataBucketObjectRevisionRestore({
      params: { ...params, revision },
      query: { key: 'a.txt' },
    });
  await setQuota(11);
  await assert.rejects(restore('1'), { status: 507, code: 'storage_full' });
  assert.equal(await read(admin, params, 'a.txt'), 'two!');
  await restore('2');
  await setQuota(12);
  await restore('1');
  assert.equal(await read(admin, params, 'a.txt'), 'one!');
  const { current, revisions } = await admin.getProjectUsage({ params });
  assert.deepEqual([current.bytes, revisions.bytes], [4, 8]);
});

test('an old content becomes the newest revision, and restoring it again changes nothing', async () => {
  const params = await newPlace(service);
  for (const text of ['one', 'two']) await write(admin, params, { 'a.txt': text });
  const restore = (revision: string) =>
    admin.postProjectDataBucketObjectRevisionRestore({
      params: { ...params, revision },
      query: { key: 'a.txt' },
    });
  const restored = await restore('1');
  assert.equal(restored.size, 3);
  assert.equal(await read(admin, params, 'a.txt'), 'one');
  await restore('1');
  await restore('3');
  assert.deepEqual(
    (await revisionsOf(params, 'a.txt')).map(({ revision }) => revision),
    [3, 2, 1],
  );
  await restore('2');
  assert.equal(await read(admin, params, 'a.txt'), 'two');
  for (const revision of ['5', '0', 'x', '1.5', '99999999999'])
    await assert.rejects(restore(revision), { status: 404 }, revision);
});

test('a file created under the key of a deleted one has its own history', async () => {
  const params = await newPlace(service);
  for (const text of ['one', 'two']) await write(admin, params, { 'a.txt': text });
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'a.txt' } });
  await assert.rejects(revisionsOf(params, 'a.txt'), { status: 404 });
  await write(admin, params, { 'a.txt': 'another' });
  assert.equal((await revisionsOf(params, 'a.txt')).length, 1);
});

test('thousands of files overwritten in one statement make as many revisions', async () => {
  const params = await newPlace(service);
  await write(admin, params, { 'a.txt': 'one', 'b.txt': 'two' });
  const { db } = context;
  const [one, two] = await db
    .selectFrom('object')
    .selectAll()
    .where('bucket_id', '=', params.dataBucketId)
    .orderBy('key')
    .execute();
  const { project_id, bucket_id, content_type, created_at, created_by, updated_at, updated_by } = one!;
  const stamps = { project_id, bucket_id, content_type, created_at, created_by, updated_at, updated_by };
  const from = ({ blob_id, size, sha256 }: typeof one & {}) => ({ blob_id, size, sha256 });
  const number = 2000; // the plan for one file must do for many: a nested loop would take minutes for more
  const rows = Array.from({ length: number }, (_, n) => ({ ...stamps, ...from(one!), key: `many/${n}` }));
  await db.insertInto('object').values(rows).execute();
  await db.updateTable('object').set(from(two!)).where('key', 'like', 'many/%').execute();
  const { count } = await db
    .selectFrom('object_revision')
    .select((it) => it.fn.countAll<number>().as('count'))
    .where('project_id', '=', params.projectId)
    .executeTakeFirstOrThrow();
  assert.equal(count, number);
  const usage = await db
    .selectFrom('kept_usage')
    .select(['kind', 'objects', 'bytes'])
    .where('project_id', '=', params.projectId)
    .execute();
  assert.deepEqual(usage, [{ kind: 'revisions', objects: number, bytes: 3 * number }]);
});

test('revisions are seen by those who may read the bucket, and restored by those who may change it', async () => {
  const params = await newPlace(service);
  for (const text of ['one', 'two']) await write(admin, params, { 'a.txt': text });
  const { id: userId, client } = await user('reader of revisions');
  await admin.putProjectUser({
    params: { projectId: params.projectId, userId },
    body: { roleId: 'projectMember' },
  });
  const query = { key: 'a.txt' };
  await assert.rejects(client.getProjectDataBucketObjectRevisions({ params, query }), { status: 403 });
  const path = { params: { ...params, revision: '1' }, query };
  await assert.rejects(client.postProjectDataBucketObjectRevisionRestore(path), { status: 403 });
});
