import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashSecret, newSecret } from '../iam/tokens.ts';
import { projectWithCities, putFile, tilingTask } from '../tasks/testing.ts';
import { startService } from '../testing.ts';
import { allowEnrolment } from './runners.ts';

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

test('a member of a folder is read without adding up the folder', async () => {
  for (const name of ['a', 'b', 'c']) await put(`folder/${name}.geojson`, name);
  const { read, list } = await hold('folder/');
  // together they are more than a sum of sizes can be
  const sizes = context.db.updateTable('object').set({ size: 2 ** 62 });
  await sizes.where('key', 'in', ['folder/b.geojson', 'folder/c.geojson']).execute();
  assert.equal(await read('0', 'a.geojson'), 'a');
  const { members } = await list('0');
  assert.deepEqual(
    members.map(({ name }) => name),
    ['a.geojson', 'b.geojson', 'c.geojson'],
  );
});

test('a folder that has gone since the job began says so', async () => {
  await put('gone/a.geojson', 'a');
  const { list } = await hold('gone/');
  await context.db.deleteFrom('object').where('key', '=', 'gone/a.geojson').execute();
  await assert.rejects(list('0'), { status: 422 });
});
