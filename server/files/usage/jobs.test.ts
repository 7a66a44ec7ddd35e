import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { startEmbeddedRunners } from '../../jobs/runners/embedded-runners.ts';
import { allowEnrolment } from '../../jobs/runners/enrolment-store.ts';
import { projectWithCities, tilingTask } from '../../jobs/tasks/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, as, app, context, dataFolder } = service;

async function newProject(quotaBytesLeft: number) {
  const { projectId, bucketId } = await projectWithCities(service);
  const params = { projectId };
  const { current } = await admin.getProjectUsage({ params });
  await admin.putProject({ params, body: { quota: { bytes: current.bytes + quotaBytesLeft } } });
  const { lastJobId } = await admin.postProjectTask({ params, body: tilingTask(bucketId) });
  return { params, jobId: lastJobId! };
}

test('outputs of a job count as soon as they arrive, and are files at the end', async () => {
  const { params, jobId } = await newProject(1000);
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const enrolment = { enrolmentToken, name: 'runner', labels: [], version: '' };
  const runner = as((await as().postRunnerEnrol({ body: enrolment })).token);
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  assert.equal(job!.jobId, jobId);
  const holder = as(job!.token);
  const put = (key: string, size: number) =>
    holder.putRunnerJobOutput({
      params: { jobId },
      query: { key },
      body: new Blob([key.padEnd(size, '.')]),
    });
  await put('a.bin', 600);
  const usage = () => admin.getProjectUsage({ params });
  assert.deepEqual((await usage()).reserved, { bytes: 600, objects: 1 });
  await assert.rejects(put('b.bin', 401), (error: RequestFailed) => {
    assert.deepEqual([error.status, error.code], [507, 'storage_full']);
    assert.match(error.message, /\. 400 bytes are left, but this needs at least 401 bytes/);
    return true;
  });
  await put('b.bin', 400);
  assert.deepEqual((await usage()).left, { bytes: 0 });
  await admin.putProject({ params, body: { quota: { bytes: (await usage()).current.bytes + 1100 } } });
  for (const size of [700, 500, 600]) {
    await put('a.bin', size); // once more, as a runner does that did not hear the answer
    assert.deepEqual((await usage()).reserved, { bytes: size + 400, objects: 2 });
  }
  const { current } = await usage();
  await holder.postRunnerJobComplete({ params: { jobId }, body: { warnings: [] } });
  const after = await usage();
  assert.deepEqual(after.reserved, { bytes: 0, objects: 0 });
  assert.equal(after.current.bytes, current.bytes + 1000);
});

test('a job whose outputs are more than the quota fails, and says why', async (t) => {
  const { params, jobId } = await newProject(10);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const scratchFolder = join(dataFolder, 'scratch');
  const runners = await startEmbeddedRunners(context, { count: 1, url, scratchFolder });
  t.after(() => runners.stop());
  const ended = once(AbortSignal.timeout(60_000), 'abort').then(() => 'too late');
  const reported = new Promise<void>((resolve) => {
    context.notifications.on('jobEnded', (id) => id === jobId && resolve());
  });
  await Promise.race([reported, ended]);
  const job = await admin.getProjectJob({ params: { ...params, jobId } });
  assert.deepEqual([job.state, job.errorCode], ['failed', 'cannotTransfer']);
  assert.match(
    job.errorMessage!,
    /The quota of the project is .*\. 10 bytes are left, but this needs at least/,
  );
  assert.deepEqual((await admin.getProjectUsage({ params })).left, { bytes: 10 });
});
