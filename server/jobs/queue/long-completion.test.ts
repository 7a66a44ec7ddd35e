import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { leaseMs } from '@platen/contract/runner';
import { sql } from 'kysely';
import { inTransaction } from '../../base/database/transaction.ts';
import { startService } from '../../testing.ts';
import { runMaintenance } from './maintenance.ts';
import { enrolledRunner, holdNext, tilesResult } from './testing.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';

let clockAheadMs = 0;
const service = await startService({ now: () => new Date(Date.now() + clockAheadMs) });
const { admin, context } = service;

test('a job whose completion takes longer than its lease is not queued again, and has its effects once', async () => {
  const { projectId, bucketId } = await projectWithCities(service);
  const runner = await enrolledRunner(service, 'runner');
  await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId) });
  const job = (await holdNext(service, runner))!;
  await job.client.putRunnerJobOutput({ params: job.params, query: { key: 'a.pmtiles' }, body: 'archive' });
  const files = await countFiles();
  const slow = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  // what the completion waits for, while it holds its job
  const holding = inTransaction(context.db, async (tx) => {
    await sql`lock table object in exclusive mode`.execute(tx);
    isHeld.resolve();
    await slow.promise;
  });
  await isHeld.promise;
  const completed = job.client.postRunnerJobComplete({ params: job.params, body: tilesResult });
  while ((await countWaiting()) < 1) await sleep(10);
  const refused = assert.rejects(job.heartbeat(), { status: 409 });
  while ((await countWaiting()) < 2) await sleep(10);
  clockAheadMs = 3 * leaseMs;
  await runMaintenance(context);
  assert.equal((await runner.postRunnerClaim({ body: { waitSeconds: 0 } })).job, undefined);
  slow.resolve();
  await holding;
  assert.deepEqual(await completed, { state: 'succeeded' });
  await refused;
  await assert.rejects(job.client.postRunnerJobComplete({ params: job.params, body: tilesResult }), {
    status: 401,
  });
  await runMaintenance(context);
  const { state } = await admin.getProjectJob({ params: { projectId, jobId: job.jobId } });
  assert.equal(state, 'succeeded');
  assert.equal(await countFiles(), files + 1);
});

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(context.db);
  return rows[0]!.count;
}

async function countFiles(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from object`.execute(
    context.db,
  );
  return rows[0]!.count;
}
