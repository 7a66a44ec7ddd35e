import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestFailed } from '@platen/client/client';
import type { Job } from '@platen/contract/jobs';
import { everyBrokenFormat } from '@platen/processing/features/testing-broken';
import type { BrokenFile } from '@platen/processing/features/testing-broken-file';
import type { RunningService } from './processes.ts';
import { sharedService } from './testing-shared.ts';

interface Reject {
  readonly geometry: object | null;
  readonly properties: {
    readonly name?: string;
    readonly platenReject: Readonly<Record<string, unknown>>;
  };
}

interface Rejects {
  readonly type: string;
  readonly rejected: { count: number; shown: number; codes: Record<string, number>; note: string };
  readonly features: readonly Reject[];
}

const files = new Map((await everyBrokenFormat()).map((file) => [file.name, file]));
const jobTimeoutMs = 60_000;

let service: RunningService;
let project: { readonly projectId: string; readonly dataBucketId: string };

before(async () => {
  service = await sharedService();
  const body = { name: 'Rejects', description: '', bbox: [5, 45, 15, 55] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await service.client.postProject({ body });
  project = { projectId, dataBucketId };
  const form = new FormData();
  for (const { name, content } of files.values())
    form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name);
  form.append('file', new Blob(['lon,lat\nhere,there\nx,y\n,\n']), 'hopeless.csv');
  form.append('file', new Blob(['lon,lat\n8,47\n']), 'clean.csv');
  await service.client.postProjectDataBucketUpload({ params: project, body: form });
});

/** Runs one task to its end, whatever that is. */
async function run(
  jobType: string,
  file: string,
  options: object = {},
): Promise<{ job: Job; params: { projectId: string; jobId: string } }> {
  const { client } = service;
  const input = { type: 'internal', dataBucketId: project.dataBucketId, dataBucketKey: file };
  const datasource = { command: 'create', name: file };
  const body = { name: file, jobType, parameters: { datasource, options: { input, ...options } } };
  const { _id: taskId } = await client.postProjectTask({ params: project, body });
  for (let waitedMs = 0; waitedMs < jobTimeoutMs; waitedMs += 100) {
    const { items } = await client.getProjectJobs({ params: project, query: { taskId: [taskId] } });
    const [job] = items;
    if (job && job.state !== 'queued' && job.state !== 'running')
      return { job, params: { projectId: project.projectId, jobId: job._id } };
    await sleep(100);
  }
  throw new Error(`The job of ${file} took more than ${jobTimeoutMs} ms.`);
}

async function rejectsOf(params: { projectId: string; jobId: string }): Promise<Rejects> {
  const reply = await service.client.getProjectJobRejects({ params });
  assert.equal(reply.headers.get('content-type'), 'application/geo+json');
  assert.equal(reply.headers.get('content-security-policy'), 'sandbox');
  return (await reply.json()) as Rejects;
}

/** Asserts that a person has everything to find and repair the rejected features. */
function assertRejects({ type, rejected, features }: Rejects, { name, bad }: BrokenFile): void {
  assert.equal(type, 'FeatureCollection');
  assert.deepEqual([rejected.count, rejected.shown], [bad.length, bad.length]);
  assert.match(rejected.note, new RegExp(`All ${bad.length} features`));
  const counts: Record<string, number> = {};
  for (const { code } of bad) counts[code] = (counts[code] ?? 0) + 1;
  assert.deepEqual(rejected.codes, counts);
  for (const [i, { code, reason, name: called, row }] of bad.entries()) {
    const { properties } = features[i]!;
    const { platenReject: reject } = properties;
    assert.equal(reject['code'], code);
    assert.match(String(reject['message']), reason);
    assert.equal(reject['file'], name);
    assert.equal(typeof reject['feature'], 'number');
    if (called !== undefined) assert.equal(properties.name, called);
    if (row !== undefined) assert.equal(reject['row'], row);
  }
}

for (const [jobType, name] of [
  ['platenTilesVector', 'a.geojsonl'],
  ['platenConvertVector', 'a.csv'],
] as const) {
  const file = files.get(name)!;

  test(`${jobType} uses the valid features of ${name}, and keeps the others for a map`, async () => {
    const { job, params } = await run(jobType, name);
    assert.deepEqual([job.state, job.rejected], ['succeeded', file.bad.length]);
    assertRejects(await rejectsOf(params), file);
    const counted = job.warnings.filter(({ code }) => file.bad.some((bad) => bad.code === code));
    assert.equal(
      counted.reduce((sum, { count }) => sum + count, 0),
      file.bad.length,
    );
    for (const { message, examples } of counted) {
      assert.match(message, /rejects\.geojson/);
      for (const example of examples) {
        assert.equal(example['file'], name);
        assert.equal(typeof example['line'], 'number');
        assert.equal(typeof example['reason'], 'string');
      }
    }
  });

  test(`${jobType} of ${name} fails if the task is strict, and reports all invalid features`, async () => {
    const { job, params } = await run(jobType, name, { processing: { strict: true } });
    assert.deepEqual([job.state, job.errorCode, job.rejected], ['failed', 'strict', file.bad.length]);
    assert.deepEqual(job.outputItems, []);
    assertRejects(await rejectsOf(params), file);
  });

  test(`${jobType} fails where nothing can be used, and names the reasons`, async () => {
    const { job, params } = await run(jobType, 'hopeless.csv');
    assert.deepEqual([job.state, job.errorCode, job.rejected], ['failed', 'nothingUsable', 3]);
    assert.match(
      job.errorMessage!,
      /^hopeless\.csv: none of the 3 features .*2 × "here" in the column "lon"/,
    );
    assert.equal((await rejectsOf(params)).features.length, 3);
  });
}

test('without rejected features there is no file, and the response says so', async () => {
  const { job, params } = await run('platenTilesVector', 'clean.csv', { processing: { strict: true } });
  assert.deepEqual([job.state, job.rejected, job.warnings], ['succeeded', 0, []]);
  await assert.rejects(service.client.getProjectJobRejects({ params }), (error: RequestFailed) => {
    assert.equal(error.status, 404);
    assert.match(error.message, /has no file of rejected features/);
    return true;
  });
  const none = service.client.postProjectJobRejectsDatasource({ params, body: {} });
  await assert.rejects(none, { status: 404 });
});

test('rejected features become a datasource, which outlives the job', async () => {
  const { client, url, token } = service;
  const { params } = await run('platenTilesVector', 'a.geojsonl');
  const datasource = await client.postProjectJobRejectsDatasource({ params, body: { prefix: 'to mend' } });
  assert.equal(datasource.type, 'geojson');
  const again = client.postProjectJobRejectsDatasource({ params, body: { prefix: 'to mend' } });
  await assert.rejects(again, { status: 409 });
  const inDefault = await client.postProjectJobRejectsDatasource({ params, body: { name: 'Mend' } });
  assert.equal(inDefault.name, 'Mend');
  for (const body of [{ prefix: '../up' }, { dataBucketId: '' }, { other: 1 }])
    await assert.rejects(client.postProjectJobRejectsDatasource({ params, body }), { status: 400 });
  const elsewhere = client.postProjectJobRejectsDatasource({ params, body: { dataBucketId: 'none' } });
  await assert.rejects(elsewhere, { status: 422 });
  await client.deleteProjectJob({ params });
  const reply = await fetch(`${url}${datasource.uri}`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(reply.status, 200);
  assertRejects((await reply.json()) as Rejects, files.get('a.geojsonl')!);
});
