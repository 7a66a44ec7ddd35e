import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import type { UploadReport } from '@platen/contract/objects';
import { startService } from '../../testing.ts';
import { kept, metadata, newBucket, tusClient, tusPath, type BucketParams } from '../uploads/testing.ts';

const service = await startService();
const { admin } = service;
const tus = tusClient(service);

function upload(params: BucketParams, files: Readonly<Record<string, number>>, query = {}) {
  const form = new FormData();
  // different bytes in each: equal ones would be stored once
  for (const [name, size] of Object.entries(files))
    form.append('file', new Blob([`${name}${params.projectId}`.padEnd(size, '.').slice(0, size)]), name);
  return admin.postProjectDataBucketUpload({ params, body: form, query });
}

const usage = ({ projectId }: BucketParams) => admin.getProjectUsage({ params: { projectId } });

test('the usage lists files by place, bytes stored once, and what is left', async () => {
  const params = await newBucket(service, { bytes: 1000 });
  await upload(params, { 'a.txt': 300 });
  await upload(params, { 'a.txt': 200 }, { overwrite: true });
  const headers = { 'upload-length': '50', 'upload-metadata': metadata({ key: 'b.txt' }) };
  await tus('POST', tusPath(params), { headers });
  const reported = await usage(params);
  assert.deepEqual(reported.current, { bytes: 200, objects: 1 });
  assert.deepEqual(reported.revisions, { bytes: 300, objects: 1 });
  assert.deepEqual(reported.reserved, { bytes: 50, objects: 1 });
  assert.deepEqual(reported.blobs, { bytes: 500, objects: 2 });
  assert.deepEqual(reported.quota, { bytes: 1000 });
  assert.deepEqual(reported.left, { bytes: 1000 - 200 - 300 - 50 });
  assert.deepEqual(
    reported.dataBuckets.map(({ current, reserved }) => [current.bytes, reserved.bytes]),
    [[200, 50]],
  );
});

test('blobs are counted when they are added and removed', async () => {
  const params = await newBucket(service);
  await upload(params, { 'a.txt': 100, 'b.txt': 200 });
  const { db } = service.context;
  const project = (table: 'object' | 'blob') =>
    db.deleteFrom(table).where('project_id', '=', params.projectId);
  assert.deepEqual((await usage(params)).blobs, { bytes: 300, objects: 2 });
  await project('object').execute();
  assert.deepEqual((await usage(params)).current, { bytes: 0, objects: 0 });
  await project('blob').execute();
  assert.deepEqual((await usage(params)).blobs, { bytes: 0, objects: 0 });
});

test('a file that exactly fits is stored, one more byte is refused with 507, and the message says what to do', async () => {
  const params = await newBucket(service, { bytes: 1000 });
  await upload(params, { 'a.txt': 600 });
  await upload(params, { 'a.txt': 100 }, { overwrite: true });
  const before = await kept(service);
  await assert.rejects(upload(params, { 'b.txt': 301 }), (error: RequestFailed) => {
    assert.deepEqual([error.status, error.code, error.errors[0]?.code], [507, 'storage_full', 'quota']);
    assert.match(
      error.message,
      /quota of the project is 1\.0 kB\. 300 bytes are left, but this needs at least 301 bytes/,
    );
    assert.match(error.message, /600 bytes in old revisions/);
    assert.match(error.message, /delete files, old revisions/);
    return true;
  });
  assert.deepEqual(await kept(service), before);
  await upload(params, { 'b.txt': 300 });
  assert.deepEqual((await usage(params)).left, { bytes: 0 });
  await upload(params, { 'empty.txt': 0 });
  assert.deepEqual((await usage(params)).reserved, { bytes: 0, objects: 0 });
});

test('the files of a form that fit are stored, and the others are reported one by one', async () => {
  const params = await newBucket(service, { bytes: 1000 });
  const report = (await upload(params, { a: 600, b: 600, c: 300 })) as unknown as UploadReport;
  assert.deepEqual(
    report.files.map(({ name, status }) => [name, status]),
    [
      ['a', 204],
      ['b', 507],
      ['c', 204],
    ],
  );
});

test('the number of files is limited, too', async () => {
  const params = await newBucket(service, { objects: 3 });
  await upload(params, { a: 1 });
  const report = (await upload(params, { b: 1, c: 1, d: 1 })) as unknown as UploadReport;
  assert.deepEqual(
    report.files.map(({ status }) => status),
    [204, 204, 507],
  );
  await assert.rejects(
    admin.postProjectDataBucketObject({ params, query: { key: 'empty' } }),
    /is 3 files\. 0 files are left, but this needs at least 1 file\./,
  );
});

