import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxJobFileBytes, maxJobFiles } from '@platen/contract/job-files';
import { superUser } from '../../base/database/testing.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { sweep } from '../../project/retention/sweep.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { takeJobFile } from './take-file.ts';

const service = await startService();
const { admin, context, as, app } = service;
const { db } = context;
const enrolmentToken = newSecret();
await allowEnrolment(db, hashSecret(enrolmentToken));
const enrolment = { enrolmentToken, name: 'runner', labels: [], version: '' };
const runner = as((await as().postRunnerEnrol({ body: enrolment })).token);

/** A job of a project of its own, in the hands of a runner. */
async function hold(quota?: { bytes?: number; objects?: number }) {
  const { projectId, bucketId } = await projectWithCities(service);
  if (quota) await admin.putProject({ params: { projectId }, body: { quota } });
  await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId) });
  const held = await take();
  const params = { projectId, jobId: held.jobId };
  return {
    ...held,
    params,
    files: async () => (await admin.getProjectJobFiles({ params })).items,
    read: (name: string, headers = {}) => admin.getProjectJobFile({ params, query: { name }, headers }),
    usage: async () => (await admin.getProjectUsage({ params })).jobFiles,
  };
}

async function take() {
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  const { jobId, token, attempt } = job!;
  const client = as(token);
  const put = (name: string, content: string, query = {}) =>
    client.putRunnerJobFile({
      params: { jobId },
      query: { name, ...query },
      body: new Blob([content]),
    });
  return { client, jobId, token, attempt, put };
}

const failure = { code: 'strict', message: 'No.', warnings: [] };

test('files of a job are kept whatever its end is, and are read as nothing that a browser would run', async () => {
  const { client, jobId, put, files, read } = await hold();
  assert.deepEqual(await files(), []);
  await put('rejects.geojson', '0123456789', { rejected: 3 });
  await put('page.html', '<script>alert(1)</script>');
  await client.postRunnerJobFail({ params: { jobId }, body: failure });
  assert.deepEqual(
    (await files()).map(({ name, size, contentType, attempt }) => [name, size, contentType, attempt]),
    [
      ['page.html', 25, 'text/html; charset=utf-8', 1],
      ['rejects.geojson', 10, 'application/geo+json', 1],
    ],
  );
  const reply = await read('page.html');
  assert.equal(await reply.text(), '<script>alert(1)</script>');
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(reply.headers.get('content-security-policy'), 'sandbox');
  assert.match(reply.headers.get('content-disposition')!, /^attachment; filename="page.html"/);
  const partial = await read('rejects.geojson', { range: 'bytes=2-4' });
  assert.deepEqual([partial.status, await partial.text()], [206, '234']);
  await assert.rejects(read('rejects.geojson', { range: 'bytes=10-' }), { status: 416 });
  await assert.rejects(read('other.txt'), { status: 404 });
});

test('files of an aborted job can be sent while it ends, and not after', async () => {
  const { client, jobId, params, put, files } = await hold();
  await admin.putProjectJobAbort({ params });
  await put('debug.txt', 'how it stood');
  await client.postRunnerJobFail({ params: { jobId }, body: { ...failure, code: 'aborted' } });
  assert.equal((await admin.getProjectJob({ params })).state, 'aborted');
  await assert.rejects(put('late.txt', 'late'), { status: 401 });
  assert.deepEqual(
    (await files()).map(({ name }) => name),
    ['debug.txt'],
  );
});

test('files of an earlier attempt do not count once the next one begins, and its holder is refused', async () => {
  const first = await hold();
  await first.put('rejects.geojson', 'of the first', { rejected: 7 });
  const job = async () => admin.getProjectJob({ params: first.params });
  assert.equal((await job()).rejected, 7);
  await first.client.postRunnerJobRelease({ params: { jobId: first.jobId } });
  const second = await take();
  assert.deepEqual([second.jobId, second.attempt], [first.jobId, 2]);
  assert.equal((await job()).rejected, 0);
  await assert.rejects(first.put('rejects.geojson', 'late', { rejected: 9 }), { status: 401 });
  const caller = { ...superUser(''), runnerId: '', labels: [], fence: { jobId: first.jobId, attempt: 1 } };
  const signal = new AbortController().signal;
  const body = (async function* () {
    yield Buffer.from('late');
  })();
  await assert.rejects(takeJobFile(context, caller, { name: 'late.txt', body, signal }), {
    code: 'conflict',
  });
  await second.put('rejects.geojson', 'of the second', { rejected: 2 });
  assert.equal((await job()).rejected, 2);
  assert.equal(await (await first.read('rejects.geojson')).text(), 'of the second');
});

