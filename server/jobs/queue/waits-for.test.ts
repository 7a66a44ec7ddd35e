import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { holdJobs } from '../job-operations/testing.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { startService } from '../../testing.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, context } = service;
const { projectId, runner, newJob, hold } = await holdJobs(service);

beforeEach(async () => {
  await context.db.deleteFrom('job').execute();
  await context.db.updateTable('runner').set({ seen_at: context.now() }).execute();
});

const jobOf = (jobId: string) => admin.getProjectJob({ params: { projectId, jobId } });
const waitOf = async (jobId: string) => (await jobOf(jobId)).waitsFor;

async function limitTo(runningJobs: number | null): Promise<void> {
  await context.db
    .updateTable('project')
    .set({ max_running_jobs: runningJobs })
    .where('id', '=', projectId)
    .execute();
}

test('the next job of a project waits for a free runner, others for those before them', async () => {
  const { jobId: first } = await newJob();
  const { jobId: second } = await newJob();
  const { jobId: urgent } = await newJob({ priority: 1 });
  assert.deepEqual(await waitOf(urgent), {
    reason: 'freeRunner',
    message: 'The job is the next of its project.',
  });
  assert.deepEqual(await waitOf(first), {
    reason: 'otherJobs',
    message: 'One job of the project runs before it.',
    jobsBefore: 1,
  });
  assert.equal((await waitOf(second))!.jobsBefore, 2);
  const { jobId } = await hold();
  assert.equal(jobId, urgent);
  assert.equal(await waitOf(urgent), undefined);
  assert.equal((await waitOf(first))!.reason, 'freeRunner');
  const { items } = await admin.getProjectJobs({ params: { projectId } });
  for (const item of items) assert.deepEqual(item.waitsFor, await waitOf(item._id), item.state);
  assert.deepEqual(
    new Set(items.map(({ waitsFor }) => waitsFor?.reason)),
    new Set(['otherJobs', 'freeRunner', undefined]),
  );
});

test('more than a thousand jobs before it are not counted', async () => {
  const { jobId } = await newJob();
  await sql`insert into job (id, project_id, task_id, job_type, type_name, job_version, priority, debug_level, parameters, state,
      created_at, created_by, updated_at, updated_by)
    select concat(id, n), project_id, task_id, job_type, type_name, job_version, 1, debug_level, parameters, state,
      created_at, created_by, updated_at, updated_by
    from job, generate_series(1, 1100) n where id = ${jobId}`.execute(context.db);
  const wait = await waitOf(jobId);
  assert.deepEqual([wait!.jobsBefore, wait!.reason], [1000, 'otherJobs']);
  assert.match(wait!.message, /1000 jobs or more/);
});

test('a job waits for a runner that is online, has its labels and supports its type', async () => {
  const { jobId } = await newJob();
  const { jobId: labelled } = await newJob({ labels: ['gpu'] });
  assert.equal((await waitOf(jobId))!.reason, 'freeRunner');
  assert.deepEqual(await waitOf(labelled), {
    reason: 'noRunnerWithLabels',
    message: 'No online runner has all labels of the job: gpu.',
  });
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const facts = { labels: ['gpu', 'big'], version: '', typeNames: ['ConvertVector'] };
  await service.as().postRunnerEnrol({ body: { enrolmentToken, name: 'other', ...facts } });
  assert.equal((await waitOf(labelled))!.reason, 'noRunnerForType');
  assert.match((await waitOf(labelled))!.message, /platenTilesVector/);
  offsetMs += 61_000; // none of them is heard of any more
  assert.equal((await waitOf(jobId))!.reason, 'noRunner');
  assert.equal((await waitOf(labelled))!.reason, 'noRunner');
  await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  assert.equal((await waitOf(labelled))!.reason, 'noRunnerWithLabels');
});

test('a runner that has been busy for hours is online, because of its heartbeats', async () => {
  await newJob();
  const { jobId } = await newJob();
  const { client, jobId: held } = await hold();
  offsetMs += 10_000;
  await client.postRunnerJobHeartbeat({ params: { jobId: held }, body: { waitMs: 0 } });
  await context.db
    .updateTable('runner')
    .set({ seen_at: new Date(0) })
    .execute();
  assert.equal((await waitOf(jobId))!.reason, 'freeRunner');
});

test('the jobs of a project at its limit wait, with the number of those before them', async () => {
  await limitTo(1);
  try {
    await newJob();
    await newJob();
    const { jobId } = await newJob();
    assert.equal((await waitOf(jobId))!.reason, 'otherJobs');
    await hold();
    assert.deepEqual(await waitOf(jobId), {
      reason: 'projectLimit',
      message: 'The project has reached its limit of concurrent jobs: 1.',
      jobsBefore: 1,
    });
  } finally {
    await limitTo(null);
  }
});

test('a job with a temporary error waits for its retry, a held one for the previous job', async () => {
  const { jobId, taskId } = await newJob();
  const { client } = await hold();
  const body = { code: 'cannotFetch', message: 'No answer.', isTransient: true, warnings: [] };
  await client.postRunnerJobFail({ params: { jobId }, body });
  const { waitsFor, nextAttemptAt } = await jobOf(jobId);
  assert.deepEqual([waitsFor!.reason, waitsFor!.until], ['retry', nextAttemptAt]);
  const next = await admin.postProjectTaskRun({ params: { projectId, taskId } });
  await context.db.updateTable('job').set({ is_held: true }).where('id', '=', next._id).execute();
  assert.deepEqual(await waitOf(next._id), {
    reason: 'previousJob',
    message: 'The previous job of the task has not ended.',
    jobId,
  });
});
