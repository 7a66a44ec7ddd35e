import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { startService } from '../../testing.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';
import { countRows, enrolledRunner, holdNext, putOutput, queued, tilesResult } from './testing.ts';

const service = await startService();
const { admin, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const runner = await enrolledRunner(service, 'first');

beforeEach(() => context.db.deleteFrom('job').execute());

const newJob = (change: Record<string, unknown> = {}) =>
  queued(service, projectId, tilingTask(bucketId, change));
const hold = async () => (await holdNext(service, runner))!;
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

test('completion turns outputs into files and the result into a datasource, atomically and only once', async () => {
  await newJob();
  const job = await hold();
  const text = await (await job.client.getRunnerJobInput({ params: { ...job.params, index: '0' } })).text();
  assert.match(text, /Quito/);
  await putOutput(job, 'a.pmtiles', 'first');
  await putOutput(job, 'a.pmtiles', 'again');
  const path = { projectId, dataBucketId: bucketId };
  const key = `.jobs/Tiles-${job.jobId}/a.pmtiles`;
  const file = { params: path, query: { key } };
  await assert.rejects(admin.getProjectDataBucketObject(file), { status: 404 });
  assert.deepEqual(await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult }), {
    state: 'succeeded',
  });
  assert.equal(await (await admin.getProjectDataBucketDownloadFile(file)).text(), 'again');
  const done = await admin.getProjectJob({ params: { projectId, jobId: job.jobId } });
  const datasourceId = done.outputItems[1]!.datasourceId!;
  assert.deepEqual(done.outputItems, [
    { type: 'object', dataBucketId: bucketId, dataBucketKey: key, size: 5, sha256: sha256Of('again') },
    { type: 'datasource', datasourceId },
  ]);
  const row = await context.db
    .selectFrom('datasource')
    .selectAll()
    .where('id', '=', datasourceId)
    .executeTakeFirstOrThrow();
  assert.deepEqual(
    [row.name, row.type, row.bucket_key, row.job_ids, row.bbox, row.type_properties, row.properties],
    ['Cities', 'vectortiles', key, [job.jobId], [0, 0, 1, 1], { a: 1 }, { count: 2 }],
  );
  assert.equal(await countRows(service, 'job_output'), 0);
  await assert.rejects(job.client.postRunnerJobComplete({ params: job.params, body: tilesResult }), {
    status: 401,
  });
});

test('files of a job lie below .jobs/ under the name of its task, and are listed only on request', async () => {
  const params = { projectId, dataBucketId: bucketId };
  const list = async (query: { prefix?: string; includeJobs?: boolean; delimiter?: '/' }) => {
    const { items } = await admin.getProjectDataBucketObjects({ params, query });
    return items.map(({ key }) => key);
  };
  const name = `Bäume & Laternen/2024 .. 東京 ${'x'.repeat(100)}`;
  await newJob({ name });
  const job = await hold();
  await putOutput(job, 'a.pmtiles', 'x');
  await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult });
  const { outputFiles } = await admin.getProjectJob({ params: { projectId, jobId: job.jobId } });
  const folder = `.jobs/Bäume-Laternen-2024-東京-${'x'.repeat(37)}-${job.jobId}/`;
  assert.equal(outputFiles!.folder, folder);
  assert.deepEqual(await list({ prefix: folder }), [`${folder}a.pmtiles`]);
  assert.deepEqual(await list({}), ['cities.geojson']);
  assert.deepEqual(await list({ delimiter: '/' }), ['cities.geojson']);
  assert.deepEqual(await list({ delimiter: '/', includeJobs: true }), ['.jobs/', 'cities.geojson']);
});

test('an update keeps the ID and the other properties of a datasource, an overwrite only the ID', async () => {
  const { id } = await context.db.selectFrom('datasource').select('id').executeTakeFirstOrThrow();
  const run = async (command: string, typeProperties: object) => {
    const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
    await newJob({ parameters: { datasource: { command, datasourceId: id }, options: { input } } });
    const job = await hold();
    await putOutput(job, 'a.pmtiles', command);
    const body = {
      ...tilesResult,
      datasource: { ...tilesResult.datasource, typeProperties: { ...typeProperties } },
    };
    await job.client.postRunnerJobComplete({ params: job.params, body });
    const row = await context.db
      .selectFrom('datasource')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(row.bucket_key, `.jobs/Tiles-${job.jobId}/a.pmtiles`);
    assert.equal(row.job_ids.at(-1), job.jobId);
    return row.type_properties;
  };
  assert.deepEqual(await run('update', { b: 2 }), { a: 1, b: 2 });
  assert.deepEqual(await run('overwrite', { c: 3 }), { c: 3 });
});

test('a datasource names the hundred latest jobs that made it', async () => {
  const former = Array.from({ length: 100 }, (_, n) => `job ${n}`);
  const { id } = await context.db
    .updateTable('datasource')
    .set({ job_ids: former })
    .returning('id')
    .executeTakeFirstOrThrow();
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
  const datasource = { command: 'overwrite', datasourceId: id };
  await newJob({ parameters: { datasource, options: { input } } });
  const job = await hold();
  await putOutput(job, 'a.pmtiles', 'x');
  await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult });
  const { jobIds } = await admin.getProjectDatasource({ params: { projectId, datasourceId: id } });
  assert.deepEqual(jobIds, [...former.slice(1), job.jobId]);
});

test('a result that cannot become a datasource fails the job without any effects', async () => {
  const jobId = await newJob();
  const job = await hold();
  await putOutput(job, 'other.pmtiles', 'x');
  assert.deepEqual(await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult }), {
    state: 'failed',
  });
  const failed = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.match(failed.errorMessage!, /“a\.pmtiles”/);
  const query = { prefix: `.jobs/Tiles-${jobId}/` };
  const { totalCount } = await admin.getProjectDataBucketObjects({
    params: { projectId, dataBucketId: bucketId },
    query,
  });
  assert.equal(totalCount, 0);
});

test('a file whose key would be too long fails the job, and nothing is stored', async () => {
  const prefix = Array.from({ length: 4 }, () => 'f'.repeat(224)).join('/');
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
  const datasource = { command: 'create', name: 'Cities' };
  const jobId = await newJob({ parameters: { datasource, options: { input, output: { prefix } } } });
  const job = await hold();
  await putOutput(job, 'a.pmtiles', 'x');
  const name = 'n'.repeat(125);
  await putOutput(job, name, 'x'); // 899 bytes of the prefix, a slash, 125 of the name: one too many
  assert.deepEqual(await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult }), {
    state: 'failed',
  });
  const failed = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.equal(failed.errorCode, 'badName');
  assert.match(failed.errorMessage!, new RegExp(`“${name}”.*“${prefix}/”.*1024 bytes`));
  const stored = await admin.getProjectDataBucketObjects({
    params: { projectId, dataBucketId: bucketId },
    query: { prefix: `${prefix}/` },
  });
  assert.equal(stored.totalCount, 0);
  assert.equal(await countRows(service, 'job_output'), 0);
});
