import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { projectWithCities, putFile, tilingTask } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { redactText } from './redact.ts';
import { afterFile } from '../../../checks/clean-up.ts';

const run = promisify(execFile);
const service = await startService();
const { admin, adminId, adminToken, as, context, dataFolder } = service;
const enrolmentToken = newSecret();
await allowEnrolment(context.db, hashSecret(enrolmentToken));
const enrolment = { enrolmentToken, name: 'Runner of all', labels: [], version: '1.2.3' };
const { token: runnerToken } = await as().postRunnerEnrol({ body: enrolment });
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };

interface Unpacked {
  readonly names: readonly string[];
  /** All that is in it. */
  readonly text: string;
  json(name: string): Promise<Record<string, unknown>>;
  lines(): Promise<{ seq: number; message: string }[]>;
  read(name: string): Promise<string>;
}

async function unpack(jobId: string, of = projectId): Promise<Unpacked> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-debug-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  const reply = await admin.getProjectJobDebugPackage({ params: { projectId: of, jobId } });
  assert.match(reply.headers.get('content-disposition')!, new RegExp(`job-${jobId}-debug.tar.gz`));
  await writeFile(join(folder, 'a.tar.gz'), new Uint8Array(await reply.arrayBuffer()));
  await run('tar', ['-xzf', 'a.tar.gz'], { cwd: folder });
  await rm(join(folder, 'a.tar.gz'));
  const own = join(folder, `job-${jobId}-debug`);
  const entries = await readdir(own, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const read = (name: string) => readFile(join(own, name), 'utf8');
  return {
    names: files.map((file) => file.slice(own.length + 1)).toSorted(),
    text: texts.join('\n'),
    read,
    json: async (name) => JSON.parse(await read(name)) as Record<string, unknown>,
    lines: async () =>
      (await read('log.jsonl'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { seq: number; message: string }),
  };
}

async function held(change: Record<string, unknown> = {}) {
  await admin.postProjectTask({ params, body: tilingTask(bucketId, change) });
  const { job } = await as(runnerToken).postRunnerClaim({ body: { waitSeconds: 0 } });
  const { jobId, token } = job!;
  return { jobId, token, client: as(token) };
}

const failure = { code: 'failed', message: 'No.', warnings: [] };
const at = '2026-11-21T12:00:00.000Z';

test('the package of a running or ended job contains everything known of it', async () => {
  const { jobId, client } = await held();
  const entries = Array.from({ length: 900 }, (_, n) => ({
    at,
    level: 'info' as const,
    message: `line ${n}`,
  }));
  for (let batch = 0; batch < 3; batch++)
    await client.postRunnerJobLog({ params: { jobId }, body: { first: batch * 900, entries } });
  const progress = { phase: 'read', done: 1, total: 2 };
  await client.postRunnerJobProgress({ params: { jobId }, body: { progress, warnings: [] } });
  await client.putRunnerJobFile({
    params: { jobId },
    query: { name: 'rejects.geojson' },
    body: new Blob(['{"type":"FeatureCollection"}']),
  });
  const running = await unpack(jobId);
  assert.deepEqual(running.names, [
    'files/rejects.geojson',
    'inputs.json',
    'job.json',
    'log.jsonl',
    'operations.json',
    'parameters.json',
    'runner.json',
    'task.json',
    'versions.json',
  ]);
  assert.equal((await running.json('job.json'))['state'], 'running');
  assert.equal(await running.read('files/rejects.geojson'), '{"type":"FeatureCollection"}');
  const lines = await running.lines();
  assert.deepEqual([lines.length, lines[0]!.message, lines.at(-1)!.message], [2700, 'line 0', 'line 899']);
  const { items } = (await running.json('inputs.json')) as { items: unknown };
  const object = await admin.getProjectDataBucketObject({
    params: { projectId, dataBucketId: bucketId },
    query: { key: 'cities.geojson' },
  });
  const { size, sha256 } = object as { size: number; sha256: string };
  assert.deepEqual(items, [{ kind: 'file', name: 'cities.geojson', size, sha256 }]);
  assert.ok(!running.text.includes('Quito'), 'no bytes of inputs');
  assert.equal((await running.json('runner.json'))['version'], '1.2.3');
  assert.equal((await running.json('versions.json'))['node'], process.version);
  assert.equal((await running.json('task.json'))['name'], 'Tiles');
  assert.deepEqual(
    ((await running.json('operations.json')) as unknown as { name: string }[]).map(({ name }) => name),
    ['read'],
  );
  await client.postRunnerJobFail({ params: { jobId }, body: failure });
  const ended = await unpack(jobId);
  assert.equal((await ended.json('job.json'))['state'], 'failed');
  assert.equal((await ended.lines()).at(-1)!.message, 'No.');
});

test('no token, no password, no place of the server and nothing of other projects is in it', async () => {
  const other = await projectWithCities(service);
  const foreign = await admin.postProjectTask({
    params: { projectId: other.projectId },
    body: tilingTask(other.bucketId, { name: 'A secret plan' }),
  });
  const options = {
    input: { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' },
    password: 'correct horse',
    source: 'https://mary:hunter2@example.org/a.zip?X-Amz-Signature=abcdef123456',
  };
  const parameters = { datasource: { command: 'create', name: 'Cities' }, options };
  await as(runnerToken)
    .postRunnerClaim({ body: { waitSeconds: 0 } })
    .then(({ job }) => as(job!.token).postRunnerJobRelease({ params: { jobId: job!.jobId } }));
  await admin.putProjectJobAbort({
    params: { projectId: other.projectId, jobId: foreign.lastJobId! },
  });
  const { jobId, token, client } = await held({ parameters });
  const place = await client.getRunnerJobInputPlace({ params: { jobId, index: '0' }, query: {} });
  const stored = context.store.localPath!('00000000000000000000000000'.slice(0, 26));
  const scratch = `${dataFolder}/scratch/job-123-0d1f9c1e-8f6c-4f0e-9a44-2f4f1bb1c7aa/scratch/tiles/made-0-1`;
  const messages = [
    `The job type failed unexpectedly: ENOENT: no such file or directory, open '/opt/secret-place/file.bin'`,
    `the scratch file ${scratch} is shorter than it was`,
    `stored at ${stored}`,
    'fetching https://mary:hunter2@example.org/b.zip?token=t0ps3cr3t now',
    `Authorization: Bearer ${token}`,
  ];
  const entries = messages.map((message) => ({ at, level: 'info' as const, message, data: { token } }));
  await client.postRunnerJobLog({ params: { jobId }, body: { first: 0, entries } });
  const { text, lines } = await unpack(jobId);
  const secrets = [
    adminToken,
    runnerToken,
    token,
    enrolmentToken,
    'correct horse',
    'hunter2',
    't0ps3cr3t',
    'abcdef123456',
    dataFolder,
    '/opt/secret-place',
    'A secret plan',
    other.projectId,
  ];
  assert.equal(place.file?.path, undefined);
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  const logged = (await lines()).map(({ message }) => message);
  assert.match(
    logged.join('\n'),
    /open '…\/file\.bin'[^]*…\/scratch\/tiles\/made-0-1[^]*example\.org\/b\.zip/,
  );
});

test('inputs that no longer exist are marked, and folders are listed with their content', async () => {
  await putFile(context, { projectId, bucketId, key: 'many/a.geojson', by: adminId }, '{}');
  await putFile(context, { projectId, bucketId, key: 'many/b/c.geojson', by: adminId }, '[]');
  const input = [
    { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'many/' },
    { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'many/a.geojson' },
  ];
  const parameters = { datasource: { command: 'create', name: 'Many' }, options: { input } };
  const { jobId, client } = await held({ parameters });
  const path = { projectId, dataBucketId: bucketId };
  await admin.deleteProjectDataBucketObject({
    params: path,
    query: { key: 'many/a.geojson', force: true },
  });
  const { items } = (await (await unpack(jobId)).json('inputs.json')) as { items: Record<string, unknown>[] };
  const [folder, file] = items;
  assert.deepEqual([folder!['kind'], folder!['isComplete']], ['folder', true]);
  assert.deepEqual(
    (folder!['members'] as { name: string; size: number }[]).map(({ name, size }) => [name, size]),
    [['b/c.geojson', 2]],
  );
  assert.match(String(file!['problem']), /many\/a\.geojson/);
  await client.postRunnerJobFail({ params: { jobId }, body: failure });
});

test('the package is available to users who may see the job, in its project', async () => {
  const { jobId, client } = await held();
  const stranger = (await service.user('stranger')).client;
  await assert.rejects(stranger.getProjectJobDebugPackage({ params: { projectId, jobId } }), { status: 404 });
  const other = await projectWithCities(service);
  const elsewhere = { projectId: other.projectId, jobId };
  await assert.rejects(admin.getProjectJobDebugPackage({ params: elsewhere }), { status: 404 });
  await client.postRunnerJobFail({ params: { jobId }, body: failure });
});

test('no text holds the service up, however long it is', () => {
  const pieces = ['/a', 'a.', 'ab-', "'/", '/job-1-', 'bearer ', 'http://', 'a@', '://', "'"];
  const before = process.cpuUsage();
  for (const piece of pieces) redactText(`'http://${piece.repeat(2 ** 20 / piece.length)}`, []);
  for (const piece of pieces) redactText(piece.repeat(2 ** 20 / piece.length), []);
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});

test('useful parts of a message remain in it', () => {
  for (const text of [
    'tiling.maxZoom (3) is below tiling.minZoom (5).',
    '/parameters/options/input: “many/a.geojson” is no file.',
    'a.geojson, line 12: it’s 3/4 of ‘b/c’',
    'https://example.org/path/to/a.zip answered with the status 404.',
  ])
    assert.equal(redactText(text, ['/var/lib/platen/objects']), text);
});
