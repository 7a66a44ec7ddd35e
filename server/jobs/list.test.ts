import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobListQuery } from '@platen/contract/jobs';
import { sql } from 'kysely';
import { projectWithCities, tilingTask } from './tasks/testing.ts';
import { startService } from '../testing.ts';

const service = await startService();
const { admin, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const schedule = { type: 'scheduled' as const, scheduled: '2100-01-01T00:00:00.000Z' };
const { _id: taskId } = await admin.postProjectTask({ params, body: { ...tilingTask(bucketId), schedule } });
const { _id: otherId } = await admin.postProjectTask({ params, body: { ...tilingTask(bucketId), schedule } });

interface Columns {
  readonly id: string;
  readonly state?: string;
  readonly task?: string | null;
  readonly type?: string;
  readonly labels?: string[];
  readonly errorCode?: string;
  readonly rejected?: number;
  readonly warnings?: string;
  readonly parameterWarnings?: string;
  readonly repeats?: string;
  /** Seconds after midnight. */
  readonly created?: number;
  readonly start?: number;
  readonly end?: number;
}

const at = (seconds: number | undefined) =>
  seconds === undefined ? null : new Date(Date.UTC(2026, 0, 1, 0, 0, 0, seconds * 1000));

async function addJob({ id, task = taskId, created = 0, ...job }: Columns): Promise<void> {
  await sql`insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, priority, debug_level,
      parameters, state, error_code, rejected, warnings, parameter_warnings, repeats, start_time, end_time, created_at,
      created_by, updated_at, updated_by)
    values (${id}, ${projectId}, ${task}, ${job.type ?? 'platenTilesVector'}, '', '', ${job.labels ?? []}, 0, 0, '{}',
      ${job.state ?? 'succeeded'}, ${job.errorCode ?? null}, ${job.rejected ?? 0}, ${job.warnings ?? '[]'},
      ${job.parameterWarnings ?? '[]'}, ${job.repeats ?? null}, ${at(job.start)}, ${at(job.end)}, ${at(created)}, 'u',
      ${at(created)}, 'u')`.execute(context.db);
}

const warning = JSON.stringify([{ code: 'odd', message: 'Odd', count: 1, examples: [] }]);
await addJob({ id: 'a', created: 1, start: 10, end: 20, warnings: warning });
await addJob({
  id: 'b',
  created: 2,
  start: 20.5,
  end: 30,
  state: 'failed',
  errorCode: 'badData',
  labels: ['x', 'y'],
});
await addJob({ id: 'c', created: 3, start: 30, state: 'running', task: otherId, type: 'xyTilesVector' });
await addJob({ id: 'd', created: 4, state: 'queued', task: otherId, labels: ['y'], repeats: 'b' });
await addJob({
  id: 'e',
  created: 5,
  start: 40,
  end: 40,
  state: 'timedOut',
  rejected: 3,
  parameterWarnings: warning,
});
await addJob({ id: 'inspection', created: 6, task: null });

type Query = Partial<JobListQuery>;

async function list(query: Query): Promise<string> {
  const { items, totalCount } = await admin.getProjectJobs({ params, query });
  assert.equal(items.length, totalCount);
  return items.map(({ _id }) => _id).join('');
}

const day = '2026-01-01T00:00:';

test('jobs are filtered by their fields, and inspections are not listed', async () => {
  const expected: [Query, string][] = [
    [{}, 'edcba'],
    [{ taskId: [taskId] }, 'eba'],
    [{ taskId: [taskId, otherId] }, 'edcba'],
    [{ taskId: ['unknown'] }, ''],
    [{ state: ['failed'] }, 'b'],
    [{ state: ['running'] }, 'c'],
    [{ state: ['queued'] }, 'd'],
    [{ state: ['queued', 'running', 'succeeded'] }, 'dca'],
    [{ status: [4, 6] }, 'eb'],
    [{ status: [4, 6], state: ['timedOut', 'queued'] }, 'e'],
    [{ status: [4], state: ['queued'] }, ''],
    [{ jobType: ['xyTilesVector'] }, 'c'],
    [{ jobType: ['platenTilesVector'], state: ['succeeded', 'timedOut'], taskId: [taskId] }, 'ea'],
    [{ label: ['x'] }, 'b'],
    [{ label: ['x', 'y'] }, 'db'],
    [{ labels: ['x'] }, 'b'],
    [{ labels: ['y'], label: ['x'] }, 'db'],
    [{ priority: [0, 1, 2, 3, 50], taskId: ['unknown'] }, ''],
    [{ priority: [1_000_000] }, ''],
    [{ errorCode: ['badData', 'other'] }, 'b'],
    [{ repeats: ['b'] }, 'd'],
    [{ hasWarnings: true }, 'ea'],
    [{ hasWarnings: false }, 'dcb'],
    [{ hasRejected: true }, 'e'],
    [{ hasRejected: false, state: ['failed'] }, 'b'],
    [{ createdAt: [`${day}02.000Z/${day}04.000Z`] }, 'dcb'],
    [{ startTime: [`${day}10.000Z/${day}20.500Z`] }, 'ba'],
    [{ startTime: [`${day}10.000Z/${day}20.499Z`] }, 'a'],
    [{ startTime: [`${day}20.500Z`] }, 'b'],
    [{ startTime: [`${day}20.501Z/..`] }, 'ec'],
    [{ endTime: [`../${day}30.000Z`] }, 'ba'],
    [{ endTime: [`../${day}20.000Z`, `${day}40.000Z`] }, 'ea'],
    [{ endTime: [`${day}25.000Z/..`], state: ['timedOut'] }, 'e'],
    [{ orderBy: ['startTime'], state: ['succeeded', 'failed', 'running'] }, 'abc'],
    [{ orderBy: ['endTime'], sort: 'desc', taskId: [taskId] }, 'eba'],
  ];
  for (const [query, ids] of expected) assert.equal(await list(query), ids, JSON.stringify(query));
});

test('an unknown list parameter is refused by name', async () => {
  for (const [query, name] of [
    [{ hasWarnings: 'perhaps' }, 'hasWarnings'],
    [{ state: ['done'] }, 'state'],
    [{ startTime: ['yesterday'] }, 'startTime'],
    [{ runner: ['x'] }, 'runner'],
  ] as const)
    await assert.rejects(
      admin.getProjectJobs({ params, query: query as never }),
      (error: Error & { status?: number }) => {
        assert.equal(error.status, 400);
        assert.match(error.message, new RegExp(name));
        return true;
      },
    );
});

test('pages of jobs that came at the same time neither repeat nor leave out any', async () => {
  const { projectId: other, bucketId: bucket } = await projectWithCities(service);
  const { _id: task } = await admin.postProjectTask({
    params: { projectId: other },
    body: { ...tilingTask(bucket), schedule },
  });
  await sql`insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, priority, debug_level,
      parameters, state, created_at, created_by, updated_at, updated_by, end_time)
    select md5(n::text), ${other}, ${task}, 'platenTilesVector', '', '', '{}', 0, 0, '{}', 'failed', now(), 'u', now(), 'u', now()
    from generate_series(1, 250) n`.execute(context.db);
  for (const query of [
    {},
    { state: ['failed' as const] },
    { orderBy: ['endTime' as const], sort: 'desc' as const },
  ]) {
    const seen = new Set<string>();
    for (let page = 0; page < 25; page++) {
      const { items, totalCount } = await admin.getProjectJobs({
        params: { projectId: other },
        query: { ...query, page, limit: 10 },
      });
      assert.equal(totalCount, 250);
      for (const { _id } of items) seen.add(_id);
    }
    assert.equal(seen.size, 250);
  }
  const beyond = await admin.getProjectJobs({ params: { projectId: other }, query: { page: 1000 } });
  assert.deepEqual([beyond.items, beyond.totalCount], [[], 250]);
});
