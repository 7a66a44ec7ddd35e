import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiEndpoints } from '@platen/contract/api';
import type { Endpoint } from '@platen/contract/endpoint';
import { sql } from 'kysely';
import { startSharing } from '../../apps/share-links/testing.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { enrolledRunner, holdNext, multiply, projectOf, queued } from '../../jobs/queue/testing.ts';
import { allowEnrolment } from '../../jobs/runners/enrolment-store.ts';
import { runDueTasks } from '../../jobs/tasks/scheduler.ts';
import { findNextDue } from '../../jobs/tasks/store.ts';
import { cleanUp } from '../retention/clean-up.ts';

const { service, replica, max, ids, newApp, share, setClock, get, openVisit } = await startSharing();
const { admin, adminToken, app, context, user } = service;
const { projectId, shown } = ids;
const params = { projectId };
const guest = await user('guest');
const open = await newApp();
await max.client.putProjectAppPublic({ params: open });
const closed = await newApp();
const toGuest = {
  params: { roleId: 'appGuest', resourceId: closed.appId },
  query: { principalIds: [guest.id] },
};
await admin.putIamRole(toGuest);
const { url: link } = await share({}, closed);
const visit = await openVisit(link);
const { defaultDataBucketId: dataBucketId } = await admin.getProject({ params });
const input = { type: 'internal', dataBucketId, dataBucketKey: 'places.geojson' };
const parameters = { datasource: { command: 'create', name: 'Tiles' }, options: { input } };
const task = { name: 'Tiles', jobType: 'platenTilesVector', parameters };
const daily = { type: 'cron', cron: '0 3 * * *' } as const;
const { _id: dailyId } = await max.client.postProjectTask({ params, body: { ...task, schedule: daily } });
const { lastJobId: jobId } = await max.client.postProjectTask({ params, body: task });

/** The status of everything that can be reached without naming the project, at both replicas. */
async function reach() {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const data = `/data/${shown}/places.geojson`;
  const statuses = async (url: string, headers = {}) =>
    Promise.all([app, replica].map(async (at) => (await get(url, { headers, at })).statusCode));
  return {
    publicApp: await statuses(`/app/${open.appId}/app.config.json`),
    publicData: await statuses(data),
    ofMember: await statuses(data, bearer(max.token)),
    ofGuest: await statuses(data, bearer(guest.token)),
    ofAdmin: await statuses(data, bearer(adminToken)),
    link: await statuses(link),
    visit: await statuses(visit.config),
    visitData: await statuses(visit.data),
    listed: (await guest.client.getProjects()).totalCount + (await max.client.getProjects()).totalCount,
    found: (await admin.getSearch({ query: { text: 'City' } })).items.length,
    foundByGuest: (await guest.client.getSearch({ query: { text: 'Trees' } })).items.length,
  };
}

const before = await reach();

test('nothing in a deleted project can be reached, whoever asks, and nothing in it runs', async () => {
  assert.deepEqual(
    [before.publicApp, before.visitData, before.link],
    [
      [200, 200],
      [200, 200],
      [303, 303],
    ],
  );
  assert.deepEqual([before.listed, before.found, before.foundByGuest], [1, 1, 1]);
  await admin.deleteProject({ params });
  const none = Object.entries(before).map(([name, value]) => [name, Array.isArray(value) ? [404, 404] : 0]);
  assert.deepEqual(await reach(), Object.fromEntries(none));
  const { state } = await context.db
    .selectFrom('job')
    .select('state')
    .where('id', '=', jobId!)
    .executeTakeFirstOrThrow();
  assert.equal(state, 'aborted');
  setClock(2 * 24 * 60);
  assert.equal(await runDueTasks(context), 0);
  assert.equal(await findNextDue(context.db), undefined);
  setClock(0);
});

