import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JobProgress } from '@platen/contract/jobs';
import { hashSecret, newSecret } from '../server/base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../server/jobs/runners/enrolment-store.ts';
import { projectWithCities, tilingTask } from '../server/jobs/tasks/testing.ts';
import { startService } from '../server/testing.ts';
import { afterFile } from '../checks/clean-up.ts';

const service = await startService();
const { admin, app, context, dataFolder } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const { projectId, bucketId } = await projectWithCities(service);
const runner = await startRunner();
afterFile(() => end(runner));

/** The real one, as a process of its own; it does not share the disk, so that inputs are copied. */
async function startRunner(): Promise<ChildProcess> {
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const program = fileURLToPath(new URL('main.ts', import.meta.url));
  const packages = import.meta.resolve('../server/base/packages/load.ts');
  const child = spawn(process.execPath, [`--import=${packages}`, program], {
    env: {
      PLATEN_URL: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
      PLATEN_ENROLMENT_TOKEN: enrolmentToken,
      PLATEN_RUNNER_NAME: 'teller',
      PLATEN_RUNNER_SCRATCH: join(dataFolder, 'scratch'),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

async function run(body: object) {
  const { lastJobId } = await admin.postProjectTask({ params: { projectId }, body: body as never });
  return { projectId, jobId: lastJobId! };
}

/** Runs it to its end, and tells every progress that could be seen meanwhile. */
async function runToEnd(body: object) {
  const params = await run(body);
  const seen: JobProgress[] = [];
  for (;;) {
    const job = await admin.getProjectJob({ params });
    if (job.progress && JSON.stringify(job.progress) !== JSON.stringify(seen.at(-1))) seen.push(job.progress);
    if (job.endTime !== undefined) return { params, job, seen };
    await sleep(50);
  }
}

const check = (options: object) => ({ name: 'Check', jobType: 'platenCheckRunner', parameters: { options } });

test('a job that is over within a moment has all its phases, those of the runner too, each with its unit', async () => {
  const { params, job } = await runToEnd(tilingTask(bucketId));
  assert.equal(job.state, 'succeeded', String(job.errorMessage));
  const items = await admin.getProjectJobOperations({ params });
  assert.deepEqual(
    items.map(({ name, unit, state, runnerName }) => [name, unit, state, runnerName]),
    [
      ['stage', 'bytes', 'succeeded', 'teller'],
      ['read', 'bytes', 'succeeded', 'teller'],
      ['sort', 'parts', 'succeeded', 'teller'],
      ['cut', 'bytes', 'succeeded', 'teller'],
      ['write', 'tiles', 'succeeded', 'teller'],
      ['upload', 'bytes', 'succeeded', 'teller'],
    ],
  );
  const [stage] = items;
  const upload = items.at(-1)!;
  const size = job.outputItems.reduce((sum, output) => sum + (output.size ?? 0), 0);
  assert.deepEqual([upload.done, upload.total], [size, size]);
  assert.ok(stage!.done > 0 && stage!.done === stage!.total);
  for (const [index, { startTime, endTime }] of items.entries()) {
    assert.ok(startTime <= endTime!);
    const next = items[index + 1];
    // the service takes times from the age in each report, which may be on its way for longer than another
    if (next) assert.ok(Math.abs(Date.parse(next.startTime) - Date.parse(endTime!)) <= 100, next.name);
  }
  assert.deepEqual(
    job.stages.map(({ name }) => name),
    items.map(({ name }) => name),
  );
  const outputs = await admin.getProjectJobOperationOutputs({
    params: { ...params, operationId: upload._id },
  });
  assert.deepEqual(outputs, job.outputs);
  const laps = await admin.getProjectJobLog({ params, query: { operation: '1-4' } });
  assert.ok(laps.items.some(({ message }) => message.startsWith('Phase "cut" took')));
});

test('a job learns its limits, and nothing else of the settings of its runner, such as the token', async () => {
  const { params, job } = await runToEnd(check({}));
  assert.equal(job.state, 'succeeded', String(job.errorMessage));
  const { items } = await admin.getProjectJobLog({ params });
  const { data } = items.find(({ message }) => message === 'Resources of a job on this runner.')!;
  assert.deepEqual(Object.keys(data!).toSorted(), [
    'cores',
    'memoryMegabytes',
    'networkIsClosed',
    'node',
    'platform',
    'rights',
    'scratchFreeBytes',
    'scratchMegabytes',
  ]);
});

test('during a job, speed and remaining time are reported a few times per second', async () => {
  const { job, seen } = await runToEnd(check({ seconds: 3 }));
  assert.equal(job.state, 'succeeded', String(job.errorMessage));
  // it is looked at from outside, on a busy machine more seldom than it is told
  assert.ok(seen.length >= 2 && seen.length <= 12, String(seen.length));
  const late = seen.filter(({ done }) => done > 1.5 && done < 3);
  assert.ok(late.length > 0);
  for (const { unit, perSecond, secondsLeft, done } of late) {
    assert.equal(unit, 'seconds');
    assert.ok(perSecond! > 0.5 && perSecond! < 1.5, String(perSecond));
    assert.ok(Math.abs(secondsLeft! - (3 - done)) < 2, `${secondsLeft} after ${done}`);
  }
});

test('a hundred thousand lines arrive whole and in their order, and the last one is the failure', async () => {
  const { params, job } = await runToEnd(check({ lines: 100_000, fail: 'asIfBroken' }));
  assert.deepEqual([job.state, job.errorCode], ['failed', 'asIfBroken']);
  const { items, totals, lastSeq } = await admin.getProjectJobLog({
    params,
    query: { before: 2_147_483_647, limit: 2 },
  });
  assert.equal(items.at(-1)!.message, job.errorMessage);
  assert.equal(items[0]!.message, 'Line 100000 of 100000.');
  assert.ok(totals.info >= 100_000 && totals.error === 1);
  assert.ok(lastSeq > 100_000);
  const text = await (await admin.getProjectJobLogDownload({ params })).text();
  const numbers = [...text.matchAll(/ Line (\d+) of/g)].map(([, number]) => Number(number));
  // with the lines beside, there were a few more than are kept: they are missing in the middle alone
  assert.ok(
    numbers.length > 99_990 && numbers[0] === 1 && numbers.at(-1) === 100_000,
    String(numbers.length),
  );
  assert.ok(numbers.every((number, index) => index === 0 || number > numbers[index - 1]!));
});
