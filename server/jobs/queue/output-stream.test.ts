import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from '@platen/client/client';
import { encodeTarFile, encodeTarHeader, tarEnd } from '@platen/formats/tar/write-tar';
import { startService } from '../../testing.ts';
import { countRows, enrolledRunner, holdNext, tilesResult, type Held } from './testing.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';

let clockAheadMs = 0;
const service = await startService({ now: () => new Date(Date.now() + clockAheadMs) });
const { admin, app } = service;
const url = await app.listen({ port: 0, host: '127.0.0.1' });
const { projectId, bucketId } = await projectWithCities(service);
const runner = await enrolledRunner(service, 'runner');

async function held(name = 'Tiles'): Promise<Held> {
  await admin.postProjectTask({ params: { projectId }, body: { ...tilingTask(bucketId), name } });
  return (await holdNext(service, runner))!;
}

type Files = Readonly<Record<string, string | Buffer>>;

const archiveOf = (files: Files) =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([path, content]) => {
      const bytes = Buffer.from(content as string);
      return encodeTarFile({ path, size: bytes.length, updatedAt: new Date(0) }, bytes);
    }),
    tarEnd,
  ]);

const send = ({ client, params }: Held, body: BodyInit, first = 0) =>
  client.putRunnerJobOutputs({ params, query: { first }, body });

