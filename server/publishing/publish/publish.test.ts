import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '@platen/contract/tasks';
import { ftp, s3, sftp, teamOf } from '../credentials/testing.ts';
import { addDatasource } from '../../apps/modules/testing.ts';
import { enrolledRunner, holdNext, projectOf } from '../../jobs/queue/testing.ts';
import { sshKeys } from '../logins/testing.ts';

const team = await teamOf({ settings: { publishFolder: '/srv/maps' } });
const { service, projectId, manager, member } = team;
const { admin, context, as } = service;
const params = { projectId };
const runner = await enrolledRunner(service, 'one');

const datasourceId = await addDatasource(service, projectId);
const credential = async (change: object = {}) =>
  (await manager.postProjectCredential({ params, body: { ...sftp, ...change } as never }))._id;
const app = async (name = 'A') => (await manager.postProjectApp({ params, body: { name } }))._id;

/** Whatever waits is run to its end. */
async function finishAll(): Promise<void> {
  for (let held; (held = await holdNext(service, runner));) await held.complete();
}

const idsOf = async (appId: string) =>
  (await manager.getProjectApp({ params: { projectId, appId } })).publishTaskIds;

test('an app is published by a task that runs at once, and again by the same task', async () => {
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

test('a schedule is for later; without one it runs now and the schedule stays', async () => {
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

test('a datasource is published by members, who see no secret; an app is not', async () => {
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
  assert.deepEqual(await member.deleteProjectDatasourcePublish(path), { numberOfDeletedItems: 1 });
});

test('what belongs to another project is not there, nor is a destination that leads out', async () => {
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

test('a task that is made like any other joins, and leaves as it is changed, deleted and restored', async () => {
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
  assert.deepEqual(await idsOf(other), [], 'its task has gone meanwhile');
});

test('two tasks never publish to the same destination, nor one around the other', async () => {
  const [one, other] = [await app('One'), await app('Other')];
  const credentialsId = await credential();
  const publish = (appId: string, destination: string) =>
    manager.putProjectAppPublish({ params: { projectId, appId }, body: { credentialsId, destination } });
  const first = await publish(one, 'maps/a');
  for (const destination of ['maps/a', 'maps', 'maps/a/b', ''])
    await assert.rejects(publish(other, destination), { status: 409, message: /“Publish “One””.*“maps\/a”/ });
  await publish(other, 'maps/ab');
  await finishAll();
  await manager.deleteProjectAppPublish({ params: { projectId, appId: one }, query: { taskId: first._id } });
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

test('jobs of one task wait for each other, and those of credentials that lead to the same place as well', async () => {
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

test('where a login leads is around the folders below it', async () => {
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

test('what is gone when a job starts ends it with words', async () => {
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

test('only who holds the job is told where it goes and what opens it, while it runs', async () => {
  const appId = await app();
  const { privateKey } = sshKeys.openSsh;
  const places = [
    [
      { ...sftp, hostKey: `SHA256:${'A'.repeat(43)}`, privateKey },
      'maps',
      {
        folder: '/var/www/maps',
        host: sftp.host,
        port: 22,
        username: 'web',
        password: sftp.password,
        privateKey,
        hostKey: `SHA256:${'A'.repeat(43)}`,
      },
    ],
    [
      { ...ftp, folder: '/' },
      'maps',
      { folder: '/maps', host: ftp.host, port: 21, username: 'old', password: ftp.password, isSecure: true },
    ],
    [
      s3,
      '',
      {
        endpoint: s3.endpoint,
        region: s3.region,
        bucket: 'maps',
        isPathStyle: true,
        accessKeyId: 'AKIA1',
        secretAccessKey: s3.secretAccessKey,
        prefix: 'town/',
      },
    ],
    [
      { ...s3, endpoint: undefined, prefix: undefined, sessionToken: 't' },
      '',
      {
        region: s3.region,
        bucket: 'maps',
        isPathStyle: false,
        accessKeyId: 'AKIA1',
        secretAccessKey: s3.secretAccessKey,
        sessionToken: 't',
        prefix: '',
      },
    ],
    [{ name: 'Disk', type: 'fs', folder: 'town' }, 'a/b', { folder: 'town/a/b' }],
  ] as const;
  for (const [body, destination, expected] of places) {
    const { _id: credentialsId } = await manager.postProjectCredential({ params, body: body as never });
    await manager.putProjectAppPublish({
      params: { projectId, appId },
      body: { credentialsId, destination, gzip: true },
    });
    const held = (await holdNext(service, runner))!;
    const target = await held.client.getRunnerJobTarget({ params: held.params });
    assert.deepEqual(target, { target: { type: body.type, ...expected }, numThreads: 4, gzip: true });
    assert.doesNotMatch(JSON.stringify(held), /password|secret|PRIVATE/);
    await assert.rejects(runner.getRunnerJobTarget({ params: held.params }), { status: 401 });
    await assert.rejects(manager.getRunnerJobTarget({ params: held.params }), { status: 401 });
    await assert.rejects(held.client.getRunnerJobTarget({ params: { jobId: 'other' } }), { status: 401 });
    await held.complete();
    await assert.rejects(held.client.getRunnerJobTarget({ params: held.params }), { status: 401 });
  }
  await manager.postProjectTask({
    params: { projectId },
    body: { name: 'I', jobType: 'platenCheckRunner', parameters: { options: {} } },
  });
  const other = (await holdNext(service, runner))!;
  await assert.rejects(other.client.getRunnerJobTarget({ params: other.params }), { status: 404 });
  await other.complete();
  assert.ok(as);
});
