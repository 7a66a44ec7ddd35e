import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { write } from '../files/revisions/testing.ts';
import { startService } from '../testing.ts';
import { findJobSpec } from '@platen/processing/catalog';
import { afterFile } from '../../checks/clean-up.ts';
import { clientFor } from '../../runner/job-client.ts';
import { prepareFormer } from '../../runner/prepare-inputs.ts';
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
const recipe = 'b'.repeat(64);

async function queue(command: Record<string, string>): Promise<string> {
  const { parameters } = tilingTask(bucketId);
  const body = tilingTask(bucketId, {
    jobType: 'platenConvertVector',
    parameters: { datasource: command, options: parameters.options },
  });
  return (await admin.postProjectTask({ params, body })).lastJobId!;
}

/** A job that has made a datasource of a file, a further one of a folder, and a manifest. */
async function made() {
  const jobId = await queue({ command: 'create', name: 'Made' });
  const held = (await holdNext(service, runner))!;
  for (const key of ['main.fgb', 'main.json', 'more/a', 'more/b']) await putOutput(held, key, `${key}!`);
  const datasource = { type: 'flatgeobuf', path: 'main.fgb', typeProperties: {}, properties: {} };
  const further = { ...datasource, key: 'more', title: 'More', type: 'generic', path: 'more' };
  const manifest = { path: 'main.json', recipe };
  const body = { datasource, furtherDatasources: [further], fingerprint, manifest, warnings: [] };
  await held.client.postRunnerJobComplete({ params: held.params, body });
  const { outputs, outputFiles } = await admin.getProjectJob({ params: { projectId, jobId } });
  return { datasourceId: outputs.datasourceId!, folder: outputFiles!.folder };
}

async function claimUpdate(datasourceId: string) {
  await queue({ command: 'update', datasourceId });
  const held = (await holdNext(service, runner))!;
  const { client, params: job } = held;
  const read = async (index: number, query: { member?: string; sha256?: string } = {}) => {
    const input = { params: { ...job, index: String(index) }, query };
    return (await client.getRunnerJobInput(input)).text();
  };
  const members = async (index: number) => {
    const input = { params: { ...job, index: String(index) }, query: { after: '' } };
    return (await client.getRunnerJobInputMembers(input)).members.map(({ name }) => name);
  };
  return { ...held, read, members };
}

test('a job that updates a datasource reads the manifest and the results of the job that made it', async () => {
  const { datasourceId } = await made();
  const { inputs, former, read, members, fail } = await claimUpdate(datasourceId);
  assert.equal(inputs.length, 1);
  const [manifest, ...results] = former!.files;
  assert.deepEqual(
    [manifest!, ...results].map(({ kind, name, size, resultKey }) => [kind, name, size, resultKey]),
    [
      ['file', 'main.json', 10, undefined],
      ['file', 'main.fgb', 9, undefined],
      ['folder', 'more', 14, 'more'],
    ],
  );
  assert.equal(former!.recipe, recipe);
  assert.equal(await read(0), cities, 'its inputs come first');
  assert.equal(await read(1, { sha256: manifest!.sha256! }), 'main.json!');
  assert.equal(await read(2), 'main.fgb!');
  assert.deepEqual(await members(3), ['a', 'b']);
  assert.equal(await read(3, { member: 'b' }), 'more/b!');
  await assert.rejects(read(4), { status: 404 });
  await assert.rejects(read(2, { sha256: 'b'.repeat(64) }), { status: 422 });
  await fail({ code: 'failed' });
});

test('results without their manifest are not offered, and results that were replaced cannot be read', async () => {
  const { datasourceId, folder: outputs } = await made();
  const held = await claimUpdate(datasourceId);
  const { sha256 } = held.former!.files[1]!;
  await write(admin, place, { [`${outputs}main.json`]: 'by hand' });
  await assert.rejects(held.read(1), { status: 404 });
  await write(admin, place, { [`${outputs}main.fgb`]: 'by hand' });
  await assert.rejects(held.read(2, { sha256: sha256! }));
  await held.fail({ code: 'failed' });
  const again = await made();
  await write(admin, place, { [`${again.folder}main.json`]: 'by hand' });
  const { former, fail } = await claimUpdate(again.datasourceId);
  assert.deepEqual(former, { fingerprint, files: [] });
  await fail({ code: 'failed' });
});