function openRequest({ token, jobId }: Held, bytes: number, first: number): ClientRequest {
  const request = httpRequest(`${url}/api/v1/runner/job/${jobId}/outputs?first=${first}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-tar',
      'content-length': bytes,
    },
  });
  return request.on('error', () => {});
}

const countInStore = async () => (await Array.fromAsync(service.context.store.list())).length;

/** How many files of 2,000 bytes, with their headers, a part of an archive has. */
const wholeFiles = (bytes: number) => Math.floor(bytes / 2560);

/** Declares more than it sends, and closes the connection as soon as the store has the files that are whole. */
async function sendAndHangUp(job: Held, body: Buffer, first: number): Promise<void> {
  const request = openRequest(job, body.length + 1, first);
  const wanted = (await countInStore()) + wholeFiles(body.length);
  request.write(body);
  while ((await countInStore()) < wanted) await sleep(50);
  request.destroy();
}

const stored = async ({ client, params }: Held) => (await client.getRunnerJobOutputs({ params })).files;
const isBadName = (error: unknown) =>
  error instanceof RequestFailed && error.status === 422 && error.errors[0]!.code === 'badName';

test('thousands of files arrive in one request, and become files of the bucket when the job completes', async () => {
  const job = await held();
  const files = Object.fromEntries(
    Array.from({ length: 2500 }, (_, i) => [`tiles/${i % 7}/${i}.pbf`, `tile ${i % 1500}`]),
  );
  const blobs = await countRows(service, 'blob');
  assert.deepEqual(await send(job, archiveOf({ 'a.pmtiles': 'archive', empty: '', ...files })), {
    files: 2502,
  });
  assert.equal((await countRows(service, 'blob')) - blobs, 1502, 'equal files share a blob');
  await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult });
  const params = { projectId, jobId: job.jobId, dataBucketId: bucketId };
  const shown = await admin.getProjectJob({ params });
  const { outputItems: outputs, outputFiles } = shown;
  assert.ok(outputs.length > 10 && outputs.length < 101, `${outputs.length}`);
  assert.deepEqual([outputs[0]!.sha256, outputs.at(-1)!.type], [undefined, 'datasource']);
  const { folder, ...sums } = outputFiles!;
  const bytes = Object.values(files).reduce((sum, { length }) => sum + length, 'archive'.length);
  assert.deepEqual(sums, { dataBucketId: bucketId, count: 2502, bytes });
  const list = async (page: number, limit: number) =>
    (await admin.getProjectJobOutputs({ params, query: { page, limit } })).items;
  const all = (await Promise.all([0, 1, 2].map((page) => list(page, 1000)))).flat();
  assert.deepEqual(
    all.slice(0, -1).map(({ dataBucketKey }) => dataBucketKey!.slice(folder.length)),
    Object.keys({ 'a.pmtiles': '', empty: '', ...files }).toSorted(),
  );
  assert.match(all[2501]!.sha256!, /^[0-9a-f]{64}$/);
  assert.deepEqual(all.at(-1), outputs.at(-1));
  assert.deepEqual(await list(8, 300), all.slice(2400, 2700));
  assert.deepEqual(await list(3, 1000), []);
  for (const [key, content] of [
    ['tiles/0/0.pbf', 'tile 0'],
    ['tiles/0/2499.pbf', 'tile 999'],
    ['empty', ''],
  ]) {
    const file = await admin.getProjectDataBucketDownloadFile({ params, query: { key: folder + key } });
    assert.equal(await file.text(), content);
  }
});

test('a job with long names of its task and of its many files is shown in 16 kB', async () => {
  const job = await held('\u{20000}'.repeat(60));
  const layer = 'buildings-and-parts-of-buildings-with-all-attributes-of-the-cadastre'.repeat(2);
  const files = Object.fromEntries(
    Array.from({ length: 1200 }, (_, i) => [`${layer}/tiles/17/70405/${42_000 + i}.pbf`, 'tile']),
  );
  await send(job, archiveOf({ 'a.pmtiles': 'long', ...files }));
  await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult });
  const params = { projectId, jobId: job.jobId };
  const shown = await admin.getProjectJob({ params });
  assert.equal(shown.errorMessage, undefined);
  const bytes = Buffer.byteLength(JSON.stringify(shown));
  assert.ok(bytes <= 16_000, `${bytes}`);
  const named = shown.outputItems.filter(({ type }) => type === 'object');
  const query = { limit: named.length };
  const first = (await admin.getProjectJobOutputs({ params, query })).items;
  assert.ok(named.length > 1);
  assert.deepEqual(
    named,
    first.map(({ sha256: _sha256, ...output }) => output),
  );
  assert.equal(shown.outputs.dataBucketKey, shown.outputFiles!.folder);
});

test('a job with thousands of files is deleted with them, and restored from the trash', async () => {
  const job = await held();
  const files = Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`data/${i}.pbf`, `unlike ${i}`]));
  await send(job, archiveOf({ 'a.pmtiles': 'another', ...files }));
  await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult });
  const params = { projectId, jobId: job.jobId };
  const query = { page: 1, limit: 1000 };
  const before = await admin.getProjectJobOutputs({ params, query });
  assert.deepEqual(await admin.deleteProjectJob({ params, query: { outputs: true } }), {
    numberOfDeletedItems: 1103,
  });
  const { items } = await admin.getProjectTrash({ params });
  const item = items.find(({ resourceId }) => resourceId === job.jobId)!;
  assert.equal(item.numberOfFiles, 1101);
  await admin.postProjectTrashItemRestore({ params: { projectId, trashId: item._id } });
  assert.deepEqual(await admin.getProjectJobOutputs({ params, query }), before);
});

test('files that the project has already are not stored again', async () => {
  const job = await held();
  const blobs = await countRows(service, 'blob');
  await send(job, archiveOf({ a: 'archive', b: 'tile 7', c: 'new here' }));
  assert.equal((await countRows(service, 'blob')) - blobs, 1);
  await job.fail({ code: 'failed' });
});

test('after an interruption the files that arrived whole are there, and the others follow', async () => {
  const job = await held();
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`f${1000 + i}`, randomBytes(2000)]),
  );
  for (const cut of [0, 511, 90_000, 200_001]) {
    const first = await stored(job);
    const rest = archiveOf(Object.fromEntries(Object.entries(files).slice(first)));
    const bytes = Math.min(cut, rest.length - 3000);
    await sendAndHangUp(job, rest.subarray(0, bytes), first);
    while ((await stored(job)) < first + wholeFiles(bytes)) await sleep(20);
  }
  const first = await stored(job);
  assert.ok(first > 90, `${first}`);
  const rest = archiveOf(Object.fromEntries(Object.entries(files).slice(first)));
  assert.deepEqual(await send(job, rest, first), { files: 100 });
  await assert.rejects(send(job, archiveOf(files), 50), {
    status: 503,
    message: /has stored 100 files, not 50/,
  });
  assert.equal(await stored(job), 100);
  await job.fail({ code: 'failed' });
});

test('files of a slow request get their rows within minutes, before the sweeper takes them for orphans', async (t) => {
  const job = await held();
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, randomBytes(2000)]));
  const archive = archiveOf(files);
  const half = Math.floor(archive.length / 2);
  const before = await countInStore();
  const request = openRequest(job, archive.length, 0);
  t.after(() => request.destroy());
  request.write(archive.subarray(0, half));
  while ((await countInStore()) < before + 9) await sleep(20);
  assert.equal(await stored(job), 0);
  clockAheadMs = 11 * 60_000;
  t.after(() => (clockAheadMs = 0));
  request.write(archive.subarray(half, half + 4000));
  while ((await stored(job)) === 0) await sleep(20);
  assert.equal(request.writableEnded, false);
  await job.fail({ code: 'failed' });
});

test('two names that differ only in how they encode accents are refused, in one request and in two', async () => {
  const job = await held();
  const [composed, combined] = ['\u00e9.pbf', 'e\u0301.pbf'];
  await assert.rejects(send(job, archiveOf({ [composed]: 'a', [combined]: 'b' })), isBadName);
  assert.equal(await stored(job), 0);
  await send(job, archiveOf({ [composed]: 'a' }));
  await assert.rejects(send(job, archiveOf({ [combined]: 'b' }), 1), isBadName);
  assert.equal(await stored(job), 1);
  await job.fail({ code: 'failed' });
});

test('names that no bucket can hold, and what is no file, are refused by name', async () => {
  const job = await held();
  for (const name of ['../up', 'a/../../b', 'a//b', 'back\\slash', 'n'.repeat(300), 'tab\there'])
    await assert.rejects(send(job, archiveOf({ [name]: 'a' })), isBadName, name);
  for (const type of ['2', '1', '3', '5']) {
    const header = encodeTarHeader({ path: 'odd', size: 0, updatedAt: new Date(0) }, type);
    await assert.rejects(send(job, Buffer.concat([header, tarEnd])), {
      status: 400,
      message: /“odd” is a /,
    });
  }
  for (const body of ['x', 'x'.repeat(512), archiveOf({ a: 'a' }).subarray(0, 1024)])
    await assert.rejects(send(job, body as BodyInit), { status: 400 });
  await assert.rejects(send(job, archiveOf({ large: Buffer.alloc(2 ** 20 + 1) })), { status: 400 });
  await assert.rejects(send(job, archiveOf({ fine: 'a' }), -1), { status: 400 });
  await job.fail({ code: 'failed' });
});

test('a project without room refuses the files, and keeps none of them', async (t) => {
  const job = await held();
  const params = { projectId };
  const { current } = await admin.getProjectUsage({ params });
  await admin.putProject({ params, body: { quota: { objects: current.objects + 20 } } });
  t.after(() => admin.putProject({ params, body: { quota: {} } }));
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`file ${i}`, randomBytes(10)]));
  await assert.rejects(send(job, archiveOf(files)), { status: 507 });
  assert.equal(await stored(job), 0);
  await job.fail({ code: 'failed' });
});

test('only the holder of the job may send files', async () => {
  const job = await held();
  await job.fail({ code: 'failed' });
  await assert.rejects(send(job, archiveOf({ a: 'a' })), { status: 401 });
  assert.equal(await countRows(service, 'job_output'), 0);
});
