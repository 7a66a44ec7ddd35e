import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSecret, hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../../jobs/runners/enrolment-store.ts';
import { projectWithCities, tilingTask } from '../../jobs/tasks/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, as, context } = service;

async function newProject(name: string) {
  const { projectId, bucketId } = await projectWithCities(service);
  await admin.putProject({ params: { projectId }, body: { name } });
  const params = { projectId };
  const body = tilingTask(bucketId, { name: `Tiles of ${name}`, labels: [name] });
  const task = await admin.postProjectTask({ params, body });
  return { params, projectId, taskId: task._id, jobId: task.lastJobId! };
}

const berlin = await newProject('berlin');
const quito = await newProject('quito');

test('jobs of all projects are listed with the names of these, and who runs them', async () => {
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken), new Date(Date.now() + 60_000));
  const enrolment = { enrolmentToken, name: 'far away', labels: ['quito'], version: '' };
  const { token, runnerId } = await as().postRunnerEnrol({ body: enrolment });
  const { job } = await as(token).postRunnerClaim({ body: { waitSeconds: 0 } });
  assert.equal(job!.jobId, quito.jobId);
  const { items, totalCount } = await admin.getAdminJobs();
  assert.equal(totalCount, 2);
  assert.deepEqual(
    items.map(({ _id, projectId, projectName, state, runner }) => ({
      _id,
      projectId,
      projectName,
      state,
      runner,
    })),
    [
      {
        _id: quito.jobId,
        projectId: quito.projectId,
        projectName: 'quito',
        state: 'running',
        runner: { _id: runnerId, name: 'far away' },
      },
      {
        _id: berlin.jobId,
        projectId: berlin.projectId,
        projectName: 'berlin',
        state: 'queued',
        runner: undefined,
      },
    ],
  );
  const ids = async (query: NonNullable<Parameters<typeof admin.getAdminJobs>[0]>['query']) => {
    const page = await admin.getAdminJobs({ query: { ...query } });
    assert.equal(page.totalCount, page.items.length);
    return page.items.map(({ projectName }) => projectName);
  };
  assert.deepEqual(await ids({ projectId: [berlin.projectId] }), ['berlin']);
  assert.deepEqual(await ids({ projectId: [berlin.projectId, quito.projectId] }), ['quito', 'berlin']);
  assert.deepEqual(await ids({ status: [2] }), ['quito']);
  assert.deepEqual(await ids({ state: ['queued'], projectId: [quito.projectId] }), []);
  assert.deepEqual(await ids({ label: ['berlin'] }), ['berlin']);
  assert.deepEqual(await ids({ jobType: ['platenTilesVector'], orderBy: ['createdAt'], sort: 'asc' }), [
    'berlin',
    'quito',
  ]);
  assert.deepEqual(await ids({ startTime: ['2000-01-01T00:00:00Z/..'] }), ['quito']);
  assert.deepEqual(await ids({ taskId: [berlin.taskId] }), ['berlin']);
  await as(job!.token).postRunnerJobFail({
    params: { jobId: job!.jobId },
    body: { code: 'badData', message: 'Bad', warnings: [] },
  });
  const [ended] = (await admin.getAdminJobs({ query: { errorCode: ['badData'] } })).items;
  assert.deepEqual([ended!._id, ended!.runner], [quito.jobId, undefined]);
});

test('tasks of all projects are listed with their last jobs', async () => {
  const { items, totalCount } = await admin.getAdminTasks();
  assert.equal(totalCount, 2);
  assert.deepEqual(
    items.map(({ _id, projectName, lastJob }) => [_id, projectName, lastJob?._id]),
    [
      [quito.taskId, 'quito', quito.jobId],
      [berlin.taskId, 'berlin', berlin.jobId],
    ],
  );
  const found = await admin.getAdminTasks({ query: { name: ['OF BER'] } });
  assert.deepEqual(
    found.items.map(({ projectName }) => projectName),
    ['berlin'],
  );
  const ofOne = await admin.getAdminTasks({ query: { projectId: [quito.projectId], label: ['quito'] } });
  assert.deepEqual([ofOne.totalCount, ofOne.items[0]!.projectId], [1, quito.projectId]);
  const { projectId, taskId } = quito;
  const putBack = await admin.putProjectTask({ params: { projectId, taskId }, body: ofOne.items[0]! });
  assert.equal(putBack.name, ofOne.items[0]!.name);
});

test('only administrators see the jobs and tasks of all projects', async () => {
  const mia = await service.user('mia');
  await admin.putProjectUser({
    params: { projectId: berlin.projectId, userId: mia.id },
    body: { roleId: 'projectManager' },
  });
  await assert.rejects(mia.client.getAdminJobs(), { status: 403 });
  await assert.rejects(mia.client.getAdminTasks(), { status: 403 });
  await assert.rejects(as().getAdminJobs(), { status: 401 });
});
