import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { maxPhases } from '@platen/contract/max-phases';
import { releaseLost } from '../queue/maintenance.ts';
import { startService } from '../../testing.ts';
import { holdJobs, phase } from './testing.ts';

let offsetMs = 0;
const now = () => new Date(Date.now() + offsetMs);
const service = await startService({ now });
const { admin, context } = service;
const { projectId, newJob, hold } = await holdJobs(service);

beforeEach(() => context.db.deleteFrom('job').execute());

type Path = { projectId: string; jobId: string };
const operationsOf = (params: Path) => admin.getProjectJobOperations({ params });
const statesOf = async (params: Path) =>
  (await operationsOf(params)).map(({ _id, name, state }) => `${_id} ${name} ${state}`);
const stagesOf = async (params: Path) =>
  (await admin.getProjectJob({ params })).stages.map(
    ({ name, endTime }) => `${name} ${endTime === undefined ? 'goes on' : 'ended'}`,
  );

test('phases that ended before they could be reported are operations with their times', async () => {
  const { jobId } = await newJob();
  const { path, reportPhases } = await hold();
  const before = now().getTime();
  await reportPhases([
    phase(1, 'stage', { done: 5, total: 5, unit: 'bytes', startedSecondsAgo: 3, endedSecondsAgo: 2.5 }),
    phase(2, 'read', { done: 7, total: 7, startedSecondsAgo: 2.5, endedSecondsAgo: 1 }),
    phase(3, 'cut', { done: 1, total: 9, startedSecondsAgo: 1 }),
  ]);
  const [stage, read, cut] = await operationsOf(path);
  assert.deepEqual(
    {
      ...stage,
      startTime: '',
      endTime: '',
      createdAt: '',
      updatedAt: '',
      createdBy: '',
      updatedBy: '',
    },
    {
      _id: '1-1',
      jobId,
      attempt: 1,
      number: 1,
      name: 'stage',
      status: 3,
      state: 'succeeded',
      runnerName: 'the runner',
      startTime: '',
      endTime: '',
      createdAt: '',
      updatedAt: '',
      createdBy: '',
      updatedBy: '',
      labels: [],
      tags: {},
      debugLevel: 0,
      operationSetId: '1-1',
      operationSetStage: 'stage',
      operationType: 'stage',
      operationVersion: stage!.operationVersion,
      parameters: {},
      done: 5,
      total: 5,
      unit: 'bytes',
    },
  );
  assert.equal(Date.parse(stage!.endTime!) - Date.parse(stage!.startTime), 500);
  assert.equal(read!.startTime, stage!.endTime);
  assert.ok(Math.abs(Date.parse(cut!.startTime) - (before - 1000)) < 500, cut!.startTime);
  assert.deepEqual([cut!.state, cut!.status, cut!.endTime, cut!.done], ['running', 2, undefined, 1]);
  assert.deepEqual(await stagesOf(path), ['stage ended', 'read ended', 'cut goes on']);
});

test('a repeated or late report creates nothing twice and restarts nothing', async () => {
  await newJob();
  const { path, reportPhases } = await hold();
  const first = [phase(1, 'read', { startedSecondsAgo: 9, done: 1 })];
  await reportPhases(first);
  const [read] = await operationsOf(path);
  await reportPhases([{ ...first[0]!, startedSecondsAgo: 4, done: 2 }]);
  const [again] = await operationsOf(path);
  assert.deepEqual(again, { ...read, done: 2 });
  await reportPhases([phase(2, 'cut')]); // the end of the first was never told
  assert.deepEqual(await statesOf(path), ['1-1 read succeeded', '1-2 cut running']);
  assert.deepEqual(await stagesOf(path), ['read ended', 'cut goes on']);
  const [ended] = await operationsOf(path);
  await reportPhases([
    phase(1, 'read', { endedSecondsAgo: 0, startedSecondsAgo: 3, done: 8 }),
    phase(2, 'cut'),
  ]);
  assert.equal((await operationsOf(path))[0]!.endTime, ended!.endTime);
});

