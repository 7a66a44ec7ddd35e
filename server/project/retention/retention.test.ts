import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { apiPrefix } from '@platen/contract/endpoint';
import { sql } from 'kysely';
import { inTransaction } from '../../base/database/transaction.ts';
import { moveChanges } from '../../jobs/events/store.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { updateJobCounters } from '../../jobs/counters.ts';
import { allowEnrolment } from '../../jobs/runners/enrolment-store.ts';
import { projectWithCities, tilingTask } from '../../jobs/tasks/testing.ts';
import { startService } from '../../testing.ts';
import { cleanUp } from './clean-up.ts';
import { removeOldJobs } from './old-jobs.ts';

const dayMs = 24 * 3_600_000;
const service = await startService({ settings: { keepJobsDays: 90, keepJobs: 1000 } });
const { admin, context } = service;
const { db } = context;
const later = { type: 'scheduled' as const, scheduled: '2100-01-01T00:00:00.000Z' };

async function newTask() {
  const { projectId, bucketId } = await projectWithCities(service);
  const params = { projectId };
  const add = async () =>
    (await admin.postProjectTask({ params, body: { ...tilingTask(bucketId), schedule: later } }))._id;
  return { params, projectId, bucketId, taskId: await add(), add };
}

interface Old {
  readonly projectId: string;
  readonly taskId: string;
  readonly daysAgo: number;
  readonly state?: string;
}

/** A job that ended so many days ago, with a line of log; it is then the last of its task. */
async function addJob({ projectId, taskId, daysAgo, state = 'succeeded' }: Old): Promise<string> {
  const id = randomUUID();
  const at = new Date(Date.now() - daysAgo * dayMs);
  await sql`insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, priority, debug_level,
      parameters, state, created_at, created_by, updated_at, updated_by, end_time, log_seq)
    values (${id}, ${projectId}, ${taskId}, 'platenTilesVector', 'TilesVector', '', '{}', 0, 0, '{}', ${state},
      ${at}, 'u', ${at}, 'u', ${['queued', 'running'].includes(state) ? null : at}, 1)`.execute(db);
  await sql`insert into job_log (job_id, seq, at, level, message) values (${id}, 1, ${at}, 'info', 'done')`.execute(
    db,
  );
  await sql`update task set last_job_id = ${id} where id = ${taskId}`.execute(db);
  return id;
}

const idsOf = async (params: { projectId: string }) =>
  (await admin.getProjectJobs({ params, query: { limit: 1000 } })).items.map(({ _id }) => _id);

test('jobs go some days after their end, with their logs, and never the last of a task', async () => {
  const { params, projectId, taskId, add } = await newTask();
  const other = await add();
  const old = await addJob({ projectId, taskId, daysAgo: 91 });
  const waits = await addJob({ projectId, taskId, daysAgo: 200, state: 'queued' });
  const young = await addJob({ projectId, taskId, daysAgo: 89 });
  const last = await addJob({ projectId, taskId: other, daysAgo: 400, state: 'failed' });
  await removeOldJobs(context);
  assert.deepEqual(
    await idsOf(params),
    [young, waits, last].toSorted((a, b) => (a === young ? -1 : b === young ? 1 : a === waits ? -1 : 1)),
  );
  const { rows } = await sql`select from job_log where job_id = ${old}`.execute(db);
  assert.equal(rows.length, 0);
  const { items } = await admin.getProjectTasks({ params });
  assert.deepEqual(new Set(items.map(({ lastJob }) => lastJob?._id)), new Set([young, last]));
});

test('the number of jobs kept per task is set by the project, and its managers may change it', async () => {
  const { params, projectId, taskId, add } = await newTask();
  const other = await add();
  const mia = await service.user('mia');
  await admin.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectManager' } });
  const changed = await mia.client.putProject({ params, body: { keepJobs: { perTask: 3 } } });
  assert.deepEqual(changed.keepJobs, { perTask: 3 });
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) ids.push(await addJob({ projectId, taskId, daysAgo: 20 - n }));
  const running = await addJob({ projectId, taskId, daysAgo: 50, state: 'running' });
  const few = await addJob({ projectId, taskId: other, daysAgo: 30 });
  await removeOldJobs(context);
  assert.equal((await idsOf(params)).length, 12, 'as the task has been counted once more');
  await updateJobCounters(db);
  await removeOldJobs(context);
  assert.deepEqual(new Set(await idsOf(params)), new Set([...ids.slice(-3), running, few]));
  await mia.client.putProject({ params, body: { keepJobs: { days: 0 } } });
  await removeOldJobs(context);
  assert.deepEqual(new Set(await idsOf(params)), new Set([running, few]));
  for (const keepJobs of [{ days: -1 }, { perTask: 0 }, { perTask: 1.5 }, { weeks: 1 }])
    await assert.rejects(mia.client.putProject({ params, body: { keepJobs } as never }), { status: 400 });
  assert.deepEqual((await mia.client.putProject({ params, body: { keepJobs: {} } })).keepJobs, {});
});

