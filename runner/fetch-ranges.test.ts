import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ClaimedJob } from '@platen/contract/runner';
import { hashSecret, newSecret } from '../server/base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../server/jobs/runners/enrolment-store.ts';
import { projectWithCities, putFile } from '../server/jobs/tasks/testing.ts';
import { startService } from '../server/testing.ts';
import { clientFor } from './job-client.ts';
import { openInputs, inputPathsOf } from './fetch-ranges.ts';
import { JobFailure, type JobSpec } from '@platen/processing/job-type';
import { prepareInputs } from './prepare-inputs.ts';
import { findJobSpec } from '@platen/processing/catalog';
import { stage } from './stage.ts';
import { afterFile } from '../checks/clean-up.ts';

const service = await startService();
const { admin, adminId, app, context } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const { projectId, bucketId } = await projectWithCities(service);
const enrolmentToken = newSecret();
await allowEnrolment(context.db, hashSecret(enrolmentToken));
const { token } = await clientFor(url).postRunnerEnrol({
  body: { enrolmentToken, name: 'by hand', labels: [], version: '' },
});
const { signal } = new AbortController();

const put = (key: string, content: string) =>
  putFile(context, { projectId, bucketId, key, by: adminId }, content);

async function emptyFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'platen-pieces-')));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An inspection of this file or folder, in the hands of the test. */
async function hold(key: string, isEmbedded: boolean) {
  await context.db.deleteFrom('job').execute();
  await context.db.updateTable('runner').set({ is_embedded: isEmbedded }).execute();
  const params = { projectId, dataBucketId: bucketId };
  await admin.postProjectDataBucketInspect({ params, query: { key, waitSeconds: 0 } });
  const claimed = await clientFor(url, token).postRunnerClaim({ body: { waitSeconds: 0 } });
  const job: ClaimedJob = claimed.job!;
  const folder = await emptyFolder();
  const client = clientFor(url, job.token);
  const ranges = openInputs(client, job, { folder, isEmbedded, signal });
  return { client, job, folder, ranges, places: inputPathsOf(job, folder) };
}

const storedPathOf = async (key: string) => {
  const { blob_id: blobId } = await context.db
    .selectFrom('object')
    .select('blob_id')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return context.store.localPath!(blobId);
};

const digits = '0123456789'.repeat(100_000);
/** Equal content would share its bytes. */
const digitsOf = (name: string) => digits + name;

test('on a shared disk a file is linked whole and nothing is copied', async () => {
  const content = digitsOf('digits.txt');
  await put('digits.txt', content);
  const { ranges, places } = await hold('digits.txt', true);
  const brought = (await ranges.fetch({ input: 0, offset: 0, length: 1 }))!;
  assert.deepEqual([brought.path, brought.size, brought.isWhole], [places[0]!.path, content.length, true]);
  assert.equal((await stat(brought.path)).ino, (await stat(await storedPathOf('digits.txt'))).ino);
  await context.store.remove((await storedPathOf('digits.txt')).split('/').at(-1)!);
  assert.equal(await readFile(brought.path, 'utf8'), content, 'whatever the sweeper does meanwhile');
});

test('without a shared disk only the requested bytes are fetched', async () => {
  const content = digitsOf('far.txt');
  await put('far.txt', content);
  const { ranges } = await hold('far.txt', false);
  const { path, size, isWhole } = (await ranges.fetch({ input: 0, offset: 500_000, length: 10 }))!;
  assert.deepEqual([size, isWhole], [content.length, false]);
  const here = await readFile(path);
  assert.equal(here.length, content.length);
  assert.equal(here.toString('latin1', 500_000, 500_010), '0123456789');
  assert.ok(here.subarray(0, 500_000).every((byte) => byte === 0));
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => ranges.fetch({ input: 0, offset: i * 10, length: 10 })),
  );
  assert.equal((await readFile(path)).toString('latin1', 0, 200), digits.slice(0, 200));
});

test('files of a folder are fetched by name', async () => {
  await put('folder/a.txt', 'a');
  await put('folder/deep/b.txt', 'bb');
  await put('folder/empty.txt', '');
  for (const isEmbedded of [true, false]) {
    const { ranges, places } = await hold('folder/', isEmbedded);
    const names = (await ranges.list(0, 10)).map(({ name }) => name);
    assert.deepEqual(names, ['a.txt', 'deep/b.txt', 'empty.txt']);
    assert.equal((await ranges.list(0, 2)).length, 2);
    const bring = (member?: string) =>
      ranges.fetch({ input: 0, offset: 0, length: 100, ...(member !== undefined && { member }) });
    const { path } = (await bring('deep/b.txt'))!;
    assert.equal(path, join(places[0]!.path, 'deep/b.txt'));
    assert.equal(await readFile(path, 'utf8'), 'bb');
    assert.equal((await bring('empty.txt'))!.isWhole, true);
    assert.equal(await bring('c.txt'), undefined);
    assert.equal(await bring(), undefined);
  }
});

