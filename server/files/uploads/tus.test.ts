import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { sweep } from '../../project/retention/sweep.ts';
import { startService } from '../../testing.ts';
import { kept, metadata, newBucket, tusClient, tusPath, type BucketParams } from './testing.ts';

const service = await startService();
const { admin } = service;
const tus = tusClient(service);
const whole = randomBytes(300_000);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function begin(params: BucketParams, key: string, length: number, more = {}) {
  const headers = { 'upload-length': String(length), 'upload-metadata': metadata({ key, ...more }) };
  const begun = await tus('POST', tusPath(params), { headers });
  assert.equal(begun.status, 201);
  return begun.location;
}

function send(location: string, offset: number, body: Buffer, headers = {}) {
  return tus('PATCH', location, { headers: { 'upload-offset': String(offset), ...headers }, body });
}

async function readKey(params: BucketParams, key: string): Promise<Buffer> {
  const reply = await admin.getProjectDataBucketDownloadFile({ params, query: { key } });
  return Buffer.from(await reply.arrayBuffer());
}

test('a file is sent in chunks, resumes where HEAD says, and is a file with its SHA-256 after the last byte', async () => {
  const params = await newBucket(service);
  const location = await begin(params, 'folder/a.bin', whole.length);
  assert.match(location, new RegExp(`^${tusPath(params)}/[0-9a-z]{26}$`));
  assert.equal((await send(location, 0, whole.subarray(0, 100_000))).offset, 100_000);
  const head = await tus('HEAD', location);
  assert.deepEqual(
    [head.status, head.offset, head.headers['upload-length'], head.headers['cache-control']],
    [200, 100_000, '300000', 'no-store'],
  );
  assert.equal(head.headers['upload-metadata'], metadata({ key: 'folder/a.bin' }));
  assert.equal((await admin.getProjectDataBucketObjects({ params })).totalCount, 0);
  const last = await send(location, 100_000, whole.subarray(100_000));
  assert.deepEqual([last.status, last.offset], [204, 300_000]);
  assert.ok(Date.parse(String(last.headers['upload-expires'])) > Date.now());
  const object = await admin.getProjectDataBucketObject({ params, query: { key: 'folder/a.bin' } });
  assert.deepEqual([object.size, object.sha256], [whole.length, sha256(whole)]);
  assert.deepEqual(await readKey(params, 'folder/a.bin'), whole);
});

test('every answer names the version of tus, and a request that names another is refused with 412', async () => {
  const params = await newBucket(service);
  const headers = { 'upload-length': '1', 'upload-metadata': metadata({ key: 'a' }) };
  for (const version of ['0.2.2', '']) {
    const refused = await tus('POST', tusPath(params), { headers: { ...headers, 'tus-resumable': version } });
    assert.equal(refused.status, 412);
    assert.equal(refused.headers['tus-version'], '1.0.0');
    assert.equal(refused.headers['tus-resumable'], '1.0.0');
  }
  const options = await service.app.inject({ method: 'OPTIONS', url: tusPath(params) });
  assert.equal(options.statusCode, 204);
  assert.match(String(options.headers['tus-extension']), /creation-with-upload/);
});

test('the creation can contain the first bytes, and an empty file exists at once', async () => {
  const params = await newBucket(service);
  const create = (key: string, body: Buffer) =>
    tus('POST', tusPath(params), {
      headers: { 'upload-length': String(body.length), 'upload-metadata': metadata({ key }) },
      ...(body.length > 0 && { body }),
    });
  const begun = await create('a.bin', whole);
  assert.deepEqual([begun.status, begun.offset], [201, whole.length]);
  assert.equal((await create('empty.txt', Buffer.alloc(0))).status, 201);
  assert.deepEqual(await readKey(params, 'a.bin'), whole);
  assert.equal((await readKey(params, 'empty.txt')).length, 0);
});

test('the length can be sent later', async () => {
  const params = await newBucket(service);
  const headers = { 'upload-defer-length': '1', 'upload-metadata': metadata({ key: 'later.bin' }) };
  const { location } = await tus('POST', tusPath(params), { headers });
  await send(location, 0, whole.subarray(0, 5));
  assert.equal((await tus('HEAD', location)).headers['upload-defer-length'], '1');
  const tooShort = await send(location, 5, whole.subarray(5, 6), { 'upload-length': '4' });
  assert.equal(tooShort.status, 400);
  const last = await send(location, 5, whole.subarray(5), { 'upload-length': String(whole.length) });
  assert.equal(last.status, 204);
  assert.deepEqual(await readKey(params, 'later.bin'), whole);
});

test('a folder keeps its relative paths', async () => {
  const params = await newBucket(service);
  const names = [
    { filename: 'a.txt', relativePath: 'city/north/a.txt' },
    { filename: 'b.txt', relativePath: 'null' },
    { filename: 'c.txt', relativePath: '' },
    { filename: 'd.txt', relativePath: 'x/d.txt', key: '/chosen/d.txt' },
    { filename: 'Straße.txt' },
  ];
  for (const name of names) {
    const headers = { 'upload-length': '0', 'upload-metadata': metadata(name) };
    assert.equal((await tus('POST', tusPath(params), { headers })).status, 201);
  }
  const { items } = await admin.getProjectDataBucketObjects({ params });
  assert.deepEqual(
    items.map(({ key }) => key),
    ['Straße.txt', 'b.txt', 'c.txt', 'chosen/d.txt', 'city/north/a.txt'],
  );
});

