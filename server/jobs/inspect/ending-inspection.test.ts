import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InspectionReport } from '@platen/contract/inspect';
import { sql } from 'kysely';
import { inTransaction } from '../../base/database/transaction.ts';
import { endJob } from '../queue/end.ts';
import type { JobRow } from '../store.ts';
import { cities, projectWithCities, putFile } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { keepReport } from './keep-report.ts';
import { startInspection } from './operations.ts';
import { findTarget } from './target.ts';

const service = await startService({ settings: { inspectUploads: true } });
const { admin, adminId, context } = service;
const { db } = context;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const layer = {
  name: 'cities',
  geometryTypes: ['Point'],
  isEstimated: false,
  isBboxEstimated: false,
  featureCount: 2,
  bbox: [-78.5, -0.2, 13.4, 52.5],
  fields: [],
};
const report: InspectionReport = {
  format: 'geojson',
  formatTitle: 'GeoJSON',
  kind: 'vector',
  layers: [layer],
  issues: [],
  uses: [],
};

const register = (dataBucketKey: string) =>
  admin.postProjectDatasource({
    params,
    body: {
      name: 'Cities',
      type: 'geojson',
      sourceProperties: { type: 'internal', dataBucketId: bucketId, dataBucketKey },
    },
  });

const featureCountOf = async (datasourceId: string) =>
  (await admin.getProjectDatasource({ params: { projectId, datasourceId } })).facts?.numberOfFeatures;

/** Waits until a statement waits for a row that is locked. */
async function untilBlocked(): Promise<'blocked'> {
  for (let tries = 0; tries < 1000; tries++) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length > 0) return 'blocked';
    await sleep(10);
  }
  throw new Error('nothing waits');
}

async function runningInspection(): Promise<JobRow> {
  const target = await findTarget(db, bucketId, 'cities.geojson');
  const jobId = await startInspection(context, { projectId, target, by: adminId, isUrgent: true });
  const { rows } = await sql<JobRow>`
    update job set state = 'running', attempt = 1 where id = ${jobId} returning *`.execute(db);
  return rows[0]!;
}

test('a datasource that is registered while the inspection of its file ends has what was found', async () => {
  const job = await runningInspection();
  const now = context.now();
  const { registering } = await inTransaction(db, async (tx) => {
    await sql`select from job where id = ${job.id} for update`.execute(tx);
    await keepReport(tx, { job, report, now });
    const request = register('cities.geojson');
    await Promise.race([request, untilBlocked()]);
    await endJob(tx, { jobId: job.id, state: 'succeeded', warnings: [], report, now });
    return { registering: request };
  });
  const { _id } = await registering;
  assert.equal(await featureCountOf(_id), 2);
});

test('an inspection completes the datasources of equal files, and of no others', async () => {
  await sql`delete from inspection`.execute(db);
  await putFile(context, { projectId, bucketId, key: 'copy/cities.geojson', by: adminId }, cities);
  await putFile(context, { projectId, bucketId, key: 'other.geojson', by: adminId }, cities);
  const job = await runningInspection();
  const { _id: copy } = await register('copy/cities.geojson');
  const { _id: other } = await register('other.geojson');
  assert.equal(await featureCountOf(copy), undefined);
  await inTransaction(db, (tx) => keepReport(tx, { job, report, now: context.now() }));
  assert.equal(await featureCountOf(copy), 2);
  assert.equal(await featureCountOf(other), undefined, 'reports tell the name of the file');
});
