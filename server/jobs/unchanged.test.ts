import assert from 'node:assert/strict';
import { test } from 'node:test';
import { write } from '../files/revisions/testing.ts';
import { startService } from '../testing.ts';
import { enrolledRunner, holdNext, putOutput } from './queue/testing.ts';
import { cities, projectWithCities, tilingTask } from './tasks/testing.ts';
import { startRunner } from './testing-runner.ts';

const service = await startService();
const { admin, app } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const place = { projectId, dataBucketId: bucketId };
const runner = await enrolledRunner(service, 'runner');
const fingerprint = 'a'.repeat(64);

interface Run {
  readonly command: Record<string, string>;
  readonly processing?: Record<string, unknown>;
}

async function queue({ command, processing = {} }: Run): Promise<string> {
  const { parameters } = tilingTask(bucketId);
  const options = { ...parameters.options, processing };
  const body = tilingTask(bucketId, {
    jobType: 'platenConvertVector',
    parameters: { datasource: command, options },
  });
  return (await admin.postProjectTask({ params, body })).lastJobId!;
}

const jobOf = (jobId: string) => admin.getProjectJob({ params: { projectId, jobId } });
const read = (datasourceId: string) => admin.getProjectDatasource({ params: { projectId, datasourceId } });
const lineageOf = (datasourceId: string) =>
  admin.getProjectDatasourceLineage({ params: { projectId, datasourceId } });

/** A job that has made a datasource of a file, and a further one of a folder. */
async function made(run: Run = { command: { command: 'create', name: 'Made' } }) {
  const jobId = await queue(run);
  const held = (await holdNext(service, runner))!;
  for (const key of ['main.fgb', 'more/a', 'more/b']) await putOutput(held, key, `${key} of ${jobId}`);
  const datasource = { type: 'flatgeobuf', path: 'main.fgb', typeProperties: {}, properties: {} };
  const further = { ...datasource, key: 'more', title: 'More', type: 'generic', path: 'more' };
  const body = { datasource, furtherDatasources: [further], fingerprint, warnings: [] };
  await held.client.postRunnerJobComplete({ params: held.params, body });
  const { outputs } = await jobOf(jobId);
  const [primaryId, furtherId] = outputs.datasourceIds;
  return {
    jobId,
    primaryId: primaryId!,
    furtherId: furtherId!,
    former: held.former,
    folder: `.jobs/Tiles-${jobId}/`,
  };
}

/** Claims a job that updates the datasource, and says whether it may keep its data. */
async function claimUpdate(datasourceId: string, processing?: Record<string, unknown>, command = 'update') {
  const jobId = await queue({ command: { command, datasourceId }, ...(processing && { processing }) });
  const held = (await holdNext(service, runner))!;
  assert.equal(held.options['processing'], undefined, 'the option does not concern the job');
  const body = { isUnchanged: true, fingerprint, warnings: [] };
  return { jobId, held, complete: () => held.client.postRunnerJobComplete({ params: held.params, body }) };
}

test('a datasource knows the job type, the options and the inputs that made it, even when the job is deleted', async () => {
  const { jobId, primaryId, furtherId } = await made();
  const { parameters, taskId, jobType, jobVersion } = await jobOf(jobId);
  await admin.deleteProjectJob({ params: { projectId, jobId } });
  const lineage = { jobId, taskId, jobType, jobVersion, parameters, fingerprint };
  assert.deepEqual(await lineageOf(primaryId), lineage);
  assert.deepEqual(await lineageOf(furtherId), lineage);
  const external = { type: 'external' as const, url: 'https://example.org/a.fgb' };
  await admin.putProjectDatasource({
    params: { projectId, datasourceId: primaryId },
    body: { sourceProperties: external },
  });
  await assert.rejects(lineageOf(primaryId), { status: 404 });
  await admin.postProjectDatasourceRevisionRestore({
    params: { projectId, datasourceId: primaryId, revision: '1' },
  });
  assert.deepEqual(await lineageOf(primaryId), lineage);
});

test('an update of the same inputs with the same options keeps the data of all datasources', async () => {
  const { jobId, primaryId, furtherId } = await made();
  const { jobId: updateId, held, complete } = await claimUpdate(primaryId);
  assert.deepEqual(held.former, { fingerprint, files: [] });
  await complete();
  const { state, outputItems, outputFiles } = await jobOf(updateId);
  assert.deepEqual([state, outputFiles], ['succeeded', undefined]);
  assert.deepEqual(outputItems, [
    { type: 'datasource', datasourceId: primaryId, isUnchanged: true },
    { type: 'datasource', datasourceId: furtherId, resultKey: 'more', isUnchanged: true },
  ]);
  const { jobIds, dataRevision } = await read(primaryId);
  assert.deepEqual([jobIds, dataRevision], [[jobId], 1]);
});

