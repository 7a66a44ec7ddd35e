import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startService } from '../testing.ts';
import { registerJobDatasource } from './from-job.ts';
import { updateDatasource } from './store.ts';
import { external } from './testing.ts';

const { admin, adminId, context } = await startService();
const { db } = context;

/** Until a transaction of this database waits for another one. */
async function untilOneWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length > 0) return;
    await sleep(5);
  }
}

test('a job that updates a datasource keeps simultaneous changes of users', async () => {
  const body = { name: 'City', description: '', bbox: [0, 0, 1, 1] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body });
  const { _id: datasourceId } = await admin.postProjectDatasource({
    params: { projectId },
    body: external('vectortiles', 'https://example.org/{z}/{x}/{y}.pbf', { properties: { before: 1 } }),
  });
  const now = context.now();
  let ofJob: Promise<unknown> | undefined;
  await db.transaction().execute(async (tx) => {
    const fields = { typeProperties: { byHand: 1 }, properties: { byHand: 1 } };
    await updateDatasource(tx, datasourceId, { fields, now, by: adminId });
    ofJob = db.transaction().execute((other) =>
      registerJobDatasource(other, {
        projectId,
        jobId: 'job',
        target: { command: 'update', datasourceId },
        type: 'vectortiles',
        typeProperties: { byJob: 1 },
        properties: { byJob: 1 },
        dataBucketId,
        dataBucketKey: 'a.pmtiles',
        isFolder: false,
        by: adminId,
        now,
      }),
    );
    await untilOneWaits();
  });
  await ofJob;
  const after = await admin.getProjectDatasource({ params: { projectId, datasourceId } });
  assert.deepEqual(after.properties, { byHand: 1, byJob: 1 });
  assert.deepEqual(after.typeProperties, { byHand: 1, byJob: 1 });
});
