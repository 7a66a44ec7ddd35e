import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '@platen/contract/tasks';
import { ftp, sftp, teamOf } from '../credentials/testing.ts';
import { addDatasource } from '../../apps/modules/testing.ts';
import { enrolledRunner, holdNext, projectOf } from '../../jobs/queue/testing.ts';

const { service, projectId, manager, member } = await teamOf({ settings: { publishFolder: '/srv/maps' } });
const { admin, context } = service;
const params = { projectId };
const runner = await enrolledRunner(service, 'one');

const datasourceId = await addDatasource(service, projectId);
const credential = async (change: object = {}) =>
  (await manager.postProjectCredential({ params, body: { ...sftp, ...change } as never }))._id;
const app = async (name = 'A') => (await manager.postProjectApp({ params, body: { name } }))._id;

/** Completes all queued jobs. */
async function finishAll(): Promise<void> {
  for (let held; (held = await holdNext(service, runner));) await held.complete();
}

const idsOf = async (appId: string) =>
  (await manager.getProjectApp({ params: { projectId, appId } })).publishTaskIds;

test('an app is published by a task that runs at once, and published again by the same task', async () => {
  const appId = await app('City “Ä”');
  const path = { params: { projectId, appId } };
  const credentialsId = await credential();
  const task = await manager.putProjectAppPublish({
    ...path,
    body: { credentialsId, destination: '/maps/' },
  });
  assert.deepEqual([task.jobType, task.name], ['platenPublishApp', 'Publish “City “Ä””']);
  assert.deepEqual(task.parameters, { options: { appId, credentialsId, destination: 'maps' } });
  assert.deepEqual(await idsOf(appId), [task._id]);
  const held = (await holdNext(service, runner))!;
  assert.deepEqual(held.options, { appId, credentialsId, destination: 'maps', numThreads: 4, gzip: false });
  await held.complete();

  const body = { credentialsId, destination: 'maps', gzip: true, numThreads: 8 };
  const again = await manager.putProjectAppPublish({ ...path, body });
  assert.equal(again._id, task._id);
  assert.notEqual(again.lastJobId, task.lastJobId);
  assert.equal((await manager.getProjectTasks({ params })).totalCount, 1);
  const { items } = await manager.getProjectAppPublish(path);
  assert.deepEqual(
    items.map(({ _id, lastJob }) => [_id, lastJob?._id]),
    [[task._id, again.lastJobId]],
  );
  const next = (await holdNext(service, runner))!;
  assert.deepEqual([next.options['gzip'], next.options['numThreads']], [true, 8]);
  await next.complete();

  const other = await manager.putProjectAppPublish({ ...path, body: { credentialsId, destination: 'old' } });
  assert.deepEqual(await idsOf(appId), [task._id, other._id].toSorted());
  await finishAll();
});

test('a publication is cancelled, its task is kept, and the latest or the given one is returned', async () => {
  const appId = await app('Cancelled');
  const path = { params: { projectId, appId } };
  const credentialsId = await credential();
  const body = { credentialsId, destination: 'c', lib: false, plugins: false };
  const first = await manager.putProjectAppPublish({ ...path, body });
  const second = await manager.putProjectAppPublish({ ...path, body: { credentialsId, destination: 'd' } });
  const latest = await manager.getProjectAppPublish(path);
  assert.deepEqual([latest.task?._id, latest.job?._id], [second._id, second.lastJobId]);
  const given = await manager.getProjectAppPublish({ ...path, query: { taskId: first._id } });
  assert.deepEqual([given.task?._id, given.job?.state], [first._id, 'queued']);
  for (const call of [manager.getProjectAppPublish, manager.deleteProjectAppPublish])
    await assert.rejects(call({ ...path, query: { taskId: 'none' } }), { status: 404 });
  const held = (await holdNext(service, runner))!;
  await manager.deleteProjectAppPublish({ ...path, query: { taskId: first._id } });
  assert.deepEqual((await held.heartbeat()).abort, true);
  assert.equal((await manager.getProjectAppPublish(path)).job?.state, 'queued');
  await manager.deleteProjectAppPublish(path);
  await manager.deleteProjectAppPublish(path); // again: there is nothing left to cancel
  assert.equal((await manager.getProjectAppPublish(path)).job?.state, 'aborted');
  assert.equal((await idsOf(appId)).length, 2);
  await held.fail({ code: 'aborted' });
});

