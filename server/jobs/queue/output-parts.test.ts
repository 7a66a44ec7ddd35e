import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from '@platen/client/client';
import { sweepUploads } from '../../files/uploads/sweep.ts';
import { startService } from '../../testing.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';
import { enrolledRunner, type Held, holdNext, tilesResult } from './testing.ts';

const service = await startService();
const { admin, app, context } = service;
const url = await app.listen({ port: 0, host: '127.0.0.1' });
const { projectId, bucketId } = await projectWithCities(service);
const runner = await enrolledRunner(service, 'runner');
const key = 'a.pmtiles';

async function held(): Promise<Held> {
  await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId) });
  return (await holdNext(service, runner))!;
}

const send = async ({ client, params }: Held, text: string, place: { size: number; offset: number }) =>
  (await client.putRunnerJobOutputPart({ params, query: { key, ...place }, body: new Blob([text]) })).offset;
const arrivedOf = async ({ client, params }: Held) =>
  (await client.getRunnerJobOutputPart({ params, query: { key } })).offset;

async function contentAfterEnd({ client, params, jobId }: Held): Promise<string> {
  await client.postRunnerJobComplete({ params, body: tilesResult });
  const { outputItems } = await admin.getProjectJob({ params: { projectId, jobId } });
  const reply = await admin.getProjectDataBucketDownloadFile({
    params: { projectId, dataBucketId: bucketId },
    query: { key: outputItems[0]!.dataBucketKey! },
  });
  return reply.text();
}

const refused = (status: number, pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof RequestFailed);
  assert.equal(error.status, status, error.message);
  assert.match(`${error.message} ${error.errors.map(({ detail }) => detail).join(' ')}`, pattern);
  return true;
};

const reserved = async () => (await admin.getProjectUsage({ params: { projectId } })).reserved;
const countUploads = async () => (await context.db.selectFrom('upload').selectAll().execute()).length;

test('an output that arrives in parts is a file when the job completes', async () => {
  const job = await held();
  assert.equal(await arrivedOf(job), 0);
  assert.equal(await send(job, 'abc', { size: 10, offset: 0 }), 3);
  assert.equal(await arrivedOf(job), 3);
  assert.equal(await send(job, 'defghij', { size: 10, offset: 3 }), 10);
  assert.equal(await arrivedOf(job), 10);
  assert.equal(await countUploads(), 0);
  assert.equal(await contentAfterEnd(job), 'abcdefghij');
});

test('an output that begins again has nothing of what arrived before', async () => {
  const job = await held();
  await send(job, 'old', { size: 6, offset: 0 });
  assert.equal(await send(job, 'new', { size: 7, offset: 0 }), 3);
  assert.equal(await send(job, 'part', { size: 7, offset: 3 }), 7);
  assert.equal(await send(job, 'once more', { size: 9, offset: 0 }), 9);
  assert.equal(await contentAfterEnd(job), 'once more');
});

test('a part for another offset or size, or with more bytes, is refused, and what has arrived stays', async () => {
  const job = await held();
  await assert.rejects(send(job, 'b', { size: 5, offset: 1 }), refused(503, /0 bytes of this output/));
  await send(job, 'ab', { size: 5, offset: 0 });
  await assert.rejects(send(job, 'b', { size: 5, offset: 1 }), refused(503, /2 bytes of this output/));
  await assert.rejects(send(job, 'b', { size: 6, offset: 2 }), refused(400, /began with 5 bytes/));
  await assert.rejects(send(job, 'cdef', { size: 5, offset: 2 }), refused(413, /more than the 5 bytes/));
  assert.equal(await arrivedOf(job), 2);
  await send(job, 'cde', { size: 5, offset: 2 });
  assert.equal(await contentAfterEnd(job), 'abcde');
  await assert.rejects(send(job, 'a', { size: 1, offset: 0 }), refused(401, /not the token of a job/));
  await assert.rejects(arrivedOf(job), refused(401, /not the token of a job/));
});

test('a request that hangs is ended by the next one, and its bytes stay', async () => {
  const job = await held();
  const path = `/api/v1/runner/job/${job.jobId}/output-part?key=${key}&size=7&offset=0`;
  const hanging = httpRequest(url + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${job.token}`, 'content-type': 'application/octet-stream' },
  }).on('error', () => {});
  const answer = once(hanging, 'response');
  hanging.write('han');
  while (!(await context.db.selectFrom('upload').select('writing').executeTakeFirst())?.writing)
    await sleep(20);
  const arrived = await arrivedOf(job);
  assert.equal((await answer)[0].statusCode, 409);
  hanging.destroy();
  assert.equal(await send(job, 'hanging'.slice(arrived), { size: 7, offset: arrived }), 7);
  assert.equal(await contentAfterEnd(job), 'hanging');
});

test('a service that dies with all bytes before it wrote their row does so when asked', async () => {
  const job = await held();
  await send(job, 'all', { size: 6, offset: 0 });
  const { draft_id: id } = await context.db.selectFrom('upload').select('draft_id').executeTakeFirstOrThrow();
  await context.store.drafts.append(id, 3, Readable.from([Buffer.from('new')]));
  await context.store.drafts.finish(id);
  assert.equal(await arrivedOf(job), 6);
  assert.equal(await countUploads(), 0);
  assert.equal(await contentAfterEnd(job), 'allnew');
});

test('an output is set aside of the quota as a whole, once, and nothing of it stays after a failure', async () => {
  const params = { projectId };
  const { current } = await admin.getProjectUsage({ params });
  await admin.putProject({ params, body: { quota: { bytes: current.bytes + 1000 } } });
  const job = await held();
  await assert.rejects(send(job, 'a', { size: 1001, offset: 0 }), refused(507, /1.0 kB are left/));
  assert.deepEqual([await reserved(), await countUploads()], [{ bytes: 0, objects: 0 }, 0]);
  await send(job, 'a', { size: 600, offset: 0 });
  assert.deepEqual(await reserved(), { bytes: 600, objects: 1 });
  await send(job, 'b'.repeat(900), { size: 900, offset: 0 });
  assert.deepEqual(await reserved(), { bytes: 900, objects: 1 });
  await send(job, 'c', { size: 800, offset: 0 });
  assert.deepEqual(await reserved(), { bytes: 800, objects: 1 });
  await job.fail({ code: 'broken' });
  assert.deepEqual([await reserved(), await countUploads()], [{ bytes: 0, objects: 0 }, 0]);
  const later = { ...context, now: () => new Date(Date.now() + 2 * 3_600_000) };
  await sweepUploads(later);
  assert.deepEqual(await Array.fromAsync(context.store.drafts.list()), []);
});
