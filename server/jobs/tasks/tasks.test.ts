import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '@platen/contract/tasks';
import { startService } from '../../testing.ts';
import { projectWithCities, putFile, tilingTask } from './testing.ts';

const service = await startService();
const { admin, user, context, adminId } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };

const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
const options = (more: object) => ({
  parameters: {
    datasource: { command: 'create', name: 'Cities' },
    options: {
      input,
      ...more,
    },
  },
});

test('an immediate task has its job at once, with every field as sent', async () => {
  const body = {
    ...tilingTask(bucketId),
    description: 'All cities',
    labels: ['big'],
    tags: { z: 1, a: [2] },
    debugLevel: 1,
    priority: 7,
    jobVersion: '2',
    schedule: { type: 'immediate' as const },
    properties: { b: { a: null } },
  };
  const task = await admin.postProjectTask({ params, body });
  assert.deepEqual(
    Object.fromEntries(Object.keys(body).map((key) => [key, task[key as keyof typeof task]])),
    body,
  );
  const job = await admin.getProjectJob({ params: { projectId, jobId: task.lastJobId! } });
  assert.deepEqual(
    [job.state, job.status, job.taskId, job.attempt, job.labels],
    ['queued', 1, task._id, 0, ['big']],
  );
  assert.deepEqual(job.parameters, body.parameters);
  const { items } = await admin.getProjectJobs({ params, query: { label: ['other', 'big'] } });
  assert.deepEqual(
    items.map(({ _id }) => _id),
    [job._id],
    'several values of a filter mean any of them',
  );
  await admin.deleteProjectTask({ params: { projectId, taskId: task._id } });
});

test('a job type may have any lowercase prefix, and an unknown one is refused with the known ones', async () => {
  const task = await admin.postProjectTask({
    params,
    body: tilingTask(bucketId, { jobType: 'xyTilesVector' }),
  });
  assert.equal(task.jobType, 'xyTilesVector');
  const unknown = admin.postProjectTask({ params, body: tilingTask(bucketId, { jobType: 'platenMagic' }) });
  await assert.rejects(unknown, (error: { status: number; message: string }) => {
    assert.equal(error.status, 422);
    assert.match(error.message, /platenTilesVector/);
    return true;
  });
});

test('a version of a job type that is not installed is refused with the one that is, and kept if it was once', async () => {
  const isRefused = (answer: Promise<unknown>) =>
    assert.rejects(answer, (error: { status: number; message: string; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]?.pointer], [422, '/jobVersion']);
      assert.match(error.message, /Version “9\.9” of platenTilesVector is not installed. Use “2”/);
      return true;
    });
  await isRefused(admin.postProjectTask({ params, body: tilingTask(bucketId, { jobVersion: '9.9' }) }));
  const { _id: taskId } = await admin.postProjectTask({
    params,
    body: tilingTask(bucketId, { jobVersion: '2' }),
  });
  const path = { projectId, taskId };
  await isRefused(admin.putProjectTask({ params: path, body: { jobVersion: '9.9' } }));
  await context.db.updateTable('task').set({ job_version: '1' }).where('id', '=', taskId).execute();
  const changed = await admin.putProjectTask({ params: path, body: { name: 'Renamed' } });
  assert.equal(changed.jobVersion, '1');
  await admin.putProjectTask({ params: path, body: { jobVersion: '' } });
});

test('a misspelt option of a task is accepted, and the task names the nearest one until it is corrected', async () => {
  const misspelt = options({ maxZom: 3, tiling: { minZom: 2 }, input: [{ ...input, encodng: 'utf-8' }] });
  const task = await admin.postProjectTask({ params, body: tilingTask(bucketId, misspelt) });
  const path = { projectId, taskId: task._id };
  const question = (name: string) => `The job type does not know this option. Did you mean ${name}?`;
  const expected = [
    ['/parameters/options/maxZom', 'unknownParameter', question('/parameters/options/tiling/maxZoom')],
    ['/parameters/options/tiling/minZom', 'unknownParameter', question('minZoom')],
    ['/parameters/options/input/0/encodng', 'unknownParameter', question('encoding')],
  ];
  const found = ({ warnings = [] }: Task) =>
    warnings.map(({ pointer, code, detail }) => [pointer, code, detail].join(': '));
  assert.deepEqual(found(task).toSorted(), expected.map((parts) => parts.join(': ')).toSorted());
  assert.deepEqual(await admin.getProjectTask({ params: path }), task);
  const change = { params: path, query: { overwriteParameters: true } };
  const same = await admin.putProjectTask({ ...change, body: task });
  assert.deepEqual([same.revision, same.warnings], [task.revision, task.warnings]);
  const corrected = await admin.putProjectTask({ ...change, body: options({ tiling: { minZoom: 2 } }) });
  assert.deepEqual(corrected.warnings, []);
});