test('a schedule publishes later; without one the task runs now and keeps its schedule', async () => {
  const appId = await app();
  const path = { params: { projectId, appId } };
  const credentialsId = await credential();
  const schedule = { type: 'cron' as const, cron: '0 4 * * *' };
  const task = await manager.putProjectAppPublish({ ...path, body: { credentialsId, schedule } });
  assert.deepEqual([task.lastJobId, task.schedule.cron], [undefined, '0 4 * * *']);
  const same = await manager.putProjectAppPublish({ ...path, body: { credentialsId, schedule } });
  assert.deepEqual([same._id, same.lastJobId], [task._id, undefined]);
  const now = await manager.putProjectAppPublish({ ...path, body: { credentialsId } });
  assert.deepEqual([now._id, now.schedule.cron, typeof now.lastJobId], [task._id, '0 4 * * *', 'string']);
  const once = await manager.putProjectAppPublish({
    ...path,
    body: { credentialsId, schedule: { type: 'immediate' } },
  });
  assert.deepEqual([once.schedule.type, once.lastJobId === now.lastJobId], ['immediate', false]);
  const jobs = await manager.getProjectJobs({ params, query: { taskId: [task._id] } });
  assert.equal(jobs.totalCount, 2);
  await finishAll();
});

test('members may publish a datasource without seeing secrets, but not an app', async () => {
  const path = { params: { projectId, datasourceId } };
  const credentialsId = await credential();
  const task = await member.putProjectDatasourcePublish({ ...path, body: { credentialsId } });
  const { publishTaskIds } = await member.getProjectDatasource(path);
  assert.deepEqual(publishTaskIds, [task._id]);
  assert.equal((await member.getProjectDatasourcePublish(path)).items.length, 1);
  await assert.rejects(
    member.putProjectAppPublish({ params: { projectId, appId: await app() }, body: { credentialsId } }),
    { status: 403 },
  );
  await finishAll();
  assert.deepEqual(await member.deleteProjectDatasourcePublishTasks(path), { numberOfDeletedItems: 1 });
});

test('credentials of another project and destinations outside the folder are refused', async () => {
  const appId = await app();
  const path = { params: { projectId, appId } };
  const elsewhere = { projectId: await projectOf(service, 'Elsewhere') };
  const { _id: foreign } = await admin.postProjectCredential({ params: elsewhere, body: ftp });
  const credentialsId = await credential();
  const refused =
    (status: number, pointer: string) => (error: { status?: number; errors?: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors?.[0]?.pointer], [status, pointer]);
      return true;
    };
  for (const id of [foreign, 'nowhere'])
    await assert.rejects(
      manager.putProjectAppPublish({ ...path, body: { credentialsId: id } }),
      refused(422, '/credentialsId'),
    );
  for (const destination of ['../x', 'a/../b', 'a//b', 'a\\b', 'a\nb'])
    await assert.rejects(
      manager.putProjectAppPublish({ ...path, body: { credentialsId, destination } }),
      refused(400, '/destination'),
    );
  const task = (options: object, jobType = 'platenPublishApp') =>
    manager.postProjectTask({ params, body: { name: 'T', jobType, parameters: { options } } });
  const base = '/parameters/options';
  await assert.rejects(task({ appId, credentialsId: foreign }), refused(422, `${base}/credentialsId`));
  await assert.rejects(task({ appId: 'x', credentialsId }), refused(422, `${base}/appId`));
  await assert.rejects(task({ credentialsId }), refused(400, `${base}/appId`));
  await assert.rejects(task({ appId }), refused(400, `${base}/credentialsId`));
  await assert.rejects(
    task({ appId, credentialsId, destination: '../x' }),
    refused(400, `${base}/destination`),
  );
  await assert.rejects(task({ appId, credentialsId, password: 'x' }), refused(400, `${base}/password`));
  await assert.rejects(
    task({ datasourceId: appId, credentialsId }, 'platenPublishDatasource'),
    refused(422, `${base}/datasourceId`),
  );
  assert.deepEqual(await idsOf(appId), []);
});