test('a job whose former results were replaced while it was prepared makes everything again', async () => {
  const { datasourceId, folder: outputs } = await made();
  const held = await claimUpdate(datasourceId);
  const folder = await mkdtemp(join(tmpdir(), 'platen-former-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = clientFor(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, held.token);
  const spec = findJobSpec('platenConvertVector')!;
  const { signal } = new AbortController();
  const staging = { isEmbedded: false, egressPolicy: undefined as never, signal, onProgress: () => {} };
  const prepare = (place: string, ours: string) =>
    prepareFormer(client, held, spec, { ...staging, folder: join(folder, place), recipe: ours });
  assert.equal(await prepare('other', 'c'.repeat(64)), undefined, 'another recipe');
  const former = (await prepare('same', recipe))!;
  assert.equal(await readFile(former.manifest.path, 'utf8'), 'main.json!');
  assert.deepEqual(
    former.results.map(({ index, resultKey }) => [index, resultKey]),
    [
      [2, undefined],
      [3, 'more'],
    ],
  );
  await write(admin, place, { [`${outputs}main.fgb`]: 'by hand' });
  assert.equal(await prepare('replaced', recipe), undefined);
  await held.fail({ code: 'failed' });
});

test('a manifest that the job has not written fails it', async () => {
  const jobId = await queue({ command: 'create', name: 'Without' });
  const { client, params: job, ...held } = (await holdNext(service, runner))!;
  await putOutput({ client, params: job }, 'main.fgb', 'data');
  const datasource = { type: 'flatgeobuf', path: 'main.fgb', typeProperties: {}, properties: {} };
  const body = { datasource, manifest: { path: 'absent.json', recipe }, warnings: [] };
  assert.deepEqual(await client.postRunnerJobComplete({ params: job, body }), { state: 'failed' });
  const { errorMessage } = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.match(errorMessage!, /“absent.json”/);
  assert.equal(held.former, undefined);
});

test('a runner makes only the layers again whose inputs have changed', async () => {
  const runners = await startRunner(service);
  await write(admin, place, { 'towns.geojson': cities });
  const input = ['cities.geojson', 'towns.geojson'].map((dataBucketKey) => ({
    type: 'internal',
    dataBucketId: bucketId,
    dataBucketKey,
  }));
  const run = async (datasource: Record<string, string>, processing = {}) => {
    const options = { input, output: { allLayers: true }, processing };
    const body = {
      ...tilingTask(bucketId),
      jobType: 'platenConvertVector',
      parameters: { options, datasource },
    };
    const { lastJob } = await admin.postProjectTaskSync({ params, query: { waitSeconds: 30 }, body });
    assert.equal(lastJob.state, 'succeeded', lastJob.errorMessage ?? '');
    const { items } = await admin.getProjectJobLog({
      params: { projectId, jobId: lastJob._id },
      query: {},
    });
    return items
      .map(({ message }) => message)
      .filter((message) => /^(?:Copied|Wrote|Everything is made again)/.test(message));
  };
  try {
    await run({ command: 'create', name: 'Layers' });
    await write(admin, place, { 'towns.geojson': cities.replace('Quito', 'Lima') });
    const update = { command: 'update', name: 'Layers' };
    assert.deepEqual(await run(update), [
      'Copied cities.fgb: nothing in it has changed.',
      'Wrote 2 features to towns.fgb.',
    ]);
    await write(admin, place, { 'cities.geojson': cities.replace('Quito', 'Lima') });
    const [first] = await run(update);
    assert.match(first!, /^Wrote/, 'an update of an update');
    await write(admin, place, { 'cities.geojson': cities });
    const all = await run(update, { update: 'full' });
    assert.ok(all.every((message) => message.startsWith('Wrote')));
    const [reason] = await run(update, { strict: true });
    assert.match(reason!, /^Everything is made again: an option/);
  } finally {
    await runners.stop();
  }
});