test('every operation on a deleted project answers that there is none', async () => {
  const paths = Object.values<Endpoint>(apiEndpoints).filter(
    ({ method, path }) => method !== 'OPTIONS' && path.startsWith('/project/:projectId'),
  );
  assert.ok(paths.length > 100);
  const others: unknown[] = [];
  for (const { method, path } of paths) {
    const url = `/api/v1${path.replace(':projectId', projectId).replace(/:\w+/g, 'x')}`;
    const { statusCode } = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${adminToken}` },
    });
    if (statusCode !== 404) others.push([method, path, statusCode]);
  }
  assert.deepEqual(others, []);
  const again = {
    params: { roleId: 'appGuest', resourceId: closed.appId },
    query: { principalIds: [guest.id] },
  };
  await assert.rejects(admin.putIamRole(again), { status: 404 });
});

test('a restored project is as it was, and its due tasks run', async () => {
  const { items } = await admin.getAdminDeletedProjects();
  const [{ _id, deletedAt, removedAt }] = items as [(typeof items)[0]];
  assert.deepEqual([items.length, _id], [1, projectId]);
  assert.equal(Date.parse(removedAt) - Date.parse(deletedAt), context.settings.trashLifetimeMs);
  const path = { params: { deletedProjectId: projectId } };
  await assert.rejects(max.client.postAdminDeletedProjectRestore(path), { status: 403 });
  const restored = await admin.postAdminDeletedProjectRestore(path);
  assert.equal(restored._id, projectId);
  await assert.rejects(admin.postAdminDeletedProjectRestore(path), { status: 404 });
  assert.deepEqual(await reach(), before);
  setClock(2 * 24 * 60);
  assert.equal(await runDueTasks(context), 1);
  const { lastJobId } = await max.client.getProjectTask({ params: { projectId, taskId: dailyId } });
  assert.ok(lastJobId);
  setClock(0);
});

test('slugs of a deleted project are free, and those that were taken come back with a number', async () => {
  const { _id: otherId } = await admin.postProject({
    body: { name: 'Other', description: '', bbox: [0, 0, 1, 1] },
  });
  const make = async (slug: string, at = otherId) => {
    const made = await admin.postProjectApp({ params: { projectId: at }, body: { name: slug, slug } });
    return { projectId: at, appId: made._id };
  };
  const longSlug = 'm'.repeat(60);
  const apps = [];
  for (const slug of ['map', 'map-2', 'old-town', longSlug]) apps.push(await make(slug));
  await assert.rejects(make('map', projectId), { status: 409 });
  await admin.deleteProject({ params: { projectId: otherId } });
  for (const slug of ['map', longSlug]) await make(slug, projectId);
  const path = { params: { deletedProjectId: otherId } };
  const { newAddresses } = await admin.postAdminDeletedProjectRestore(path);
  const expected = ['map-3', 'map-2', 'old-town', `${'m'.repeat(58)}-2`];
  assert.deepEqual(newAddresses, [
    { _id: apps[0]!.appId, name: 'map', formerSlug: 'map', slug: expected[0] },
    { _id: apps[3]!.appId, name: longSlug, formerSlug: longSlug, slug: expected[3] },
  ]);
  const slugs = await Promise.all(apps.map(async (one) => (await admin.getProjectApp({ params: one })).slug));
  assert.deepEqual(slugs, expected);
  await admin.deleteProject({ params: { projectId: otherId } });
  for (let number = 2; number <= 100; number++) await make(`map-3-${number}`, projectId);
  await make('map-3', projectId);
  const again = await admin.postAdminDeletedProjectRestore(path);
  assert.deepEqual(again.newAddresses, [{ _id: apps[0]!.appId, name: 'map', formerSlug: 'map-3' }]);
  await admin.deleteProject({ params: { projectId: otherId } });
  await admin.deleteAdminDeletedProject(path);
});

test('lists of administrators leave out jobs and tasks of deleted projects unless asked for them', async () => {
  const totals = async (query = {}) => {
    const jobs = await admin.getAdminJobs({ query });
    const exact = await admin.getAdminJobs({ query: { ...query, hasRejected: false } });
    const tasks = await admin.getAdminTasks({ query });
    assert.deepEqual([jobs.items.length, exact.totalCount], [jobs.totalCount, jobs.totalCount]);
    return [jobs.totalCount, tasks.totalCount, tasks.items.length];
  };
  const all = await totals();
  assert.ok(all.every((count) => count > 0));
  await admin.deleteProject({ params });
  assert.deepEqual(await totals(), [0, 0, 0]);
  assert.deepEqual(await totals({ projectId: [projectId] }), [0, 0, 0]);
  assert.deepEqual(await totals({ includeDeletedProjects: true }), all);
  await admin.postAdminDeletedProjectRestore({ params: { deletedProjectId: projectId } });
  assert.deepEqual(await totals(), all);
});

test('a project whose last manager is gone comes back with the one who restores it, and grants none meanwhile', async () => {
  const { id: userId } = await service.user('lena');
  const { _id: lonelyId } = await admin.postProject({
    query: { managerId: userId },
    body: { name: 'Lonely', description: '', bbox: [0, 0, 1, 1] },
  });
  const grantsOf = async (principalId: string) =>
    (await admin.getIamResourcePermission({ params: { principalId }, query: {} })).items
      .map(({ resourceId }) => resourceId)
      .filter((id) => id === lonelyId);
  assert.deepEqual(await grantsOf(userId), [lonelyId]);
  await admin.deleteProject({ params: { projectId: lonelyId } });
  assert.deepEqual(await grantsOf(userId), []);
  await admin.deleteUser({ params: { userId } });
  await admin.postAdminDeletedProjectRestore({ params: { deletedProjectId: lonelyId } });
  const { items } = await admin.getProjectUsers({ params: { projectId: lonelyId }, query: {} });
  assert.deepEqual(
    items.map(({ _id, roleId }) => [_id, roleId]),
    [[service.adminId, 'projectManager']],
  );
  await admin.deleteProject({ params: { projectId: lonelyId } });
  await admin.deleteAdminDeletedProject({ params: { deletedProjectId: lonelyId } });
});

test('deleting a project aborts its jobs in one statement, except one that is just ending', async () => {
  const busyId = await projectOf(service, 'Busy');
  const runner = await enrolledRunner(service, 'idle', { typeNames: ['CheckRunner'] });
  await queued(service, busyId);
  const running = (await holdNext(service, runner))!;
  await queued(service, busyId);
  const ending = (await holdNext(service, runner))!;
  const waitingId = await queued(service, busyId);
  await multiply(service, waitingId, 200);
  await inTransaction(context.db, async (tx) => {
    await sql`select from job where id = ${ending.jobId} for update`.execute(tx);
    await admin.deleteProject({ params: { projectId: busyId } });
  });
  const { rows } = await sql`
    select state, abort_requested, count(*)::int as jobs, count(distinct cmin::text)::int as statements from job
    where project_id = ${busyId} group by state, abort_requested order by state, abort_requested`.execute(
    context.db,
  );
  assert.deepEqual(rows, [
    { state: 'aborted', abort_requested: true, jobs: 200, statements: 1 },
    { state: 'running', abort_requested: false, jobs: 1, statements: 1 },
    { state: 'running', abort_requested: true, jobs: 1, statements: 1 },
  ]);
  assert.equal((await running.heartbeat()).abort, true);
  await running.fail({ code: 'aborted' });
  await ending.complete();
  await sql`update job set state = 'queued', abort_requested = false, end_time = null where id = ${waitingId}`.execute(
    context.db,
  );
  assert.equal(await holdNext(service, runner), undefined, 'a job that was queued too late to be aborted');
  const path = { params: { deletedProjectId: busyId } };
  await admin.postAdminDeletedProjectRestore(path);
  assert.equal((await holdNext(service, runner))?.jobId, waitingId);
  await admin.deleteProject({ params: { projectId: busyId } });
  await admin.deleteAdminDeletedProject(path);
});

test('large projects are given time to be removed, each by itself, and prevent no other expiry', async () => {
  const { db, settings } = context;
  const ids: string[] = [];
  for (const name of ['Huge', 'Small', 'Unwanted']) ids.push(await projectOf(service, name));
  const [hugeId, , unwantedId] = ids as [string, string, string];
  for (const id of ids) await admin.deleteProject({ params: { projectId: id } });
  const longAgo = new Date(Date.now() - settings.trashLifetimeMs - 1000);
  await sql`update project set deleted_at = ${longAgo} where id = any(${ids}::text[]) and id <> ${unwantedId}`.execute(
    db,
  );
  await allowEnrolment(db, hashSecret(newSecret()), longAgo);
  await sql`create function expire_slowly() returns trigger language plpgsql as $$ begin
    if old.name = 'Huge' or current_setting('statement_timeout') <> '15min' then
      raise 'The statement would have timed out.';
    end if;
    return old;
  end $$`.execute(db);
  await sql`create trigger slow before delete on project for each row execute function expire_slowly()`.execute(
    db,
  );
  await admin.deleteAdminDeletedProject({ params: { deletedProjectId: unwantedId } });
  await assert.rejects(cleanUp(context, { suspects: new Set() }), /would have timed out/);
  const left = async () =>
    (await sql<{ id: string }>`select id from project where id = any(${ids}::text[])`.execute(db)).rows;
  assert.deepEqual(await left(), [{ id: hugeId }]);
  const { rows: tokens } = await sql`select from enrolment_token where expires_at <= ${longAgo}`.execute(db);
  assert.equal(tokens.length, 0);
  await sql`drop trigger slow on project`.execute(db);
  await cleanUp(context, { suspects: new Set() });
  assert.deepEqual(await left(), []);
});

test('a deleted project is removed for good on request, or when the trash has been kept long enough', async () => {
  const path = { params: { deletedProjectId: projectId } };
  await assert.rejects(admin.deleteAdminDeletedProject(path), { status: 404 });
  const { _id: otherId } = await admin.postProject({
    body: { name: 'B', description: '', bbox: [0, 0, 1, 1] },
  });
  await admin.deleteProject({ params });
  await admin.deleteProject({ params: { projectId: otherId } });
  assert.deepEqual(await admin.deleteAdminDeletedProject(path), { numberOfDeletedItems: 1 });
  const count = () => context.db.selectFrom('project').select('id').execute();
  assert.deepEqual(await count(), [{ id: otherId }]);
  await cleanUp(context, { suspects: new Set() });
  assert.equal((await count()).length, 1);
  setClock(new Date(Date.now() + context.settings.trashLifetimeMs + 1000));
  await cleanUp(context, { suspects: new Set() });
  assert.deepEqual(await count(), []);
});