test('requests of the job process cannot reach anything else', async () => {
  await put('folder/a.txt', 'a');
  const { ranges } = await hold('folder/', false);
  const range = { input: 0, member: 'a.txt', offset: 0, length: 1 };
  for (const wrong of [
    { input: 1 },
    { input: -1 },
    { input: '0' },
    { member: 5 },
    { offset: -1 },
    { offset: 0.5 },
    { length: 0 },
    { length: Infinity },
  ])
    assert.equal(await ranges.fetch({ ...range, ...wrong } as never), undefined, JSON.stringify(wrong));
  for (const member of ['../../secret', '/etc/passwd', '', '..'])
    await assert.rejects(ranges.fetch({ ...range, member }), (error: unknown) => {
      assert.ok(error instanceof JobFailure || (error as { status?: number }).status === 400, String(error));
      return true;
    });
  assert.deepEqual(await ranges.list(1, 10), []);
});

test('a file that is changed or deleted while it is read ends the job with words', async () => {
  const failure = { code: 'inputChanged' };
  await put('moving.txt', digitsOf('moving.txt'));
  const { ranges } = await hold('moving.txt', false);
  await ranges.fetch({ input: 0, offset: 0, length: 10 });
  await put('moving.txt', `${digits}!`);
  await assert.rejects(ranges.fetch({ input: 0, offset: 100, length: 10 }), failure);
  await context.db.deleteFrom('object').where('key', '=', 'moving.txt').execute();
  await assert.rejects(ranges.fetch({ input: 0, offset: 200, length: 10 }), failure);
  await put('folder/gone.txt', digitsOf('gone.txt'));
  const other = await hold('folder/', false);
  const range = { input: 0, member: 'gone.txt', offset: 0, length: 10 };
  await other.ranges.fetch(range);
  await context.db.deleteFrom('object').where('key', '=', 'folder/gone.txt').execute();
  await assert.rejects(other.ranges.fetch({ ...range, offset: 100 }), failure);
});

test('no job can fill the disk by asking', async () => {
  await put('large.txt', digitsOf('large.txt'));
  const { client, job, folder } = await hold('large.txt', false);
  const ranges = openInputs(client, job, { folder, isEmbedded: false, maxBytes: 1_500_000, signal });
  const all = { input: 0, offset: 0, length: 1_000_000 };
  await ranges.fetch(all);
  await assert.rejects(ranges.fetch(all), { code: 'readsTooMuch' });
});

test('jobs that read whole inputs get links, or copies if links are impossible', async () => {
  const content = digitsOf('whole.txt');
  await put('whole.txt', content);
  const egressPolicy = undefined as never; // nothing comes from the web here
  for (const isEmbedded of [true, false]) {
    const { client, job } = await hold('whole.txt', isEmbedded);
    const folder = await emptyFolder();
    const staging = { folder, isEmbedded, egressPolicy, signal, onProgress: () => {} };
    const [input] = await stage(client, job, staging);
    assert.equal(await readFile(input!.path, 'utf8'), content);
    const { nlink } = await stat(input!.path);
    assert.equal(nlink, isEmbedded ? 2 : 1);
  }
  const { client, job } = await hold('whole.txt', true);
  await rm(await storedPathOf('whole.txt'));
  const folder = await emptyFolder();
  const staging = { folder, isEmbedded: true, egressPolicy, signal, onProgress: () => {} };
  await assert.rejects(stage(client, job, staging), { status: 422 });
});

test('a folder that no disk can hold ends its job, instead of being tried for ever', async () => {
  await put('clash/tiles', '1');
  await put('clash/tiles/a.txt', '2');
  for (const isEmbedded of [true, false]) {
    const { client, job, folder } = await hold('clash/', isEmbedded);
    const staging = { folder, isEmbedded, egressPolicy: undefined as never, signal, onProgress: () => {} };
    await assert.rejects(stage(client, job, staging), (error) => {
      assert.ok(error instanceof JobFailure);
      assert.equal(error.code, 'badName');
      assert.match(error.message, /^“tiles(\/a\.txt)?”: /);
      return true;
    });
  }
});

test('inputs that are read in ranges have the fingerprint that they have as whole files', async () => {
  await put('prints/a.txt', '1');
  await put('prints/b.txt', '2');
  const egressPolicy = undefined as never;
  const spec = findJobSpec('platenConvertVector')!;
  for (const [key, changed] of [
    ['prints/a.txt', 'prints/a.txt'],
    ['prints/', 'prints/b.txt'],
  ] as const) {
    const prepare = async (reads: Pick<JobSpec, 'reads'>) => {
      const { client, job, folder } = await hold(key, false);
      const staging = { folder, isEmbedded: false, egressPolicy, signal, onProgress: () => {} };
      return prepareInputs(client, job, { ...spec, ...reads }, staging);
    };
    const whole = await prepare({});
    const ranges = await prepare({ reads: 'ranges' });
    assert.match(whole.fingerprint!, /^[0-9a-f]{64}$/);
    const { path: _path, ...input } = whole.inputs[0]!;
    const { path, ...unread } = ranges.inputs[0]!;
    assert.deepEqual(unread, input);
    assert.equal(ranges.fingerprint, whole.fingerprint);
    await assert.rejects(stat(path), { code: 'ENOENT' });
    await put(changed, `${key} has changed`);
    assert.notEqual((await prepare({ reads: 'ranges' })).fingerprint, whole.fingerprint);
  }
});
