import assert from 'node:assert/strict';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parseEgressPolicy } from '@platen/egress/policy';
import type { ClaimedJob } from '@platen/contract/runner';
import { clientFor } from './job-client.ts';
import { startJobProcess } from './job-process.ts';
import { startTestService } from './publish/testing-service.ts';
import { runJob } from './run-job.ts';

const hanging = join(import.meta.dirname, 'testing-hang.ts');

interface TestJob {
  readonly program?: string;
  readonly timeoutSeconds?: number;
  readonly jobType?: string;
}

/** Runs a job of a minute in a real process until it is stopped. */
async function startJob(t: TestContext, { program, timeoutSeconds = 60, ...change }: TestJob = {}) {
  const service = await startTestService({ type: 'fs', folder: '' });
  const root = await realpath(await mkdtemp(join(tmpdir(), 'platen-abort-')));
  const shutdown = new AbortController();
  const child = await startJobProcess({
    scratchFolder: root,
    memoryMegabytes: 512,
    ...(program !== undefined && { program }),
  });
  t.after(async () => {
    await child.end();
    await service.stop();
    await rm(root, { recursive: true, force: true });
  });
  const job: ClaimedJob = {
    ...service.job,
    jobType: 'platenCheckRunner',
    options: { seconds: 60 },
    debugLevel: 0,
    timeoutSeconds,
    ...change,
  };
  const started = Promise.withResolvers<void>();
  const lines: string[] = [];
  const over = runJob({
    client: clientFor(service.url, job.token),
    job,
    child,
    log: (level, message) => lines.push(`${level}: ${message}`),
    shutdown: shutdown.signal,
    runnerName: 'r',
    egressPolicy: parseEgressPolicy(''),
    isEmbedded: false,
    root,
    service: service.url,
    onStarted: () => started.resolve(),
  });
  // on a busy machine, one second may be over before it starts
  await Promise.race([started.promise, over]);
  /** @returns how long the job took to end since `stop` */
  const endAfter = async (stop: () => void) => {
    const began = performance.now();
    stop();
    await over;
    return performance.now() - began;
  };
  return { service, child, shutdown, over, lines, root, endAfter };
}

test('an aborted job that reacts to its signal ends at once, and is reported as aborted', async (t) => {
  const { service, child, lines, root, endAfter } = await startJob(t);
  const tookMs = await endAfter(() => service.abort());
  assert.ok(tookMs < 1900, `${tookMs}`);
  assert.equal(child.isAlive(), false);
  assert.deepEqual([service.heard.end?.how, service.heard.end?.body['code']], ['fail', 'aborted']);
  assert.deepEqual(lines, []);
  assert.deepEqual(await readdir(root), []);
});

test('an aborted job that does not heed its signal is killed after two seconds, with the same report', async (t) => {
  const { service, child, endAfter } = await startJob(t, { program: hanging });
  const tookMs = await endAfter(() => service.abort());
  assert.ok(tookMs >= 1900 && tookMs < 10_000, `${tookMs}`);
  assert.equal(child.isAlive(), false);
  assert.deepEqual([service.heard.end?.how, service.heard.end?.body['code']], ['fail', 'aborted']);
});

test('a job that exceeds its time limit is asked to stop, and killed if it does not', async (t) => {
  const polite = await startJob(t, { timeoutSeconds: 1 });
  await polite.over;
  assert.equal(polite.service.heard.end?.body['code'], 'timedOut');
  const deaf = await startJob(t, { timeoutSeconds: 1, program: hanging });
  await deaf.over;
  assert.equal(deaf.child.isAlive(), false);
  assert.equal(deaf.service.heard.end?.body['code'], 'timedOut');
});

test('at a shutdown a job that cannot resume may clean up, one that can is killed at once', async (t) => {
  const polite = await startJob(t);
  assert.ok((await polite.endAfter(() => polite.shutdown.abort())) < 1900);
  assert.equal(polite.service.heard.end?.how, 'release');
  const resuming = await startJob(t, { jobType: 'platenTilesVector', program: hanging });
  assert.ok((await resuming.endAfter(() => resuming.shutdown.abort())) < 1900);
  assert.equal(resuming.service.heard.end?.how, 'release');
});

test('a job whose lease is lost is killed at once, because another attempt may begin', async (t) => {
  const { service, child, endAfter } = await startJob(t, { program: hanging });
  const tookMs = await endAfter(() => {
    service.isLost = true;
  });
  assert.ok(tookMs < 8000, `${tookMs}`);
  assert.equal(child.isAlive(), false);
  assert.equal(service.heard.end, undefined);
});
