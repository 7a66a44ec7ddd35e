import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { authoriseRunner } from '../runners/authorise-runner.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { claimJob } from './claim.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { startService } from '../../testing.ts';
import { projectOf, queued } from './testing.ts';

const service = await startService();
const { admin, as, context } = service;

async function someRunner(name: string) {
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const { token } = await as().postRunnerEnrol({ body: { enrolmentToken, name, labels: [], version: '' } });
  const credential = { hash: hashSecret(token), address: '', now: context.now() };
  return authoriseRunner(context, 'runner', {}, credential as never);
}

test('a job whose runner disconnects while claiming it is queued again, or aborted if that was requested', async () => {
  const projectId = await projectOf(service, 'Hung up');
  const runner = await someRunner('hung up');
  const jobId = await queued(service, projectId);
  const options = { waitSeconds: 0, signal: AbortSignal.abort() };
  const params = { projectId, jobId };
  assert.deepEqual(await claimJob(context, runner, options), {});
  assert.equal((await admin.getProjectJob({ params })).state, 'queued');
  // in the very moment
  await sql`create function abort_now() returns trigger language plpgsql as $$ begin
    new.abort_requested := true; return new; end $$`.execute(context.db);
  await sql`create trigger aborts_now before update of attempt on job for each row
    when (new.state = 'running') execute function abort_now()`.execute(context.db);
  assert.deepEqual(await claimJob(context, runner, options), {});
  assert.equal((await admin.getProjectJob({ params })).state, 'aborted');
});
