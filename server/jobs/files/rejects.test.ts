import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { superUser } from '../../base/database/testing.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { sweep } from '../../project/retention/sweep.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { publishRejects } from './rejects.ts';

const service = await startService();
const { admin, adminId, context, as } = service;
const enrolmentToken = newSecret();
await allowEnrolment(context.db, hashSecret(enrolmentToken));
const enrolment = { enrolmentToken, name: 'runner', labels: [], version: '' };
const runner = as((await as().postRunnerEnrol({ body: enrolment })).token);
const collection = '{"type":"FeatureCollection","features":[]}';

/** A job that has set something aside, in a project of its own. */
async function hold(quota: { bytes?: number } = {}) {
  const { projectId, bucketId } = await projectWithCities(service);
  await admin.putProject({ params: { projectId }, body: { quota } });
  await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId) });
  const { client, jobId } = await take();
  await client.putRunnerJobFile({
    params: { jobId },
    query: { name: 'rejects.geojson', rejected: 1 },
    body: new Blob([collection]),
  });
  return { client, bucketId, params: { projectId, jobId } };
}

async function take() {
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  return { client: as(job!.token), jobId: job!.jobId };
}

const filesOf = async (projectId: string) => (await admin.getProjectUsage({ params: { projectId } })).current;

test('features rejected by an earlier attempt are not shown for the next', async () => {
  const { client, params } = await hold();
  assert.equal(await (await admin.getProjectJobRejects({ params })).text(), collection);
  await client.postRunnerJobRelease({ params: { jobId: params.jobId } });
  const next = await take();
  await assert.rejects(admin.getProjectJobRejects({ params }), { status: 404, message: /when it has ended/ });
  const failure = { code: 'crashed', message: 'No.', warnings: [] };
  await next.client.postRunnerJobFail({ params: { jobId: params.jobId }, body: failure });
  await assert.rejects(admin.getProjectJobRejects({ params }), { status: 404, message: /rejected none/ });
});

const warning = { code: 'invalidGeometry', message: 'Broken.', count: 1, examples: [] };
const failure = { code: 'strict', message: 'No.', warnings: [warning] };

test('rejected features go to the trash with the job or its task, count there, and are restored or deleted with it', async () => {
  const { client, params } = await hold();
  const { projectId, jobId } = params;
  await client.postRunnerJobFail({ params: { jobId }, body: failure });
  const { taskId } = await admin.getProjectJob({ params });
  const usage = () => admin.getProjectUsage({ params });
  const trash = async () => (await admin.getProjectTrash({ params })).items[0]!;
  const before = await usage();
  const ways = [
    () => admin.deleteProjectJob({ params, query: { outputs: true } }),
    () => admin.deleteProjectTask({ params: { projectId, taskId: taskId! } }),
  ];
  for (const remove of ways) {
    await remove();
    const { jobFiles, trash: held, blobs } = await usage();
    assert.deepEqual([jobFiles.bytes, held.bytes, blobs], [0, collection.length, before.blobs]);
    const { _id: trashId, size } = await trash();
    assert.equal(size, collection.length);
    await sweep({ ...context, now: () => new Date(Date.now() + 7_200_000) });
    await admin.postProjectTrashItemRestore({ params: { projectId, trashId } });
    assert.equal(await (await admin.getProjectJobRejects({ params })).text(), collection);
    assert.deepEqual(await usage(), before);
  }
  await ways[1]!();
  await admin.deleteProjectTrashItem({ params: { projectId, trashId: (await trash())._id } });
  const { trash: left } = await usage();
  assert.equal(left.bytes, 0);
  const { rows } =
    await sql`select from blob where project_id = ${projectId} and unneeded_since is not null`.execute(
      context.db,
    );
  assert.equal(rows.length, 1);
});

test('if the rejected features could not be stored, the response does not say that there were none', async () => {
  const { client, params } = await hold();
  await client.postRunnerJobFail({ params: { jobId: params.jobId }, body: failure });
  await context.db.deleteFrom('job_file').where('job_id', '=', params.jobId).execute();
  await assert.rejects(admin.getProjectJobRejects({ params }), { status: 404, message: /log says why/ });
});

test('a datasource of them shares their bytes, and is not made where the quota has no room for it', async () => {
  const { params } = await hold();
  const { projectId } = params;
  const before = await filesOf(projectId);
  const { blobs } = await admin.getProjectUsage({ params: { projectId } });
  await admin.postProjectJobRejectsDatasource({ params, body: {} });
  const after = await admin.getProjectUsage({ params: { projectId } });
  assert.equal(after.current.bytes - before.bytes, collection.length);
  assert.deepEqual(after.blobs, blobs);
  await admin.putProject({ params: { projectId }, body: { quota: { bytes: after.current.bytes } } });
  const refused = admin.postProjectJobRejectsDatasource({ params, body: { prefix: 'other' } });
  await assert.rejects(refused, { status: 507 });
  assert.deepEqual(await filesOf(projectId), after.current);
});

test('creating one requires the permissions to see the job and to read and write the bucket', async () => {
  const { params } = await hold();
  const all = ['createDatasource', 'getDataBucket', 'getJob', 'uploadToDataBucket'] as const;
  const before = await filesOf(params.projectId);
  const publish = (permissions: readonly (typeof all)[number][]) => {
    const caller = {
      ...superUser(adminId),
      isAdmin: false,
      isSuperUser: false,
      permissions: new Set(permissions),
    };
    return publishRejects(context, caller, { ...params, body: {} });
  };
  for (const missing of all.slice(1))
    await assert.rejects(publish(all.filter((one) => one !== missing)), { code: 'forbidden' });
  assert.deepEqual(await filesOf(params.projectId), before, 'no file is left in the bucket');
  assert.equal((await publish(all)).type, 'geojson');
});
