import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectWithCities, putFile, tilingTask } from '../../server/jobs/tasks/testing.ts';
import { startRunner } from '../../server/jobs/testing-runner.ts';
import { platen } from '../testing-platen.ts';
import { startListening } from '../testing.ts';

const { service, env: account } = await startListening();
const { admin, adminId, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const env = { ...account, PLATEN_PROJECT: 'City' };
const params = { projectId };
const laterOnly = { schedule: { type: 'scheduled', scheduled: '2999-01-01T00:00:00Z' } } as const;

async function newTask(name: string, key = 'cities.geojson') {
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: key };
  const datasource = { command: 'create', name };
  const parameters = { datasource, options: { input } };
  return admin.postProjectTask({
    params,
    body: { ...tilingTask(bucketId), name, parameters, ...laterOnly },
  });
}

await newTask('Good');
const broken = { projectId, bucketId, key: 'broken.geojson', by: adminId };
await putFile(context, broken, '{"type":"FeatureCollection","features":[{"type"');
await newTask('Broken\u001B[2J', 'broken.geojson');
await admin.postProjectTask({
  params,
  body: { ...tilingTask(bucketId), name: 'Never', labels: ['gpu'], ...laterOnly },
});

test('a job is followed to its success or failure, and the exit code says which', async () => {
  const runners = await startRunner(service);
  try {
    const good = await platen(['task', 'run', 'Good', '--follow'], { env });
    assert.deepEqual([good.code, good.err], [0, '']);
    for (const says of [
      /^Job \w{26} of task “Good” was created\.$/m,
      /^Job \w{26} is running$/m,
      /^Phase: \w+/m,
      /^\d\d:\d\d:\d\d \S/m,
      /^Job \w{26} succeeded in [\d.]+ s\.\nDatasource \w{26}$/m,
    ])
      assert.match(good.out, says);
    const bad = await platen(['task', 'run', 'Broken\u001B[2J', '--follow', '--json'], { env });
    assert.equal(bad.code, 1);
    assert.match(bad.err, /^platen: Job \w{26} failed: .* \(\w+\)\n$/);
    const events = bad.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; data: { state?: string } });
    assert.equal(events[0]!.event, 'job');
    assert.equal(events.at(-1)!.event, 'end');
    assert.equal(events.findLast(({ data }) => data.state)!.data.state, 'failed');
    const waited = await platen(['task', 'run', 'Good', '--wait', '--json'], { env });
    assert.equal(waited.code, 0);
    const job = JSON.parse(waited.out) as { _id: string; state: string };
    assert.equal(job.state, 'succeeded');
    const again = await platen(['job', 'follow', job._id], { env });
    assert.match(again.out, /succeeded in/, 'a job that has ended is followed from its start');
  } finally {
    await runners.stop();
  }
});

test('Ctrl-C stops following, and the job continues', async () => {
  const stop = new AbortController();
  const onOutput = (text: string) => text.includes('is queued') && stop.abort();
  const words = ['task', 'run', 'Never', '--follow'];
  const { code, out, err } = await platen(words, { env, signal: stop.signal, onOutput });
  assert.equal(code, 130);
  assert.match(out, /Job \w{26} is queued: /);
  const [, jobId = ''] =
    /^platen: The job continues\. To follow it again: platen job follow (\w{26}) --project \w{26}\n$/.exec(
      err,
    )!;
  assert.equal((await admin.getProjectJob({ params: { projectId, jobId } })).state, 'queued');
  await admin.putProjectJobAbort({ params: { projectId, jobId } });
  const cancelled = await platen(['job', 'follow', jobId], { env });
  assert.deepEqual([cancelled.code, cancelled.err], [1, `platen: Job ${jobId} was cancelled\n`]);
});

test('tasks and jobs that do not exist are named, and tasks are listed with their last state', async () => {
  const none = await platen(['task', 'run', 'None'], { env });
  assert.deepEqual([none.code, none.out], [4, '']);
  const job = await platen(['job', 'follow', 'x'.repeat(26)], { env });
  assert.deepEqual([job.code, job.out], [4, '']);
  const { out } = await platen(['task', 'list'], { env });
  assert.match(out, /^\w{26} {2}cancelled +platenTilesVector {2}Never$/m);
  assert.match(out, /^\w{26} {2}failed +platenTilesVector {2}Broken\\u001b\[2J$/m);
});
