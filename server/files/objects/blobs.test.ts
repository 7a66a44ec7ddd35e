import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { inTransaction } from '../../base/database/transaction.ts';
import { startService } from '../../testing.ts';
import { keepBlob, keepBlobs } from './blobs.ts';

const { context, admin } = await startService();
const { db } = context;

test('bytes that become unneeded while others with the same content wait for them are needed again', async () => {
  const project = await admin.postProject({ body: { name: 'P', description: '', bbox: [0, 0, 1, 1] } });
  const blob = {
    id: '1'.repeat(26),
    projectId: project._id,
    size: 1,
    sha256: 'ab'.repeat(32),
    now: new Date(),
  };
  await inTransaction(db, (tx) => keepBlob(tx, blob));
  const removing = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const removed = inTransaction(db, async (tx) => {
    await sql`update blob set unneeded_since = now() where id = ${blob.id}`.execute(tx);
    locked.resolve();
    await removing.promise;
  });
  await locked.promise;
  const kept = inTransaction(db, (tx) => keepBlobs(tx, [{ ...blob, id: '2'.repeat(26) }]));
  while ((await countWaiting()) === 0) await sleep(10);
  removing.resolve();
  await removed;
  assert.deepEqual([...(await kept).values()], [blob.id]);
  const { rows } = await sql`select unneeded_since from blob where id = ${blob.id}`.execute(db);
  assert.deepEqual(rows, [{ unneeded_since: null }]);
});

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]!.count;
}