test('a client that missed the end of an upload learns that it is complete; deleting the upload leaves the file', async () => {
  const params = await newBucket(service);
  const location = await begin(params, 'a.bin', 3);
  await send(location, 0, Buffer.from('abc'));
  const head = await tus('HEAD', location);
  assert.deepEqual([head.status, head.offset], [200, 3]);
  assert.equal((await send(location, 3, Buffer.alloc(0))).status, 204);
  assert.equal((await tus('DELETE', location)).status, 204);
  assert.equal((await tus('HEAD', location)).status, 404);
  assert.equal(String(await readKey(params, 'a.bin')), 'abc');
});

test('an upload that was complete when the service died becomes a file on the next request', async () => {
  const params = await newBucket(service);
  const { store, db } = service.context;
  const draftOf = async (location: string) => {
    const id = location.split('/').at(-1)!;
    const row = await db
      .selectFrom('upload')
      .select('draft_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.draft_id;
  };
  const asDraft = await begin(params, 'draft.bin', 3);
  await store.drafts.append(await draftOf(asDraft), 0, Readable.from([Buffer.from('abc')]));
  const asObject = await begin(params, 'object.bin', 3);
  await store.drafts.append(await draftOf(asObject), 0, Readable.from([Buffer.from('abc')]));
  await store.drafts.finish(await draftOf(asObject));
  const later = () => new Date(Date.now() + 2 * 3_600_000);
  assert.equal((await sweep({ ...service.context, now: later })).orphans, 0);
  for (const location of [asDraft, asObject]) assert.equal((await tus('HEAD', location)).offset, 3);
  assert.equal(String(await readKey(params, 'draft.bin')), 'abc');
  assert.equal(String(await readKey(params, 'object.bin')), 'abc');
});

test('an upload that was given up is gone with its bytes', async () => {
  const params = await newBucket(service);
  const before = await kept(service);
  const location = await begin(params, 'a.bin', 10);
  await send(location, 0, Buffer.from('abc'));
  assert.equal((await kept(service)).drafts, before.drafts + 1);
  assert.equal((await tus('DELETE', location)).status, 204);
  assert.equal((await tus('HEAD', location)).status, 404);
  assert.deepEqual(await kept(service), before);
});

test('only its creator can resume an upload, in its bucket, and while they may upload', async () => {
  const params = await newBucket(service);
  const { projectId } = params;
  const mia = await service.user('mia');
  const role = (roleId: string) =>
    admin.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId } });
  await role('projectManager');
  const token = mia.token;
  const headers = { 'upload-length': '10', 'upload-metadata': metadata({ key: 'a.bin' }) };
  const { location } = await tus('POST', tusPath(params), { headers, token });
  const elsewhere = location.replace(tusPath(params), tusPath(await newBucket(service)));
  for (const method of ['HEAD', 'PATCH', 'DELETE'] as const) {
    const more = method === 'PATCH' ? { headers: { 'upload-offset': '0' }, body: Buffer.from('x') } : {};
    assert.equal((await tus(method, location, more)).status, 404, method);
    assert.equal((await tus(method, elsewhere, more)).status, 404, method);
  }
  const own = await begin(params, 'own.bin', 10);
  const ownElsewhere = own.replace(tusPath(params), tusPath(await newBucket(service)));
  assert.equal((await tus('HEAD', ownElsewhere)).status, 404);
  await tus('DELETE', own);
  const list = (client = admin) => client.getProjectDataBucketUploads({ params });
  assert.equal((await list()).totalCount, 0);
  assert.deepEqual(
    (await list(mia.client)).items.map(({ key, length, offset }) => [key, length, offset]),
    [['a.bin', 10, 0]],
  );
  await role('projectMember');
  assert.equal((await tus('HEAD', location, { token })).status, 403);
  const body = Buffer.from('x');
  assert.equal(
    (await tus('PATCH', location, { headers: { 'upload-offset': '0' }, body, token })).status,
    403,
  );
  await mia.client.getLogout();
  assert.equal((await tus('HEAD', location, { token })).status, 401);
});

test('of two uploads of one key the first to complete wins, unless the other may overwrite', async () => {
  const params = await newBucket(service);
  const before = await kept(service);
  const first = await begin(params, 'a.bin', 3);
  const second = await begin(params, 'a.bin', 3);
  const third = await begin(params, 'a.bin', 3, { overwrite: 'true' });
  assert.equal((await send(second, 0, Buffer.from('two'))).status, 204);
  const refused = await send(first, 0, Buffer.from('one'));
  assert.deepEqual([refused.status, refused.problem?.code], [409, 'conflict']);
  assert.equal((await tus('HEAD', first)).status, 404);
  assert.equal(String(await readKey(params, 'a.bin')), 'two');
  const headers = { 'upload-length': '3', 'upload-metadata': metadata({ key: 'a.bin' }) };
  assert.equal((await tus('POST', tusPath(params), { headers })).status, 409);
  assert.equal((await send(third, 0, Buffer.from('333'))).status, 204);
  assert.equal(String(await readKey(params, 'a.bin')), '333');
  const after = await kept(service);
  assert.equal(after.drafts, before.drafts);
});