test('jobs with long logs go one after the other', async () => {
  const { params, projectId, taskId } = await newTask();
  for (let n = 0; n < 5; n++) await addJob({ projectId, taskId, daysAgo: 100 + n });
  await sql`update job set log_seq = 100000 where task_id = ${taskId}`.execute(db);
  const counts: number[] = [];
  await removeOldJobs(context, {
    report: (_kind, removed) => counts.push(...removed.map(({ count }) => count)),
  });
  assert.deepEqual(counts, [1, 1, 1, 1]);
  assert.equal((await idsOf(params)).length, 1);
});

test('a locked job is skipped, and removed the next time', async () => {
  const { params, projectId, taskId } = await newTask();
  const [first] = [
    await addJob({ projectId, taskId, daysAgo: 100 }),
    await addJob({ projectId, taskId, daysAgo: 99 }),
  ];
  await addJob({ projectId, taskId, daysAgo: 1 });
  await inTransaction(db, async (tx) => {
    await sql`select from job where id = ${first} for update`.execute(tx);
    await removeOldJobs(context);
  });
  assert.equal((await idsOf(params)).length, 2);
  await removeOldJobs(context);
  assert.equal((await idsOf(params)).length, 1);
});

test('a clean-up reports what it removed, by project and data bucket, and beforehand what it would remove', async () => {
  const { params, projectId, bucketId, taskId } = await newTask();
  const path = { projectId, dataBucketId: bucketId };
  const upload = async (key: string, text: string) => {
    const form = new FormData();
    form.append('file', new Blob([text]), key);
    await admin.postProjectDataBucketUpload({ params: path, query: { overwrite: true }, body: form });
  };
  await upload('a.txt', '12345');
  await upload('a.txt', '1234567');
  await upload('b.txt', '123');
  await admin.deleteProjectDataBucketObject({ params: path, query: { key: 'b.txt' } });
  const monthAgo = new Date(Date.now() - 31 * dayMs);
  await db
    .updateTable('object_revision')
    .set({ replaced_at: monthAgo })
    .where('project_id', '=', projectId)
    .execute();
  await db
    .updateTable('trash_entry')
    .set({ deleted_at: monthAgo })
    .where('project_id', '=', projectId)
    .execute();
  for (const daysAgo of [100, 99]) await addJob({ projectId, taskId, daysAgo });
  await allowEnrolment(db, hashSecret(newSecret()), monthAgo);
  const query = { projectId: [projectId] };
  const place = {
    projectId,
    projectName: 'City',
    dataBucketId: bucketId,
    dataBucketName: `default-${projectId}`,
  };
  const before = await admin.getAdminDataBucketCleanup({ query });
  assert.deepEqual(before.items, [{ ...place, removable: { bytes: 8, objects: 2 } }]);

  const { items } = await admin.postAdminCleanup();
  const ownItems = items.filter((item) => item.projectId === projectId);
  assert.deepEqual(
    ownItems
      .map(({ kind, count, bytes, detail }) => ({ kind, count, bytes, detail }))
      .toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
    [
      { kind: 'job', count: 1, bytes: 0, detail: {} },
      {
        kind: 'revision',
        count: 1,
        bytes: 5,
        detail: { dataBuckets: [{ dataBucketId: bucketId, count: 1, bytes: 5 }] },
      },
      {
        kind: 'trash',
        count: 1,
        bytes: 3,
        detail: { dataBuckets: [{ dataBucketId: bucketId, count: 1, bytes: 3 }] },
      },
    ],
  );
  const ofNone = items.find(({ kind }) => kind === 'enrolmentToken');
  assert.deepEqual([ofNone?.count, ofNone?.projectId], [1, undefined]);
  const listed = await admin.getAdminCleanups({ query });
  assert.deepEqual(new Set(listed.items.map(({ _id }) => _id)), new Set(ownItems.map(({ _id }) => _id)));
  const ofKind = await admin.getAdminCleanups({
    query: { kind: ['trash', 'blob'], at: [`${ownItems[0]!.at}/..`] },
  });
  assert.deepEqual(
    ofKind.items.map(({ kind }) => kind),
    ['trash'],
  );
  const after = await admin.getAdminDataBucketCleanup({ query });
  assert.deepEqual(
    after.items.map(({ removable, last }) => ({ removable, bytes: last?.bytes, objects: last?.objects })),
    [{ removable: { bytes: 0, objects: 0 }, bytes: 8, objects: 2 }],
  );
  assert.deepEqual((await admin.postAdminCleanup()).items, [], 'what removed nothing is not told');
  await assert.rejects(admin.getAdminCleanups({ query: { kind: ['dust'] as never } }), { status: 400 });
  void params;
});