test('a publishing task that is created directly belongs to its app until it is changed or deleted, and again when restored', async () => {
  const [appId, other] = [await app(), await app()];
  const credentialsId = await credential();
  const parameters = { options: { appId, credentialsId, destination: 'a' } };
  const schedule = { type: 'scheduled' as const, scheduled: '2099-01-01T00:00:00Z' };
  const body = { name: 'T', jobType: 'xyPublishApp', parameters, schedule };
  const { _id: taskId } = await manager.postProjectTask({ params, body });
  assert.deepEqual(await idsOf(appId), [taskId]);
  const path = { params: { projectId, taskId } };
  await manager.putProjectTask({ ...path, body: { parameters: { options: { appId: other } } } });
  assert.deepEqual([await idsOf(appId), await idsOf(other)], [[], [taskId]]);
  await manager.deleteProjectTask(path);
  assert.deepEqual(await idsOf(other), []);
  const { items } = await manager.getProjectTrash({ params, query: { type: ['task'], name: ['T'] } });
  await manager.postProjectTrashItemRestore({ params: { projectId, trashId: items[0]!._id } });
  assert.deepEqual(await idsOf(other), [taskId]);

  const ofApp = { params: { projectId, appId: other } };
  await manager.deleteProjectApp(ofApp); // needs no force
  await manager.deleteProjectTask(path);
  const trash = await manager.getProjectTrash({ params, query: { type: ['app'] } });
  await manager.postProjectTrashItemRestore({ params: { projectId, trashId: trash.items[0]!._id } });
  assert.deepEqual(await idsOf(other), [], 'its task was deleted meanwhile');
});

test('two tasks never publish to the same destination, nor to one inside the other', async () => {
  const [one, other] = [await app('One'), await app('Other')];
  const credentialsId = await credential();
  const publish = (appId: string, destination: string) =>
    manager.putProjectAppPublish({ params: { projectId, appId }, body: { credentialsId, destination } });
  const first = await publish(one, 'maps/a');
  for (const destination of ['maps/a', 'maps', 'maps/a/b', ''])
    await assert.rejects(publish(other, destination), { status: 409, message: /“Publish “One””.*“maps\/a”/ });
  await publish(other, 'maps/ab');
  await finishAll();
  await manager.deleteProjectAppPublishTasks({
    params: { projectId, appId: one },
    query: { taskId: first._id },
  });
  await publish(other, 'maps/a');
  const { items } = await manager.getProjectTrash({ params, query: { type: ['task'], name: ['One'] } });
  await assert.rejects(
    manager.postProjectTrashItemRestore({ params: { projectId, trashId: items[0]!._id } }),
    {
      status: 409,
    },
  );
  await finishAll();
});