test('unknown parameters become warnings of the jobs, known ones must be valid', async () => {
  const known = options({
    '@type': 'SomeOptions',
    tiling: { minZoom: 2, colour: 'red' },
    output: { prefix: 'tiles', dataBucketId: bucketId },
    magic: true,
  });
  const task = await admin.postProjectTask({ params, body: tilingTask(bucketId, known) });
  const { warnings } = await admin.getProjectJob({ params: { projectId, jobId: task.lastJobId! } });
  assert.deepEqual(
    warnings.map(({ code, count, examples }) => [code, count, examples.map(({ pointer }) => pointer)]),
    [
      ['unknownParameter', 2, ['/parameters/options/tiling/colour', '/parameters/options/magic']],
      ['unknownType', 1, ['/parameters/options/@type']],
    ],
  );
  assert.deepEqual(
    task.warnings?.map(({ pointer }) => pointer),
    ['/parameters/options/tiling/colour', '/parameters/options/magic'],
  );
  for (const [more, pointer] of [
    [{ tiling: { minZoom: 99 } }, '/parameters/options/tiling/minZoom'],
    [{ input: undefined }, '/parameters/options/input'],
    [{ input: [] }, '/parameters/options/input'],
    [{ input: [{ type: 'magic' }] }, '/parameters/options/input/0/type'],
    [{ input: { type: 'internal', dataBucketId: bucketId } }, '/parameters/options/input/dataBucketKey'],
    [{ output: { prefix: '../up' } }, '/parameters/options/output/prefix'],
  ] as const) {
    const refused = admin.postProjectTask({ params, body: tilingTask(bucketId, options(more)) });
    await assert.rejects(refused, (error: { status: number; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]?.pointer], [400, pointer]);
      return true;
    });
  }
});

test('ids in parameters are those of the same project, and are found again when the job starts', async () => {
  const other = await admin.postProject({ body: { name: 'B', description: '', bbox: [0, 0, 1, 1] } });
  const file = {
    projectId: other._id,
    bucketId: other.defaultDataBucketId,
    key: 'cities.geojson',
    by: adminId,
  };
  await putFile(context, file, '{}');
  for (const [more, pointer] of [
    [
      {
        input: { type: 'internal', dataBucketId: other.defaultDataBucketId, dataBucketKey: 'cities.geojson' },
      },
      '/parameters/options/input/dataBucketId',
    ],
    [
      { input: { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'absent.geojson' } },
      '/parameters/options/input/dataBucketKey',
    ],
    [{ input: [{ type: 'datasource', datasourceId: 'none' }] }, '/parameters/options/input/0/datasourceId'],
    [{ input: { type: 'external', url: 'ftp://example.org/a.geojson' } }, '/parameters/options/input/url'],
    [{ output: { dataBucketId: other.defaultDataBucketId } }, '/parameters/options/output/dataBucketId'],
  ] as const) {
    const refused = admin.postProjectTask({ params, body: tilingTask(bucketId, options(more)) });
    await assert.rejects(refused, (error: { status: number; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]?.pointer], [422, pointer]);
      return true;
    });
  }
  const update = tilingTask(bucketId);
  update.parameters.datasource = { command: 'update', datasourceId: 'none' } as never;
  await assert.rejects(admin.postProjectTask({ params, body: update }), {
    status: 422,
    errors: [
      {
        pointer: '/parameters/datasource/datasourceId',
        code: 'unusable_reference',
        detail: 'There is no such datasource in this project.',
      },
    ],
  });
});

test('tasks require the permission of their family, and others do not see their content', async () => {
  const mia = await user('mia');
  await admin.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectMember' } });
  await assert.rejects(mia.client.postProjectTask({ params, body: tilingTask(bucketId) }), { status: 403 });
  const task = await admin.postProjectTask({
    params,
    body: tilingTask(bucketId, { tags: { secret: 1 }, properties: { secret: 1 }, schedule: later }),
  });
  const path = { projectId, taskId: task._id };
  await assert.rejects(mia.client.getProjectTask({ params: path }), { status: 403 });
  await assert.rejects(mia.client.putProjectTask({ params: path, body: { name: 'X' } }), { status: 403 });
  await assert.rejects(mia.client.postProjectTaskRun({ params: path }), { status: 403 });
  await assert.rejects(mia.client.deleteProjectTask({ params: path }), { status: 403 });
  const { items } = await mia.client.getProjectTasks({ params, query: { limit: 100 } });
  const seen = items.find(({ _id }) => _id === task._id)!;
  assert.equal(seen.name, 'Tiles');
  assert.deepEqual([seen.tags, seen.properties, seen.parameters], [undefined, undefined, undefined]);
  const own = await admin.getProjectTasks({ params, query: { limit: 1 } });
  assert.deepEqual([own.items[0]!.tags, own.items[0]!.properties], [{ secret: 1 }, { secret: 1 }]);
});

const later = { type: 'scheduled' as const, scheduled: '2100-01-01T00:00:00.000Z' };