test('simultaneous uploads cannot share the last of a quota', async () => {
  const params = await newBucket(service, { bytes: 1000 });
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 6 }, (_, i) => upload(params, { [`form${i}`]: 400 })),
    ...Array.from({ length: 6 }, async (_, i) => {
      const headers = { 'upload-length': '400', 'upload-metadata': metadata({ key: `tus${i}` }) };
      const { status, location } = await tus('POST', tusPath(params), { headers });
      if (status !== 201) throw Object.assign(new Error(), { status });
      await tus('PATCH', location, { headers: { 'upload-offset': '0' }, body: Buffer.alloc(400, i) });
    }),
  ]);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.equal((outcome.reason as RequestFailed).status, 507);
  const { current, reserved } = await usage(params);
  assert.ok(current.bytes <= 1000, `${current.bytes} bytes`);
  assert.equal(current.objects, outcomes.filter(({ status }) => status === 'fulfilled').length);
  assert.equal(reserved.bytes, 0);
});

test('a resumable upload is refused at its beginning, and its reservation is not available to others', async () => {
  const params = await newBucket(service, { bytes: 1000 });
  const create = (length: number, key: string) =>
    tus('POST', tusPath(params), {
      headers: { 'upload-length': String(length), 'upload-metadata': metadata({ key }) },
    });
  assert.equal((await create(1001, 'a')).status, 507);
  assert.equal((await usage(params)).reserved.objects, 0);
  const { location } = await create(900, 'a');
  await assert.rejects(upload(params, { b: 101 }), { status: 507 });
  await upload(params, { b: 100 });
  assert.equal((await create(1, 'c')).status, 507);
  await tus('DELETE', location);
  assert.equal((await create(900, 'c')).status, 201);
});

test('an upload of unknown length is ended where the quota is, and nothing of it stays', async () => {
  const params = await newBucket(service, { bytes: 1000 });
  const before = await kept(service);
  const headers = { 'upload-defer-length': '1', 'upload-metadata': metadata({ key: 'a' }) };
  const { location } = await tus('POST', tusPath(params), { headers });
  const send = (offset: number, bytes: number) =>
    tus('PATCH', location, { headers: { 'upload-offset': String(offset) }, body: Buffer.alloc(bytes, 1) });
  assert.equal((await send(0, 800)).status, 204);
  assert.deepEqual((await usage(params)).left, { bytes: 0 });
  assert.equal((await send(800, 201)).status, 507);
  assert.equal((await tus('HEAD', location)).status, 404);
  assert.deepEqual(await kept(service), before);
  assert.deepEqual((await usage(params)).left, { bytes: 1000 });
});

test('a form that is far too large is refused before it is read', async () => {
  const params = await newBucket(service, { bytes: 1000 });
  const reply = await service.app.inject({
    method: 'POST',
    url: tusPath(params).replace(/tus$/, 'upload'),
    headers: {
      authorization: `Bearer ${service.adminToken}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': '5000000',
    },
    payload: 'no form at all',
  });
  assert.equal(reply.statusCode, 507);
});

test('only admins set a quota; others may send back what they read', async () => {
  const mia = await service.user('mia');
  const { projectId } = await newBucket(service, { bytes: 1000 });
  const params = { projectId };
  await admin.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectManager' } });
  const read = await mia.client.getProject({ params });
  assert.deepEqual(read.quota, { bytes: 1000 });
  await mia.client.putProject({ params, body: { ...read, name: 'Town' } });
  for (const quota of [{ bytes: 2000 }, {}, { bytes: 1000, objects: 5 }])
    await assert.rejects(mia.client.putProject({ params, body: { quota } }), { status: 403 });
  const changed = await admin.putProject({ params, body: { quota: { objects: 5 } } });
  assert.deepEqual([changed.quota, changed.name], [{ objects: 5 }, 'Town']);
  for (const quota of [{ bytes: -1 }, { bytes: 1.5 }, { files: 1 }])
    await assert.rejects(admin.putProject({ params, body: { quota: quota as never } }), { status: 400 });
  const without = await admin.putProject({ params, body: { quota: { bytes: null } as never } });
  assert.deepEqual(without.quota, {}, 'null is none');
});

test('a project without a quota has that of the service', async () => {
  const small = await startService({ settings: { quotaBytes: 100 } });
  const params = await newBucket(small);
  const { projectId } = params;
  assert.deepEqual((await small.admin.getProjectUsage({ params: { projectId } })).quota, { bytes: 100 });
  const form = new FormData();
  form.append('file', new Blob(['x'.repeat(101)]), 'a');
  await assert.rejects(small.admin.postProjectDataBucketUpload({ params, body: form }), { status: 507 });
  await small.admin.putProject({ params: { projectId }, body: { quota: { bytes: 101 } } });
  await small.admin.postProjectDataBucketUpload({ params, body: form });
});
