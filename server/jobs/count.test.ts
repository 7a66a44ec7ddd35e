import assert from 'node:assert/strict';
import type { RequestFailed } from '@platen/client/client';
import { randomInt, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobStates, type JobState } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { projectWithCities, tilingTask } from './tasks/testing.ts';
import { startService } from '../testing.ts';
import { jobTotal } from './count.ts';
import { updateJobCounters } from './counters.ts';
import { removeProject } from '../testing-projects.ts';

const service = await startService();
const { admin, context } = service;
const { db } = context;
const later = { type: 'scheduled' as const, scheduled: '2100-01-01T00:00:00.000Z' };

async function newProject(tasks: number) {
  const { projectId, bucketId } = await projectWithCities(service);
  const params = { projectId };
  const taskIds: string[] = [];
  for (let n = 0; n < tasks; n++)
    taskIds.push(
      (await admin.postProjectTask({ params, body: { ...tilingTask(bucketId), schedule: later } }))._id,
    );
  return { projectId, taskIds };
}

type TestProject = Awaited<ReturnType<typeof newProject>>;

async function addJobs({ projectId, taskIds }: TestProject, count: number, state: JobState = 'queued') {
  await sql`insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, priority, debug_level,
      parameters, state, created_at, created_by, updated_at, updated_by, end_time)
    select ${randomUUID()} || n, ${projectId}, (${taskIds}::text[])[1 + n % ${taskIds.length}::int],
      (array['platenTilesVector', 'platenConvertVector'])[1 + n % 2], 'X', '', '{}', 0, 0, '{}', ${state},
      now(), 'u', now(), 'u', ${state === 'queued' ? null : sql`now()`}
    from generate_series(1, ${count}::int) n`.execute(db);
}

/** What the counters tell beside what there is, in one statement and so in one moment. */
async function compare(from: Db): Promise<{ counted: number; real: number; name: string }[]> {
  const stateFilters: (JobState[] | undefined)[] = [
    undefined,
    ...jobStates.map((state) => [state]),
    ['queued', 'running'],
    ['running', 'failed'],
    ['queued', 'aborted', 'timedOut'],
  ];
  const all = { projectId: undefined, taskId: undefined, jobType: undefined };
  const one = { jobType: ['platenTilesVector'] };
  const scopes = [all, { ...all, ...one }, ...projects.flatMap((project) => scopesOf(project, one))];
  const parts = scopes.flatMap((scope) =>
    stateFilters.map((states) => {
      const { projectId, taskId, jobType } = scope;
      const is = (column: string, values: string[] | undefined) =>
        values ? sql`${sql.ref(column)} = any(${values}::text[])` : sql`true`;
      return sql`select ${JSON.stringify({ ...scope, states })}::text as name, (${jobTotal({ ...scope, states })}) as counted,
        (select count(*) from job where task_id is not null and ${is('project_id', projectId)}
          and ${is('task_id', taskId)} and ${is('job_type', jobType)} and ${is('state', states)}) as real`;
    }),
  );
  const { rows } = await sql<{ counted: number; real: number; name: string }>`
    ${sql.join(parts, sql` union all `)}`.execute(from);
  return rows;
}

interface Scope {
  readonly projectId: string[] | undefined;
  readonly taskId: string[] | undefined;
  readonly jobType: string[] | undefined;
}

function scopesOf({ projectId, taskIds }: TestProject, one: { jobType: string[] }): Scope[] {
  const whole = { projectId: [projectId], taskId: undefined, jobType: undefined };
  return [
    whole,
    { ...whole, ...one },
    { ...whole, taskId: taskIds.slice(0, 1) },
    { ...whole, taskId: taskIds.slice(0, 2), ...one },
  ];
}

const projects: TestProject[] = [];

async function requireExact(): Promise<number> {
  const rows = await compare(db);
  for (const { counted, real, name } of rows) assert.equal(counted, real, name);
  return rows.reduce((sum, { real }) => sum + real, 0);
}