test('a change merges parameters, or replaces them, and a task that is put back as it was starts nothing', async () => {
  const body = tilingTask(bucketId, options({ tiling: { minZoom: 1, maxZoom: 5 } }));
  const task = await admin.postProjectTask({ params, body });
  const path = { projectId, taskId: task._id };
  const merged = await admin.putProjectTask({
    params: path,
    body: { parameters: { options: { tiling: { maxZoom: 8 } } } },
  });
  assert.deepEqual((merged.parameters['options'] as { tiling: object }).tiling, { minZoom: 1, maxZoom: 8 });
  const replaced = admin.putProjectTask({
    params: path,
    query: { overwriteParameters: true },
    body: { parameters: { options: { tiling: { maxZoom: 8 } } } },
  });
  await assert.rejects(replaced, { status: 400 });
  await admin.putProjectTask({ params: path, body: merged });
  const { totalCount } = await admin.getProjectJobs({ params, query: { taskId: [task._id] } });
  assert.equal(totalCount, 1);
});

test('a schedule must be complete and possible', async () => {
  for (const [schedule, pointer] of [
    [{ type: 'scheduled' }, '/schedule/scheduled'],
    [{ type: 'cron' }, '/schedule/cron'],
    [{ type: 'cron', cron: 'every day' }, '/schedule/cron'],
    [{ type: 'cron', cron: '0 0 30 2 *' }, '/schedule/cron'],
    [{ type: 'cron', cron: '0 0 * * *', timezone: 'Mars/Olympus' }, '/schedule/timezone'],
    [{ type: 'immediate', when: 'now' }, '/schedule/when'],
    [{ type: 'never' }, '/schedule/type'],
  ] as const) {
    const refused = admin.postProjectTask({ params, body: tilingTask(bucketId, { schedule }) });
    await assert.rejects(refused, (error: { status: number; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]?.pointer], [400, pointer]);
      return true;
    });
  }
});

test('a past time runs at once, a future one waits, and run starts a job whatever the schedule', async () => {
  const past = { type: 'scheduled', scheduled: '2020-01-01T00:00:00+02:00' };
  const first = await admin.postProjectTask({ params, body: tilingTask(bucketId, { schedule: past }) });
  assert.ok(first.lastJobId);
  assert.equal(first.schedule.scheduled, '2019-12-31T22:00:00.000Z');
  const task = await admin.postProjectTask({ params, body: tilingTask(bucketId, { schedule: later }) });
  assert.deepEqual([task.lastJobId, task.nextRunAt], [undefined, later.scheduled]);
  const job = await admin.postProjectTaskRun({ params: { projectId, taskId: task._id } });
  const after = await admin.getProjectTask({ params: { projectId, taskId: task._id } });
  assert.deepEqual([after.lastJobId, after.nextRunAt], [job._id, later.scheduled]);
  const { items } = await admin.getProjectTasks({ params, query: { limit: 1 } });
  assert.equal(items[0]!.lastJob?.state, 'queued');
});

test('jobs are found by task, state, status, type and time', async () => {
  const task = await admin.postProjectTask({ params, body: tilingTask(bucketId) });
  const count = async (query: object) =>
    (await admin.getProjectJobs({ params, query: { taskId: [task._id], ...query } })).totalCount;
  assert.equal(await count({ state: ['queued'] }), 1);
  assert.equal(await count({ status: [1] }), 1);
  assert.equal(await count({ status: [2, 3] }), 0);
  assert.equal(await count({ jobType: ['platenTilesVector'] }), 1);
  assert.equal(await count({ startTime: ['2000-01-01T00:00:00Z/..'] }), 0);
  assert.equal(await count({ createdAt: ['2000-01-01T00:00:00Z/..'] }), 1);
});

test('a queued job is aborted at once; an ended one can be deleted, and the task then names the previous one', async () => {
  const task = await admin.postProjectTask({ params, body: tilingTask(bucketId) });
  const second = await admin.postProjectTaskRun({ params: { projectId, taskId: task._id } });
  const path = { projectId, jobId: second._id };
  await assert.rejects(admin.deleteProjectJob({ params: path }), { status: 409 });
  const aborted = await admin.putProjectJobAbort({ params: path });
  assert.deepEqual([aborted.state, aborted.status], ['aborted', 5]);
  assert.equal((await admin.putProjectJobAbort({ params: path })).state, 'aborted');
  assert.deepEqual(await admin.deleteProjectJob({ params: path }), { numberOfDeletedItems: 1 });
  await assert.rejects(admin.getProjectJob({ params: path }), { status: 404 });
  const after = await admin.getProjectTask({ params: { projectId, taskId: task._id } });
  assert.equal(after.lastJobId, task.lastJobId);
});

test('the job types contain the JSON Schema of their parameters', async () => {
  const { items } = await admin.getJobTypes();
  assert.ok(items.some(({ jobType }) => jobType === 'platenTilesVector'));
  const { parameters } = await admin.getJobType({ params: { jobType: 'abTilesVector' } });
  assert.equal(parameters['$schema'], 'https://json-schema.org/draft/2020-12/schema');
  const { properties } = parameters as { properties: { options: { properties: object } } };
  assert.deepEqual(Object.keys(properties.options.properties).toSorted(), [
    'input',
    'modelOptions',
    'output',
    'processing',
    'tiling',
  ]);
  await assert.rejects(admin.getJobType({ params: { jobType: 'platenMagic' } }), { status: 404 });
});