test('an operation ends as its attempt does, and stays when another attempt follows', async () => {
  await newJob();
  const lost = await hold();
  await lost.reportPhases([phase(1, 'read')]);
  offsetMs += 16_000;
  await releaseLost(context);
  assert.deepEqual(await statesOf(lost.path), ['1-1 read aborted']);
  const next = await hold();
  await next.reportPhases([phase(1, 'read', { endedSecondsAgo: 0 }), phase(2, 'cut')]);
  await next.fail();
  assert.deepEqual(await statesOf(next.path), ['1-1 read aborted', '2-1 read succeeded', '2-2 cut failed']);
  assert.deepEqual(await stagesOf(next.path), ['read ended', 'cut ended']);
  const ended = (await operationsOf(next.path)).at(-1)!;
  assert.equal(ended.endTime, (await admin.getProjectJob({ params: next.path })).endTime);
  const ofSecond = await admin.getProjectJobOperations({
    params: next.path,
    query: { attempt: 2, limit: 1, page: 1 },
  });
  assert.deepEqual(
    ofSecond.map(({ _id }) => _id),
    ['2-2'],
  );
});

test('an operation with a temporary error has failed, though the job waits for another attempt', async () => {
  await newJob();
  const { path, reportPhases, client, jobId } = await hold();
  await reportPhases([phase(1, 'stage')]);
  const body = { code: 'cannotFetch', message: 'No answer.', isTransient: true, warnings: [] };
  assert.equal((await client.postRunnerJobFail({ params: { jobId }, body })).state, 'queued');
  assert.deepEqual(await statesOf(path), ['1-1 stage failed']);
});

test('the operation of an aborted job is aborted, and a job without phases has no operations', async () => {
  const { jobId } = await newJob();
  const job = await hold();
  await job.reportPhases([phase(1, 'read')]);
  await admin.putProjectJobAbort({ params: job.path });
  await job.fail();
  assert.deepEqual(await statesOf(job.path), ['1-1 read aborted']);
  await newJob();
  const silent = await hold();
  assert.notEqual(silent.jobId, jobId);
  await silent.fail();
  assert.deepEqual(await operationsOf(silent.path), []);
  assert.deepEqual((await admin.getProjectJob({ params: silent.path })).stages, []);
});

test('the outputs of the last operation are those of the job; other operations have none', async () => {
  await newJob();
  const { path, reportPhases, client, jobId } = await hold();
  await reportPhases([phase(1, 'cut', { endedSecondsAgo: 0 }), phase(2, 'upload')]);
  const params = { jobId };
  const outputs = (operationId: string) =>
    admin.getProjectJobOperationOutputs({ params: { ...path, operationId } });
  const none = { datasourceIds: [] };
  assert.deepEqual(await outputs('1-2'), none);
  for (const key of ['a.pmtiles', 'b.png'])
    await client.putRunnerJobOutput({ params, query: { key }, body: new Blob([key]) });
  const datasource = { type: 'vectortiles', path: 'a.pmtiles', typeProperties: {}, properties: {} };
  await client.postRunnerJobComplete({ params, body: { datasource, warnings: [] } });
  const all = await outputs('1-2');
  const done = await admin.getProjectJob({ params: path });
  assert.deepEqual(all, done.outputs);
  assert.deepEqual([all.dataBucketKey, all.datasourceIds], [done.outputFiles!.folder, [all.datasourceId]]);
  assert.deepEqual((await operationsOf(path)).at(-1)!.outputs, all);
  assert.deepEqual(await outputs('1-1'), none);
  const sets = await admin.getProjectJobOperationSets({ params: path, query: { jobStage: ['upload'] } });
  assert.deepEqual(
    sets.map(({ _id, operations }) => [_id, operations]),
    [['1-2', { upload: ['1-2'] }]],
  );
});

test('ids that name no operation of the job are answered by 404, and those of another project, too', async () => {
  await newJob();
  const { path, reportPhases } = await hold();
  await reportPhases([phase(1, 'read')]);
  const other = await admin.postProject({ body: { name: 'Other', description: '', bbox: [0, 0, 1, 1] } });
  const get = (operationId: string, change: Partial<Path> = {}) =>
    admin.getProjectJobOperation({ params: { ...path, ...change, operationId } });
  assert.equal((await get('1-1')).name, 'read');
  for (const id of [
    '1-2',
    '2-1',
    '0-0',
    '01-1',
    '1-1x',
    '1',
    '-1-1',
    '99999999999-1',
    '1-99999999999',
    '%00',
  ])
    await assert.rejects(get(id), (error: { status: number }) => [400, 404].includes(error.status), id);
  await assert.rejects(get('1-1', { projectId: other._id }), { status: 404 });
  await assert.rejects(get('1-1', { jobId: 'other' }), { status: 404 });
});