test('a file of the same name is replaced, and a job has at most twenty files', async () => {
  const { put, files, usage } = await hold();
  for (let number = 1; number <= maxJobFiles; number++) await put(`${number}.txt`, 'x'.repeat(number));
  await assert.rejects(put('more.txt', 'more'), { status: 422 });
  const before = await usage();
  assert.deepEqual(before, { bytes: 210, objects: 20 });
  await put('20.txt', 'short');
  await put('20.txt', 'short'); // equal bytes
  assert.deepEqual(await usage(), { bytes: 195, objects: 20 });
  assert.equal((await files()).find(({ name }) => name === '20.txt')?.size, 5);
});

test('names that are not plain file names, and bodies other than bytes, are refused', async () => {
  const { put, jobId, token, files } = await hold();
  for (const name of ['', '.', '..', '../a', 'a/b', '.hidden', 'a\u0000', 'ä', 'a'.repeat(201)])
    await assert.rejects(put(name, 'x'), { status: 400 }, name);
  for (const rejected of [-1, 1.5, 2 ** 31])
    await assert.rejects(put('a', 'x', { rejected }), { status: 400 });
  const json = await app.inject({
    method: 'PUT',
    url: `/api/v1/runner/job/${jobId}/file?name=a`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: '{}',
  });
  assert.equal(json.statusCode, 415);
  assert.deepEqual(await files(), []);
});

test('a file is at most 512 MiB long, whether it says its length or not', async () => {
  const { jobId, token, attempt, files } = await hold();
  const declared = await app.inject({
    method: 'PUT',
    url: `/api/v1/runner/job/${jobId}/file?name=a`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': String(maxJobFileBytes + 1),
    },
    payload: 'x',
  });
  assert.equal(declared.statusCode, 413);
  const caller = { ...superUser(''), runnerId: '', labels: [], fence: { jobId, attempt } };
  const signal = new AbortController().signal;
  const body = (async function* () {
    yield Buffer.alloc(maxJobFileBytes + 1);
  })();
  await assert.rejects(takeJobFile(context, caller, { name: 'a', body, signal }), { code: 'too_large' });
  assert.deepEqual(await files(), []);
});

test('files of jobs count against the quota, and what does not fit is refused', async () => {
  const { put, usage, files } = await hold({ bytes: 1000 });
  await put('a.txt', 'a'.repeat(400));
  assert.deepEqual(await usage(), { bytes: 400, objects: 1 });
  await assert.rejects(put('b.txt', 'b'.repeat(900)), { status: 507 });
  assert.equal((await files()).length, 1);
});

test('the bytes of a file are kept as long as its job, and go an hour after it', async () => {
  const { client, jobId, params, put, usage } = await hold();
  await put('a.txt', 'to be kept');
  await client.postRunnerJobFail({ params: { jobId }, body: failure });
  const { blob_id: id } = await db
    .selectFrom('job_file')
    .select('blob_id')
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow();
  const isThere = async () => (await context.store.head(id)) !== undefined;
  const later = { ...context, now: () => new Date(Date.now() + 3_700_000) };
  // whoever has noted by mistake that nobody needs it is put right
  await db.updateTable('blob').set({ unneeded_since: new Date() }).where('id', '=', id).execute();
  await sweep(later);
  assert.equal(await isThere(), true);
  await admin.deleteProjectJob({ params });
  await sweep(context);
  assert.equal(await isThere(), true);
  await sweep(later);
  assert.equal(await isThere(), false);
  assert.deepEqual(await usage(), { bytes: 0, objects: 0 });
});

test('files of a job are for those who may see the job', async () => {
  const { params, put } = await hold();
  const other = await hold();
  await put('a.txt', 'a');
  const stranger = (await service.user('stranger')).client;
  await assert.rejects(stranger.getProjectJobFiles({ params }), { status: 404 });
  await assert.rejects(stranger.getProjectJobFile({ params, query: { name: 'a.txt' } }), { status: 404 });
  const elsewhere = { ...params, projectId: other.params.projectId };
  await assert.rejects(admin.getProjectJobFiles({ params: elsewhere }), { status: 404 });
  await assert.rejects(admin.getProjectJobFile({ params: elsewhere, query: { name: 'a.txt' } }), {
    status: 404,
  });
});