test('bytes without a row are reported when they are removed, by the second hourly clean-up that finds them', async () => {
  const id = 'orphan0000000000';
  await context.store.put(id, Readable.from([Buffer.from('no row')]));
  const twoHoursLater = { ...context, now: () => new Date(Date.now() + 7_200_000) };
  const suspects = new Set<string>();
  await cleanUp(twoHoursLater, { suspects });
  const cleanups = await cleanUp(twoHoursLater, { suspects });
  const orphan = cleanups!.find(({ kind }) => kind === 'orphan');
  assert.deepEqual([orphan?.count, orphan?.bytes], [1, 6]);
});

test('while one cleans up no other does, and what fails keeps nothing else from going', async () => {
  const { params, projectId, taskId } = await newTask();
  for (const daysAgo of [100, 99]) await addJob({ projectId, taskId, daysAgo });
  let asked = 0;
  async function* away(): AsyncGenerator<never> {
    asked++;
    await assert.rejects(admin.postAdminCleanup(), { status: 409, code: 'conflict' });
    assert.ok(await moveChanges(db, { mayWait: false }), 'events are told meanwhile');
    yield* [];
    throw new Error('the storage is away');
  }
  const store = { ...context.store, list: away, drafts: { ...context.store.drafts, list: away } };
  await assert.rejects(cleanUp({ ...context, store }, { suspects: new Set() }), /the storage is away/);
  assert.equal(asked, 2, 'before the jobs, and after');
  assert.equal((await idsOf(params)).length, 1);
  const { items } = await admin.getAdminCleanups({ query: { projectId: [projectId] } });
  assert.deepEqual(
    items.map(({ kind, count }) => [kind, count]),
    [['job', 1]],
  );
  await admin.postAdminCleanup(); // the lock is free again
});

test('expired tokens go, and those that are good stay', async () => {
  const { id, client } = await service.user('tim');
  const secret = newSecret();
  await db
    .insertInto('token')
    .values({
      hash: hashSecret(secret),
      id: 'expired',
      user_id: id,
      kind: 'bearer',
      address: '',
      user_agent: '',
      created_at: new Date(0),
      last_seen_at: new Date(0),
      expires_at: new Date(1),
      ends_at: new Date(1),
    })
    .execute();
  await admin.postAdminCleanup();
  const rows = await db.selectFrom('token').select('expires_at').where('user_id', '=', id).execute();
  assert.equal(rows.length, 1);
  await client.getUserWhoami();
});

test('only super users clean up, and only admins see what was', async () => {
  const { token, client } = await service.user('otto');
  await assert.rejects(client.postAdminCleanup(), { status: 403 });
  await assert.rejects(client.getAdminDataBucketCleanup(), { status: 403 });
  const reply = await service.app.inject({
    url: `${apiPrefix}/admin/cleanups`,
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(reply.statusCode, 403);
});

test('a link or a page of a neighbouring site cannot start the clean-up, but a token and our own pages can', async () => {
  const { app, adminToken } = service;
  const visit = async (headers: Record<string, string>) =>
    (await app.inject({ url: `${apiPrefix}/admin/run-data-bucket-cleanup`, headers })).statusCode;
  const cookie = `platen-session=${adminToken}`;
  for (const site of ['same-site', 'none', ''])
    assert.equal(await visit({ cookie, 'sec-fetch-site': site }), 403);
  assert.equal(await visit({ cookie, 'sec-fetch-site': 'same-origin' }), 200);
  assert.equal(await visit({ authorization: `Bearer ${adminToken}` }), 200);
});