test('a runner that reports too many phases, or one twice, is limited and breaks nothing', async () => {
  await newJob();
  const { path, reportPhases, client, jobId } = await hold();
  await reportPhases([phase(1, 'a'), phase(1, 'b')]);
  assert.deepEqual(
    (await operationsOf(path)).map(({ name }) => name),
    ['a'],
  );
  await assert.rejects(reportPhases([phase(maxPhases + 1, 'a')]), { status: 400 });
  await assert.rejects(reportPhases([phase(2, 'a', { done: Number.MAX_VALUE })]), { status: 400 });
  await assert.rejects(reportPhases([phase(2, 'a', { startedSecondsAgo: 1e12 })]), { status: 400 });
  for (let i = 0; i < maxPhases + 5; i++) {
    const progress = { phase: i % 2 ? 'a' : 'b', done: 0, total: 0 };
    await client.postRunnerJobProgress({ params: { jobId }, body: { progress } });
  }
  assert.equal((await admin.getProjectJobOperations({ params: path })).length, maxPhases);
});

test('every report raises the revision of its job, and unreported warnings remain', async () => {
  await newJob();
  const { path, reportPhases, client, jobId } = await hold();
  const warnings = [{ code: 'odd', message: 'Odd', count: 1, examples: [] }];
  const progress = { phase: 'read', done: 1, total: 2 };
  await client.postRunnerJobProgress({ params: { jobId }, body: { progress, warnings } });
  const { revision } = await admin.getProjectJob({ params: path });
  await client.postRunnerJobProgress({ params: { jobId }, body: { progress: { ...progress, done: 2 } } });
  const job = await admin.getProjectJob({ params: path });
  assert.equal(job.revision, revision + 1);
  assert.deepEqual(job.warnings, warnings);
  await reportPhases([phase(1, 'read')]);
  assert.deepEqual((await admin.getProjectJob({ params: path })).warnings, []);
});

test('operations go to the trash with their task and return with it, except those of jobs that had not ended', async () => {
  const { taskId } = await newJob();
  const job = await hold();
  await job.reportPhases([phase(1, 'read', { endedSecondsAgo: 0 }), phase(2, 'cut')]);
  await job.fail();
  await admin.postProjectTaskRun({ params: { projectId, taskId } });
  const unfinished = await hold();
  await unfinished.reportPhases([phase(1, 'read')]);
  await unfinished.client.postRunnerJobRelease({ params: { jobId: unfinished.jobId } });
  assert.equal((await operationsOf(unfinished.path)).length, 1);
  const before = await operationsOf(job.path);
  await admin.deleteProjectTask({ params: { projectId, taskId } });
  const { items } = await admin.getProjectTrash({ params: { projectId }, query: { type: ['task'] } });
  await admin.postProjectTrashItemRestore({ params: { projectId, trashId: items[0]!._id } });
  assert.deepEqual(await operationsOf(job.path), before);
  const left = () => context.db.selectFrom('job_operation').select('name').orderBy('n').execute();
  assert.deepEqual(await left(), [{ name: 'read' }, { name: 'cut' }]);
  await admin.deleteProjectJob({ params: job.path });
  assert.deepEqual(await left(), []);
});

test('lists of operations do not repeat the tags of the job, which an operation has', async () => {
  const tags = { note: 'long '.repeat(1000) };
  await newJob({ tags });
  const { path, reportPhases } = await hold();
  await reportPhases([phase(1, 'read', { endedSecondsAgo: 0 }), phase(2, 'cut')]);
  const sets = await admin.getProjectJobOperationSets({ params: path });
  const lists = [await operationsOf(path), sets];
  for (const list of lists)
    assert.deepEqual(
      list.map((one) => one.tags),
      [{}, {}],
    );
  const one = await admin.getProjectJobOperation({ params: { ...path, operationId: '1-1' } });
  assert.deepEqual(one.tags, tags);
});
