import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { hashSecret, newSecret } from '../server/base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../server/jobs/runners/enrolment-store.ts';
import { projectWithCities, tilingTask } from '../server/jobs/tasks/testing.ts';
import { startService } from '../server/testing.ts';
import { clientFor } from './job-client.ts';
import { startReport } from './report.ts';

const service = await startService();
const { admin, app, as, context } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

test('lines that are too long to be sent together arrive one batch after the other', async () => {
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const enrolment = { enrolmentToken, name: 'R', labels: [], version: '' };
  const runner = as((await as().postRunnerEnrol({ body: enrolment })).token);
  const { projectId, bucketId } = await projectWithCities(service);
  await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId) });
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 0 } });
  const { jobId, token } = job!;
  const report = startReport(clientFor(url, token), jobId);
  const at = new Date().toISOString();
  for (let i = 0; i < 400; i++) report.log({ at, level: 'info', message: '€'.repeat(10_000) });
  await report.close();
  const { lastSeq } = await admin.getProjectJobLog({ params: { projectId, jobId }, query: { limit: 1 } });
  assert.equal(lastSeq, 400);
});
