import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { untilSomeoneWaits } from '../../base/database/testing.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { projectWithCities, putFile, tilingTask } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';

const service = await startService();
const { admin, adminId, context, as } = service;
const { projectId, bucketId } = await projectWithCities(service);
const enrolmentToken = newSecret();
await allowEnrolment(context.db, hashSecret(enrolmentToken));
const enrolment = { enrolmentToken, name: 'runner', labels: [], version: '' };
const runner = as((await as().postRunnerEnrol({ body: enrolment })).token);

const put = (key: string, content: string) =>
  putFile(context, { projectId, bucketId, key, by: adminId }, content);

/** A job with these inputs, in the hands of a runner. */
async function hold(...keys: string[]) {
  const input = keys.map((dataBucketKey) => ({ type: 'internal', dataBucketId: bucketId, dataBucketKey }));
  const parameters = { datasource: { command: 'create', name: 'A' }, options: { input } };
  await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId, { parameters }) });
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  const client = as(job!.token);
  return {
    client,
    params: { jobId: job!.jobId, index: '0' },
    read: async (index: string, member?: string) => {
      const query = member === undefined ? {} : { member };
      const params = { jobId: job!.jobId, index };
      return (await client.getRunnerJobInput({ params, query })).text();
    },
    list: (index: string) => client.getRunnerJobInputMembers({ params: { jobId: job!.jobId, index } }),
  };
}

test('an input is read although another one has gone since the job began', async () => {
  await put('first.geojson', 'first');
  await put('second.geojson', 'second');
  const { read } = await hold('first.geojson', 'second.geojson');
  await admin.deleteProjectDataBucketObject({
    params: { projectId, dataBucketId: bucketId },
    query: { key: 'first.geojson' },
  });
  assert.equal(await read('1'), 'second');
  await assert.rejects(read('0'), { status: 422 });
});

test('members of a folder are listed, and read one by one', async () => {
  for (const name of ['a', 'b', 'c']) await put(`folder/${name}.geojson`, name);
  const { read, list } = await hold('folder/');
  assert.equal(await read('0', 'a.geojson'), 'a');
  const { members } = await list('0');
  assert.deepEqual(
    members.map(({ name }) => name),
    ['a.geojson', 'b.geojson', 'c.geojson'],
  );
});

test('a folder deleted since the job began is reported', async () => {
  await put('gone/a.geojson', 'a');
  const { list } = await hold('gone/');
  await context.db.deleteFrom('object').where('key', '=', 'gone/a.geojson').execute();
  await assert.rejects(list('0'), { status: 422 });
});

test('a range of an input is read, as long as the content is unchanged', async () => {
  await put('long.geojson', '0123456789');
  const { client, params } = await hold('long.geojson');
  const { file } = await client.getRunnerJobInputPlace({ params });
  const { size, sha256 } = file!;
  assert.equal(size, 10);
  const read = async (query: object) => (await client.getRunnerJobInput({ params, query })).text();
  assert.equal(await read({ offset: 2, length: 3, sha256 }), '234');
  assert.equal(await read({ offset: 8 }), '89');
  assert.equal(await read({ offset: 8, length: 100 }), '89');
  assert.equal(await read({ offset: 100, length: 1 }), '');
  await put('long.geojson', 'changed---');
  await assert.rejects(read({ offset: 2, length: 3, sha256 }), { status: 422 });
  for (const query of [{ offset: -1 }, { offset: 1.5 }, { length: 0 }, { offset: 1e20 }, { sha256: 'x' }])
    await assert.rejects(read(query), { status: 400 });
});

test('a job that may not replace files does not replace one that is created while it ends', async () => {
  await put('other.bin', 'other');
  const params = { projectId, dataBucketId: bucketId };
  await admin.postProjectDataBucketUploadFromUrl({ params, body: { url: 'https://example.org/same.bin' } });
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  assert.equal(job!.jobType, 'platenFetchUrl');
  const holder = as(job!.token);
  const path = { jobId: job!.jobId };
  await holder.putRunnerJobOutput({ params: path, query: { key: 'same.bin' }, body: new Blob(['made']) });
  const { ending } = await context.db.transaction().execute(async (tx) => {
    await sql`insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type,
        created_at, created_by, updated_at, updated_by)
      select project_id, bucket_id, 'same.bin', blob_id, size, sha256, content_type,
        created_at, created_by, updated_at, updated_by from object where key = 'other.bin'`.execute(tx);
    const completion = holder.postRunnerJobComplete({ params: path, body: { warnings: [] } });
    await untilSomeoneWaits(tx);
    return { ending: completion };
  });
  assert.deepEqual(await ending, { state: 'failed' });
  const file = await admin.getProjectDataBucketDownloadFile({ params, query: { key: 'same.bin' } });
  assert.equal(await file.text(), 'other');
});

test('the location of bytes is revealed only to runners that the service started itself', async () => {
  await put('here.geojson', 'here');
  await put('part/a.geojson', 'in the folder');
  const { client, params } = await hold('here.geojson', 'part/');
  const place = async (index: string, member?: string) => {
    const query = member === undefined ? {} : { member };
    return (await client.getRunnerJobInputPlace({ params: { ...params, index }, query })).file;
  };
  assert.deepEqual(Object.keys((await place('0'))!), ['size', 'sha256']);
  await context.db.updateTable('runner').set({ is_embedded: true }).execute();
  assert.equal(await readFile((await place('0'))!.path!, 'utf8'), 'here');
  assert.equal(await readFile((await place('1', 'a.geojson'))!.path!, 'utf8'), 'in the folder');
  assert.equal(await place('1', 'b.geojson'), undefined);
  await assert.rejects(place('1', '../here.geojson'), { status: 400 });
  await assert.rejects(place('1'), { status: 400 });
  await assert.rejects(place('2'), { status: 404 });
  // nobody becomes an embedded runner by its name
  await assert.rejects(as().postRunnerEnrol({ body: enrolment }), { status: 409 });
});
