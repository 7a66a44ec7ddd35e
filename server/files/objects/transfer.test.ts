import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { untilSomeoneWaits } from '../../base/database/testing.ts';
import { digestFolders, recountFolders } from './testing.ts';
import { startService } from '../../testing.ts';
import { transfersOf } from './testing-transfer.ts';

const service = await startService();
const { admin, context, user } = service;
const { bucketOf, upload, contents, copy, move, secondBucket } = transfersOf(service);

async function countsHold() {
  assert.equal(await digestFolders(context.db), await recountFolders(context.db));
}

test('a copy shares the bytes of its file, and both change independently afterwards', async () => {
  const params = await bucketOf({ 'a.json': '{}' });
  const made = await copy(params, { key: 'a.json', to: '/new/b.txt' });
  assert.deepEqual([made.key, made.size, made.contentType], ['new/b.txt', 2, 'text/plain; charset=utf-8']);
  const { rows } =
    await sql`select distinct blob_id from object where project_id = ${params.projectId}`.execute(context.db);
  assert.equal(rows.length, 1);
  await upload(params, { 'a.json': '[1]' });
  assert.deepEqual(await contents(params), { 'a.json': '[1]', 'new/b.txt': '{}' });
});

test('a folder is copied to another data bucket, and replaces files there only on request', async () => {
  const params = await bucketOf({ 'a/x': '1', 'a/b/y': '2', ab: '3' });
  const dataBucketId = await secondBucket(params);
  const there = { ...params, dataBucketId };
  await upload(there, { 'c/x': 'old', 'c/z': 'other' });
  const body = { key: 'a/', to: 'c/', dataBucketId };
  await assert.rejects(copy(params, body), (error: { status: number; errors: { detail: string }[] }) => {
    assert.deepEqual([error.status, error.errors.map(({ detail }) => detail)], [409, ['c/x']]);
    return true;
  });
  assert.deepEqual(await contents(there), { 'c/x': 'old', 'c/z': 'other' });
  const made = await copy(params, { ...body, overwrite: true });
  assert.deepEqual(
    [made.type, made.key, made.dataBucketId, made.numberOfFiles],
    ['directory', 'c/', dataBucketId, 3],
  );
  assert.deepEqual(await contents(there), { 'c/b/y': '2', 'c/x': '1', 'c/z': 'other' });
  assert.deepEqual(await contents(params), { 'a/b/y': '2', 'a/x': '1', ab: '3' });
  await countsHold();
});

test('a copy does not replace a file that is created at the same moment', async () => {
  const params = await bucketOf({ 'from.txt': 'copied', 'other.txt': 'other' });
  const { copying } = await context.db.transaction().execute(async (tx) => {
    await sql`insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type,
        created_at, created_by, updated_at, updated_by)
      select project_id, bucket_id, 'to.txt', blob_id, size, sha256, content_type,
        created_at, created_by, updated_at, updated_by
      from object where bucket_id = ${params.dataBucketId} and key = 'other.txt'`.execute(tx);
    const refused = assert.rejects(copy(params, { key: 'from.txt', to: 'to.txt' }), { status: 409 });
    await untilSomeoneWaits(tx);
    return { copying: refused };
  });
  await copying;
  assert.equal((await contents(params))['to.txt'], 'other');
});

test('a file keeps its ID when it is renamed or moved, and a file that it replaces goes to the trash', async () => {
  const params = await bucketOf({ 'a.txt': 'new', 'b.txt': 'old' });
  const before = await admin.getProjectDataBucketObject({ params, query: { key: 'a.txt' } });
  await assert.rejects(move(params, { key: 'a.txt', to: 'b.txt' }), { status: 409 });
  const moved = await move(params, { key: 'a.txt', to: 'b.txt', overwrite: true });
  assert.deepEqual([moved._id, moved.key], [before._id, 'b.txt']);
  assert.deepEqual(await contents(params), { 'b.txt': 'new' });
  const trash = await admin.getProjectTrash({ params });
  assert.deepEqual(
    trash.items.map(({ name }) => name),
    ['b.txt'],
  );
  const dataBucketId = await secondBucket(params);
  const elsewhere = await move(params, { key: 'b.txt', to: 'x/y.txt', dataBucketId });
  assert.deepEqual([elsewhere._id, elsewhere.dataBucketId], [before._id, dataBucketId]);
  assert.deepEqual(await contents(params), {});
  await countsHold();
});

