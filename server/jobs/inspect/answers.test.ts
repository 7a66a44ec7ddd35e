import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Inspection } from '@platen/contract/inspect';
import type { ClaimedJob } from '@platen/contract/runner';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { someoneWaits } from '../queue/testing.ts';
import { projectWithCities, putFile } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { removeProject } from '../../testing-projects.ts';

const service = await startService();
const { admin, adminId, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId, dataBucketId: bucketId };
const enrolmentToken = newSecret();
await allowEnrolment(context.db, hashSecret(enrolmentToken));
const { token } = await service.as().postRunnerEnrol({
  body: { enrolmentToken, name: 'by hand', labels: [], version: '' },
});
const runner = service.as(token);

/** Each time of another content. */
let files = 0;

/** What the endpoint answers when a runner, played by the test, ends the job in this way. */
async function answerAfter(
  end: (job: ClaimedJob, holder: typeof admin) => Promise<unknown>,
): Promise<Inspection> {
  const key = `file-${++files}.geojson`;
  await putFile(context, { projectId, bucketId, key, by: adminId }, `{"file":${files}}`);
  const answering = admin.postProjectDataBucketInspect({ params, query: { key } });
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 10 } });
  await end(job!, service.as(job!.token));
  const answer = await answering;
  assert.ok(!('jobId' in answer));
  return answer;
}

const complete = (report: Record<string, unknown>) =>
  answerAfter(({ jobId }, holder) =>
    holder.postRunnerJobComplete({ params: { jobId }, body: { report, warnings: [] } }),
  );

const codes = ({ issues }: Inspection) => issues.map(({ code }) => code);

test('a waiting request gets the report as soon as the job ends', async () => {
  const report = { format: 'x', formatTitle: 'X', layers: [], issues: [], uses: [] };
  const started = performance.now();
  const answer = await complete(report);
  assert.deepEqual(answer, { key: 'file-1.geojson', size: 10, ...report });
  assert.ok(performance.now() - started < 5000);
});

test('a runner is given the file, and where the data of the project probably are', async () => {
  await answerAfter(async ({ jobId, jobType, inputs, options }, holder) => {
    assert.equal(jobType, 'platenInspect');
    const sha256 = createHash('sha256').update('{"file":2}').digest('hex');
    assert.deepEqual(inputs, [{ kind: 'file', name: 'file-2.geojson', size: 10, sha256 }]);
    assert.deepEqual(options, { area: (await admin.getProject({ params: { projectId } })).bbox });
    const file = await holder.getRunnerJobInput({ params: { jobId, index: '0' } });
    assert.equal(await file.text(), '{"file":2}');
    const report = { layers: [], issues: [], uses: [] };
    await holder.postRunnerJobComplete({ params: { jobId }, body: { report, warnings: [] } });
  });
});

test('unexpected output of a process that reads a hostile file is not passed on', async () => {
  for (const report of [{}, { layers: 'all', issues: [] }, { layers: [], issues: [], extra: '<script>' }])
    assert.deepEqual(codes(await complete(report)), ['brokenReport']);
});

test('a report that is too long makes the job fail, and that is the answer', async () => {
  const answer = await complete({ layers: [], issues: [], text: 'x'.repeat(256 * 1024) });
  assert.deepEqual(answer.layers, []);
  assert.match(answer.issues[0]!.message, /256 KiB/);
});

test('a crashed job is an answer, and is retried on the next request', async () => {
  const answer = await answerAfter(({ jobId }, holder) =>
    holder.postRunnerJobFail({
      params: { jobId },
      body: { code: 'crashed', message: 'It ended.', warnings: [] },
    }),
  );
  assert.deepEqual(answer.issues, [{ code: 'crashed', message: 'It ended.', count: 1 }]);
  const again = await admin.postProjectDataBucketInspect({
    params,
    query: { key: answer.key, waitSeconds: 0 },
  });
  assert.ok('jobId' in again && again.state === 'queued');
  const same = await admin.postProjectDataBucketInspect({
    params,
    query: { key: answer.key, waitSeconds: 0 },
  });
  assert.deepEqual(same, again);
  const waits = someoneWaits(service, 'jobEnded');
  const waiting = admin.postProjectDataBucketInspect({ params, query: { key: answer.key } });
  await waits; // or the abort comes first, and a new job is asked for
  await admin.putProjectJobAbort({ params: { projectId, jobId: again.jobId } });
  assert.deepEqual(codes((await waiting) as Inspection), ['aborted']);
});

test('inspections overtake what was queued before, and leave with their project', async () => {
  const body = {
    name: 'Tiles',
    jobType: 'platenTilesVector',
    priority: 1_000_000,
    parameters: {
      datasource: { command: 'create', name: 'Tiles' },
      options: { input: { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' } },
    },
  };
  await admin.postProjectTask({ params: { projectId }, body });
  const query = { key: 'cities.geojson', waitSeconds: 0 };
  const pending = await admin.postProjectDataBucketInspect({ params, query });
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 10 } });
  assert.ok('jobId' in pending && pending.jobId === job!.jobId);
  await removeProject(admin, projectId);
  assert.equal((await context.db.selectFrom('job').select('id').execute()).length, 0);
});
