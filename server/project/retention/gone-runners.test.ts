import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { newId } from '../../base/ids.ts';
import { enrolRunner } from '../../jobs/runners/enrolment-store.ts';
import { holdNext, projectOf, queued } from '../../jobs/queue/testing.ts';
import { startService } from '../../testing.ts';

const dayMs = 24 * 3_600_000;
const service = await startService();
const { admin, as, context } = service;

async function runnerSeen(name: string, daysAgo: number, isEmbedded = false) {
  const now = new Date(Date.now() - daysAgo * dayMs);
  const token = newSecret();
  const row = {
    id: newId(now),
    name,
    labels: [],
    version: '',
    tokenHash: hashSecret(token),
    isEmbedded,
    now,
  };
  const id = await enrolRunner(context.db, row);
  const forget = () => sql`update runner set seen_at = ${now} where id = ${id}`.execute(context.db);
  return { client: as(token), forget };
}

const cleanUp = async () =>
  (await admin.postAdminCleanup()).items.map(({ kind, count, projectId }) => [kind, count, projectId]);
const names = async () =>
  (await admin.getAdminRunners({ query: { orderBy: ['name'] } })).items.map(({ name }) => name).toSorted();

test('runners that do not return are removed, those with a current or recent job are kept', async () => {
  await runnerSeen('elsewhere, lately', 89);
  await runnerSeen('elsewhere, long ago', 91);
  await runnerSeen('beside, just now', 0.9, true);
  await runnerSeen('beside, elsewhere by now', 2, true);
  const busy = await runnerSeen('busy for days', 3, true);
  await queued(service, await projectOf(service, 'City'));
  const held = (await holdNext(service, busy.client))!;
  await busy.forget();
  const stay = ['beside, just now', 'busy for days', 'elsewhere, lately'];
  assert.deepEqual(await cleanUp(), [['runner', 2, undefined]]);
  assert.deepEqual(await names(), stay);
  await held.complete();
  assert.deepEqual(await cleanUp(), []);
  assert.deepEqual(await names(), stay);
});