test('jobs of one task wait for each other, and so do jobs of credentials for the same destination', async () => {
  const appId = await app();
  const credentialsId = await credential({ host: 'shared.example.org' });
  const path = { params: { projectId, appId } };
  const task = await manager.putProjectAppPublish({ ...path, body: { credentialsId, destination: 'a' } });
  const running = (await holdNext(service, runner))!;
  const second = await manager.putProjectAppPublish({ ...path, body: { credentialsId, destination: 'a' } });
  const job = (jobId: string) => admin.getProjectJob({ params: { projectId, jobId } });
  assert.equal((await job(second.lastJobId!)).isHeld, true);
  assert.equal(await holdNext(service, runner), undefined);

  const elsewhere = { projectId: await projectOf(service, 'Neighbour') };
  const body = { ...sftp, host: 'SHARED.example.org', folder: '/var' };
  const { _id: theirs } = await admin.postProjectCredential({ params: elsewhere, body });
  const { _id: theirApp } = await admin.postProjectApp({ params: elsewhere, body: { name: 'B' } });
  const neighbour = await admin.putProjectAppPublish({
    params: { ...elsewhere, appId: theirApp },
    body: { credentialsId: theirs, destination: 'www/a/b' },
  });
  assert.equal(await holdNext(service, runner), undefined);
  const waiting = await admin.getProjectJob({ params: { ...elsewhere, jobId: neighbour.lastJobId! } });
  assert.deepEqual([waiting.state, waiting.failures, waiting.waitsFor?.reason], ['queued', 0, 'destination']);

  await running.complete();
  assert.equal((await job(task.lastJobId!)).state, 'succeeded');
  const held = (await holdNext(service, runner))!;
  assert.equal(held.jobId, second.lastJobId);
  await held.complete();
  await context.db
    .updateTable('job')
    .set({ not_before: null })
    .where('id', '=', neighbour.lastJobId!)
    .execute();
  const last = (await holdNext(service, runner))!;
  assert.equal(last.jobId, neighbour.lastJobId);
  await last.complete();
  const { items } = await admin.getProjectJobLog({ params: { ...elsewhere, jobId: neighbour.lastJobId! } });
  assert.equal(items.filter(({ message }) => message.includes('same destination')).length, 1);
});

test('the home folder of a login contains the folders below it', async () => {
  const host = 'home.example.org';
  const wanted = [await credential({ host, folder: '' }), await credential({ host, folder: 'maps' })];
  for (const credentialsId of wanted)
    await manager.putProjectAppPublish({
      params: { projectId, appId: await app() },
      body: { credentialsId },
    });
  const running = (await holdNext(service, runner))!;
  assert.equal(running.options['credentialsId'], wanted[0]);
  assert.equal((await holdNext(service, runner))?.jobId, undefined);
  await running.complete();
  await context.db.updateTable('job').set({ not_before: null }).where('state', '=', 'queued').execute();
  await finishAll();
});

test('a job whose credentials or app are gone when it starts fails with a reason', async () => {
  const appId = await app();
  const credentialsId = await credential();
  const publish = () =>
    manager.putProjectAppPublish({ params: { projectId, appId }, body: { credentialsId } });
  const ended = async ({ lastJobId }: Task) => {
    assert.equal(await holdNext(service, runner), undefined);
    const job = await admin.getProjectJob({ params: { projectId, jobId: lastJobId! } });
    return [job.errorCode, job.errorMessage];
  };
  const first = await publish();
  const ofCredential = { params: { projectId, credentialId: credentialsId } };
  await assert.rejects(manager.deleteProjectCredential(ofCredential), {
    status: 409,
    message: /the task “Publish/,
  });
  const uses = await member.getProjectCredentialUsedBy(ofCredential);
  assert.deepEqual(
    uses.items.map(({ _id, role, blocks }) => [_id, role, blocks]),
    [[first._id, 'publish', true]],
  );
  await manager.deleteProjectCredential({ ...ofCredential, query: { force: true } });
  assert.deepEqual(await ended(first), [
    'cannotStart',
    '/parameters/options/credentialsId: There are no such credentials in this project.',
  ]);
  const { items } = await manager.getProjectTrash({ params, query: { type: ['credential'] } });
  await manager.postProjectTrashItemRestore({ params: { projectId, trashId: items[0]!._id } });
  const second = await publish();
  assert.equal(second._id, first._id);
  const used = await member.getProjectAppUsedBy({ params: { projectId, appId } });
  assert.deepEqual(
    used.items.map(({ _id, role, blocks }) => [_id, role, blocks]),
    [[first._id, 'publish', false]],
  );
  await manager.deleteProjectApp({ params: { projectId, appId } });
  assert.deepEqual(await ended(second), [
    'cannotStart',
    '/parameters/options/appId: There is no such app in this project.',
  ]);
});