test('a folder moves into its parent, although its files get keys that other files still have', async () => {
  const params = await bucketOf({ 'a/b/b/x': '1', 'a/b/x': '2', 'a/b/b/b/x': '3', 'a/y': '4' });
  await move(params, { key: 'a/b/', to: 'a/' });
  assert.deepEqual(await contents(params), { 'a/b/x': '1', 'a/x': '2', 'a/b/b/x': '3', 'a/y': '4' });
  await countsHold();
});

test('an impossible move or copy is refused and changes nothing', async () => {
  const files = { 'a/x': '1', 'a/b/c': '2', file: '3', 'd/x': '4', 'e/b': '5', 'f/g/h': '6' };
  const params = await bucketOf(files);
  const long = 'n'.repeat(250);
  const cases: [body: Parameters<typeof move>[1], status: number][] = [
    [{ key: 'a/', to: 'a/' }, 400],
    [{ key: 'a/', to: 'a/deeper/' }, 400],
    [{ key: 'a/', to: 'b' }, 400],
    [{ key: 'file', to: 'b/' }, 400],
    [{ key: 'a/', to: '/' }, 400],
    [{ key: '/', to: 'b/' }, 400],
    [{ key: 'file', to: '../b' }, 400],
    [{ key: 'file', to: 'a\0b' }, 400],
    [{ key: 'file', to: '\ud800' }, 400],
    [{ key: 'file', to: 'x'.repeat(10_000) }, 400],
    [{ key: 'a/', to: `${long}/${long}/${long}/${long}/x/y/z/a/b/c/d/e/f/` }, 400],
    [{ key: 'file', to: 'g', dataBucketId: 'nowhere' }, 422],
    [{ key: 'none', to: 'b' }, 422],
    [{ key: 'fil/', to: 'b/' }, 422],
    [{ key: 'a/', to: 'd/' }, 409],
    // The same key would be a file and a folder.
    [{ key: 'file', to: 'a' }, 409],
    [{ key: 'file', to: 'a/x/y' }, 409],
    [{ key: 'a/', to: 'file/' }, 409],
    [{ key: 'a/', to: 'file/deeper/' }, 409],
    [{ key: 'a/b/', to: 'e/b/' }, 409],
    [{ key: 'f/', to: 'd/x/' }, 409],
  ];
  const rows = async () => (await sql`select key, id, xmin from object order by id`.execute(context.db)).rows;
  const before = await rows();
  for (const [body, status] of cases) {
    for (const send of [move, copy])
      await assert.rejects(send(params, body), { status }, JSON.stringify(body).slice(0, 200));
  }
  assert.deepEqual(await rows(), before);
  await countsHold();
});

test('the thumbnail of a file moves with it', async () => {
  const params = await bucketOf({ 'a.pmtiles': 'x', 'a.pmtiles.thumbnail.png': 'y' });
  await move(params, { key: 'a.pmtiles', to: 'b/c.pmtiles' });
  assert.deepEqual(Object.keys(await contents(params)), ['b/c.pmtiles', 'b/c.pmtiles.thumbnail.png']);
});

test('the creator of a data bucket may move files in it, but needs uploadToDataBucket to add files to it or another', async () => {
  const params = await bucketOf({ a: '1' });
  const dataBucketId = await secondBucket(params);
  const { id, client } = await user('transfer-member');
  await admin.putProjectUser({ params: { ...params, userId: id }, body: { roleId: 'projectMember' } });
  const body = { key: 'a', to: 'b' };
  await assert.rejects(client.postProjectDataBucketObjectMove({ params, body }), { status: 403 });
  await sql`update data_bucket set created_by = ${id} where id = ${params.dataBucketId}`.execute(context.db);
  await assert.rejects(client.postProjectDataBucketObjectCopy({ params, body }), { status: 403 });
  const elsewhere = { ...body, dataBucketId };
  await assert.rejects(client.postProjectDataBucketObjectMove({ params, body: elsewhere }), { status: 403 });
  await client.postProjectDataBucketObjectMove({ params, body });
});

test('a copy needs free quota, and a move does not', async () => {
  const params = await bucketOf({ 'a/x': '12345', 'a/y': '12345' });
  await context.db
    .updateTable('project')
    .set({ quota_bytes: 15 })
    .where('id', '=', params.projectId)
    .execute();
  await assert.rejects(copy(params, { key: 'a/', to: 'b/' }), { status: 507 });
  await copy(params, { key: 'a/x', to: 'c' });
  await move(params, { key: 'a/', to: 'b/' });
  const { totalCount } = await admin.getProjectDataBucketObjects({ params });
  assert.equal(totalCount, 3);
});