test('counts are right after each step of the life of jobs, added up or not', async () => {
  const project = await newProject(2);
  projects.push(project);
  const { projectId, taskIds } = project;
  const params = { projectId };
  const steps: (() => Promise<unknown>)[] = [
    () => addJobs(project, 7),
    () => sql`update job set state = 'running' where id in (select id from job limit 3)`.execute(db),
    () => sql`update job set state = 'succeeded', end_time = now() where state = 'running'`.execute(db),
    () => addJobs(project, 5, 'failed'),
    () =>
      sql`update job set state = 'running' where id in (select id from job where state = 'queued' limit 2)`.execute(
        db,
      ),
    () =>
      sql`update job set state = 'queued' where id in (select id from job where state = 'running' limit 1)`.execute(
        db,
      ),
    () => sql`delete from job where id in (select id from job where state = 'failed' limit 2)`.execute(db),
    () => sql`delete from job where id in (select id from job where state = 'queued' limit 1)`.execute(db),
    () => sql`update job set state = 'aborted', end_time = now() where state <> 'succeeded'`.execute(db),
    () => admin.deleteProjectTask({ params: { ...params, taskId: taskIds[0]! } }),
    async () => {
      const [item] = (await admin.getProjectTrash({ params })).items;
      await admin.postProjectTrashItemRestore({ params: { ...params, trashId: item!._id } });
    },
  ];
  for (const step of steps) {
    await step();
    await requireExact();
    if (randomInt(2) === 1) await updateJobCounters(db);
    assert.ok((await requireExact()) > 0);
  }
  const { jobs } = await admin.getProjectSummary({ params });
  const { rows } = await sql<{ count: number }>`select count(*) from job`.execute(db);
  assert.deepEqual([jobs, rows.length > 0], [rows[0]!.count, true]);
  await removeProject(admin, projectId);
  await requireExact();
  await updateJobCounters(db);
  const left = await sql`select from job_count where project_id = ${projectId}
    union all select from job_count_change where project_id = ${projectId}`.execute(db);
  assert.equal(left.rows.length, 0, 'nothing is kept of a project that is gone');
});

test('counts are right at any moment, whatever happens simultaneously', async () => {
  projects.splice(0);
  for (let n = 0; n < 3; n++) projects.push(await newProject(3));
  let isOver = false;
  const repeat = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work();
      await sleep(randomInt(12)); // fewer jobs are counted sooner
    }
  };
  const any = () => projects[randomInt(projects.length)]!;
  const step = (from: string, to: string) => () =>
    inTransaction(db, async (tx) => {
      await sql`update job set state = ${to}, end_time = case when ${to} in ('queued', 'running') then null else now() end
        where id in (select id from job where state = ${from} order by random() limit ${1 + randomInt(5)}
          for update skip locked)`.execute(tx);
      if (randomInt(4) === 0) await sleep(20); // ended, and not yet committed
    });
  /** Its project was replaced in the middle of it. */
  const onlyGone = (error: unknown) => assert.equal((error as RequestFailed).status, 404);
  const removeAndRestore = async () => {
    const { projectId, taskIds } = any();
    const params = { projectId };
    const taskId = taskIds[randomInt(taskIds.length)]!;
    await admin.deleteProjectTask({ params: { ...params, taskId } }).catch(() => {}); // one of its jobs runs
    const { items } = await admin.getProjectTrash({ params });
    for (const { _id: trashId } of items)
      await admin.postProjectTrashItemRestore({ params: { ...params, trashId } });
  };
  const replaceProject = async () => {
    const fresh = await newProject(3);
    const [gone] = projects.splice(0, 1, fresh);
    await removeProject(admin, gone!.projectId);
  };
  const works = [
    repeat(() => addJobs(any(), 1 + randomInt(20)).catch(() => {})), // its project or task is gone
    repeat(step('queued', 'running')),
    repeat(step('running', 'succeeded')),
    repeat(step('running', 'failed')),
    repeat(step('queued', 'aborted')),
    repeat(() =>
      sql`delete from job where id in (select id from job where state not in ('queued', 'running') limit 3
        for update skip locked)`.execute(db),
    ),
    repeat(() => removeAndRestore().catch(onlyGone)),
    repeat(() => updateJobCounters(db)),
    repeat(async () => {
      await replaceProject();
      await sleep(400);
    }),
  ];
  const failure = await (async () => {
    for (let n = 0; n < 25; n++) {
      await requireExact();
      await sleep(randomInt(40));
    }
  })().catch((error: unknown) => error);
  isOver = true;
  await Promise.all(works);
  assert.equal(failure, undefined, String(failure));
  await updateJobCounters(db);
  assert.ok((await requireExact()) > 0);
});

test('a job that ends waits for no other that ends, and a list for none', async () => {
  const project = await newProject(1);
  await addJobs(project, 2);
  const { rows } = await sql<{
    id: string;
  }>`select id from job where project_id = ${project.projectId}`.execute(db);
  const end = (on: Db, id: string) =>
    sql`update job set state = 'succeeded', end_time = now() where id = ${id}`.execute(on);
  await inTransaction(db, async (tx) => {
    await end(tx, rows[0]!.id);
    await updateJobCounters(db);
    await end(db, rows[1]!.id);
    const params = { projectId: project.projectId };
    const { totalCount } = await admin.getProjectJobs({ params, query: { state: ['succeeded'] } });
    assert.equal(totalCount, 1);
  });
});