test('all is processed again on request, by an overwrite, and after any change of the data', async () => {
  const expectFull = async (datasourceId: string, ...options: [Record<string, unknown>?, string?]) => {
    const { held } = await claimUpdate(datasourceId, ...options);
    assert.equal(held.former, undefined);
    await held.fail({ code: 'failed' });
  };
  const { primaryId, furtherId } = await made();
  await expectFull(primaryId, { update: 'full' });
  await expectFull(primaryId, {}, 'overwrite');
  await admin.deleteProjectDatasource({ params: { projectId, datasourceId: furtherId }, query: {} });
  await expectFull(primaryId);
  const deleted = await made();
  const key = `${deleted.folder}more/b`;
  await admin.deleteProjectDataBucketObject({ params: place, query: { key, force: true } });
  await expectFull(deleted.primaryId);
  const changed = await made();
  await write(admin, place, { [`${changed.folder}more/a`]: 'by hand' });
  await expectFull(changed.primaryId);
  await assert.rejects(lineageOf(changed.furtherId), { status: 404 });
  const again = await made({ command: { command: 'update', datasourceId: changed.primaryId } });
  assert.equal(again.former, undefined);
  assert.equal((await lineageOf(changed.furtherId)).jobId, again.jobId);
});

test('files that were replaced by others of the same number or name are no longer what the job has made', async () => {
  const { primaryId } = await made();
  const { held: unchanged } = await claimUpdate(primaryId);
  assert.deepEqual(unchanged.former, { fingerprint, files: [] });
  await unchanged.fail({ code: 'failed' });
  const remove = (key: string) =>
    admin.deleteProjectDataBucketObject({ params: place, query: { key, force: true } });
  for (const [gone, added] of [
    ['main.fgb', 'main.fgb'],
    ['more/b', 'more/b'],
    ['more/b', 'more/c'],
  ] as const) {
    const other = await made({ command: { command: 'update', datasourceId: primaryId } });
    await remove(other.folder + gone);
    await write(admin, place, { [other.folder + added]: 'by hand' });
    const { held } = await claimUpdate(primaryId);
    assert.equal(held.former, undefined, `${gone}, ${added}`);
    await held.fail({ code: 'failed' });
  }
});

test('a job that would keep data that was changed meanwhile starts again, and processes it', async () => {
  const { primaryId, folder } = await made();
  const { jobId, complete } = await claimUpdate(primaryId);
  await write(admin, place, { [`${folder}main.fgb`]: 'by hand' });
  assert.deepEqual(await complete(), { state: 'queued' });
  const again = (await holdNext(service, runner))!;
  assert.deepEqual([again.jobId, again.attempt, again.former], [jobId, 2, undefined]);
  await again.fail({ code: 'failed' });
});

test('a runner processes a file once, and again when its content changes', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const runners = await startRunner(service);
  const run = async (command: Record<string, string>, processing?: Record<string, string>) => {
    const { parameters } = tilingTask(bucketId);
    const options = { ...parameters.options, ...(processing && { processing }) };
    const body = { ...tilingTask(bucketId), jobType: 'platenConvertVector' };
    const { lastJob } = await admin.postProjectTaskSync({
      params,
      query: { waitSeconds: 30 },
      body: { ...body, parameters: { options, datasource: command } },
    });
    assert.equal(lastJob.state, 'succeeded', lastJob.errorMessage ?? '');
    return lastJob.outputItems.find(({ type }) => type === 'datasource')!;
  };
  try {
    const { datasourceId } = await run({ command: 'create', name: 'Real' });
    const update = { command: 'update', name: 'Real' };
    assert.deepEqual(await run(update), { type: 'datasource', datasourceId, isUnchanged: true });
    await write(admin, place, { 'cities.geojson': cities.replace('Quito', 'Lima') });
    assert.deepEqual(await run(update), { type: 'datasource', datasourceId });
    assert.deepEqual(await run(update), { type: 'datasource', datasourceId, isUnchanged: true });
    assert.equal((await read(datasourceId!)).dataRevision, 2);
    assert.deepEqual(await run(update, { update: 'full' }), { type: 'datasource', datasourceId });
    assert.deepEqual(await run(update), { type: 'datasource', datasourceId, isUnchanged: true });
  } finally {
    await runners.stop();
  }
});
