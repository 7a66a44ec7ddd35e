import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { enrolRunner, setEnrolmentToken } from './enrolment-store.ts';
import { someoneWaits } from '../queue/testing.ts';
import { startService } from '../../testing.ts';
import { version } from '../../base/version.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, as, context } = service;
const project = await admin.postProject({ body: { name: 'P', description: '', bbox: [0, 0, 1, 1] } });
const params = { projectId: project._id };
const { token: enrolmentToken } = await admin.postAdminEnrolmentToken({
  body: { name: 'for tests', hours: 48 },
});
const capabilities = { cores: 4, memoryMegabytes: 2048, platform: 'linux x64', node: '26.10.0' };
const about = { labels: ['large'], version, typeNames: ['CheckRunner'], capabilities };

async function enrol(name: string, overrides: Partial<typeof about> = {}) {
  const body = { enrolmentToken, name, ...about, ...overrides };
  const { runnerId, token } = await as().postRunnerEnrol({ body });
  return { runnerId, token, client: as(token) };
}

async function queue(change: object = {}): Promise<string> {
  const body = { name: 'T', jobType: 'platenCheckRunner', parameters: { options: {} }, ...change };
  return (await admin.postProjectTask({ params, body })).lastJobId!;
}

const claim = (client: ReturnType<typeof as>, waitSeconds = 0) =>
  client.postRunnerClaim({ body: { waitSeconds } });
const get = (runnerId: string) => admin.getAdminRunner({ params: { runnerId } });
const stateOf = async (runnerId: string) => (await get(runnerId)).state;
const jobOf = (jobId: string) => admin.getProjectJob({ params: { ...params, jobId } });

test('a runner is listed with its description, idle, then busy with its job, and with the results of its jobs', async () => {
  const { runnerId, client } = await enrol('telling');
  const { createdAt, seenAt, ...shown } = await get(runnerId);
  assert.ok(createdAt <= seenAt);
  assert.deepEqual(shown, {
    _id: runnerId,
    name: 'telling',
    state: 'idle',
    isEmbedded: false,
    isOutdated: false,
    lastHour: { succeeded: 0, failed: 0 },
    ...about,
  });
  const jobId = await queue();
  const { job } = await claim(client);
  assert.equal(job?.jobId, jobId);
  const busy = await get(runnerId);
  const { taskId } = await jobOf(jobId);
  const held = { jobId, projectId: params.projectId, taskId, jobType: 'platenCheckRunner', attempt: 1 };
  assert.deepEqual([busy.state, busy.job], ['busy', held]);
  await as(job.token).postRunnerJobComplete({ params: { jobId }, body: { report: {}, warnings: [] } });
  await queue();
  const { job: second } = await claim(client);
  const failure = { code: 'x', message: 'y', warnings: [] };
  await as(second!.token).postRunnerJobFail({ params: { jobId: second!.jobId }, body: failure });
  const idle = await get(runnerId);
  assert.deepEqual([idle.state, idle.job, idle.lastHour], ['idle', undefined, { succeeded: 1, failed: 1 }]);
  offsetMs += 3_600_001;
  assert.deepEqual((await get(runnerId)).lastHour, { succeeded: 0, failed: 0 });
});

test('a runner is given jobs of the types that it knows and of no other', async () => {
  const { client } = await enrol('tiler', { typeNames: ['TilesVector'] });
  const jobId = await queue();
  assert.equal((await claim(client)).job, undefined);
  const { client: other } = await enrol('checker');
  assert.equal((await claim(other)).job?.jobId, jobId);
  await admin.putProjectJobAbort({ params: { ...params, jobId } });
});

test('a runner not seen for a minute is offline; with heartbeats it is busy', async () => {
  const { runnerId, client } = await enrol('silent');
  offsetMs += 59_000;
  assert.equal(await stateOf(runnerId), 'idle');
  offsetMs += 2_000;
  assert.equal(await stateOf(runnerId), 'offline');
  const jobId = await queue();
  const { job } = await claim(client);
  for (let beat = 0; beat < 8; beat++) {
    offsetMs += 14_000;
    await as(job!.token).postRunnerJobHeartbeat({ params: { jobId }, body: { waitMs: 0 } });
  }
  assert.equal(await stateOf(runnerId), 'busy');
  const body = { report: {}, warnings: [] };
  await as(job!.token).postRunnerJobComplete({ params: { jobId }, body });
});

test('a runner that signs off is stopped, its job is queued again, and when it returns it is idle', async () => {
  const { runnerId, client } = await enrol('polite');
  const jobId = await queue();
  await claim(client);
  await client.postRunnerGoodbye();
  const stopped = await get(runnerId);
  assert.equal(stopped.state, 'stopped');
  assert.ok(stopped.stoppedAt);
  assert.equal((await jobOf(jobId)).state, 'queued');
  offsetMs += 120_000;
  assert.equal(await stateOf(runnerId), 'stopped');
  const body = { labels: ['small'], version: '0.0.1' };
  assert.deepEqual(await client.putRunnerRegistration({ body }), { runnerId, name: 'polite' });
  const { state, labels, isOutdated, typeNames, capabilities: had, stoppedAt } = await get(runnerId);
  assert.deepEqual(
    [state, labels, isOutdated, typeNames, had, stoppedAt],
    ['idle', ['small'], true, undefined, undefined, undefined],
  );
  await admin.putProjectJobAbort({ params: { ...params, jobId } });
});

test('runners are found by state, label and name', async () => {
  const { runnerId } = await enrol('findable one', { labels: ['rare', 'other'] });
  const found = async (query: object) => (await admin.getAdminRunners({ query })).items.map(({ _id }) => _id);
  assert.deepEqual(await found({ label: ['rare'] }), [runnerId]);
  assert.deepEqual(await found({ name: ['FINDABLE'] }), [runnerId]);
  assert.deepEqual(await found({ label: ['rare'], state: ['idle', 'busy'] }), [runnerId]);
  assert.deepEqual(await found({ label: ['rare'], state: ['offline'] }), []);
  const query = { state: ['lost'] } as never;
  await assert.rejects(admin.getAdminRunners({ query }), { status: 400 });
  await assert.rejects(get('nobody'), { status: 404 });
});

test('a removed runner can do nothing more, and its job goes to others', async () => {
  const { runnerId, client } = await enrol('removed');
  const jobId = await queue();
  const { job } = await claim(client);
  assert.deepEqual(await admin.deleteAdminRunner({ params: { runnerId } }), { numberOfDeletedItems: 1 });
  assert.equal((await jobOf(jobId)).state, 'queued');
  await assert.rejects(claim(client), { status: 401 });
  const body = { report: {}, warnings: [] };
  await assert.rejects(as(job!.token).postRunnerJobComplete({ params: { jobId }, body }), { status: 401 });
  const { client: other } = await enrol('heir');
  assert.equal((await claim(other)).job?.attempt, 2);
  await assert.rejects(admin.deleteAdminRunner({ params: { runnerId } }), { status: 404 });
  const { items } = await admin.getAudit({ query: { action: ['runner.delete'] } });
  assert.deepEqual([items[0]?.targetId, items[0]?.detail['name']], [runnerId, 'removed']);
});

test('a runner that waits for a job when it is removed is given none', async () => {
  const { runnerId, client } = await enrol('waiting');
  const waits = someoneWaits(service, 'jobQueued');
  const waiting = claim(client, 20);
  await waits;
  await admin.deleteAdminRunner({ params: { runnerId } });
  const jobId = await queue();
  assert.deepEqual(await waiting, {});
  assert.equal((await jobOf(jobId)).state, 'queued');
  await admin.putProjectJobAbort({ params: { ...params, jobId } });
});

test('a runner that waits when it is removed is given none even where the word of it is missed', async () => {
  const { runnerId, client } = await enrol('unheard');
  const waits = someoneWaits(service, 'jobQueued');
  const waiting = claim(client, 20);
  await waits;
  await context.db.deleteFrom('runner').where('id', '=', runnerId).execute();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'platen notifications' and datname = current_database()`.execute(context.db);
  for (const isLive of [false, true]) while (context.notifications.isLive() !== isLive) await sleep(5);
  const jobId = await queue();
  assert.deepEqual(await waiting, {});
  assert.equal((await jobOf(jobId)).state, 'queued');
  await admin.putProjectJobAbort({ params: { ...params, jobId } });
});

test('an enrolled runner cannot replace an embedded one, which is removed only once it is gone', async () => {
  const row = { id: 'embedded-1', name: 'beside', labels: [], version, isEmbedded: true };
  const id = await enrolRunner(context.db, { ...row, tokenHash: hashSecret('a secret'), now: context.now() });
  await assert.rejects(enrol('beside'), { status: 409 });
  const path = { params: { runnerId: id! } };
  assert.equal((await get(id!)).isEmbedded, true);
  await assert.rejects(admin.deleteAdminRunner(path), { status: 409 });
  offsetMs += 61_000;
  await admin.deleteAdminRunner(path);
});

test('an enrolment token is shown once, is good until it expires or is removed, and leaves an entry each time', async () => {
  const body = { name: 'short', hours: 0.5 };
  const made = await admin.postAdminEnrolmentToken({ body });
  const { token, ...shown } = made;
  const { items } = await admin.getAdminEnrolmentTokens({ query: { name: ['short'] } });
  assert.deepEqual(items, [shown]);
  const use = (secret: string) =>
    as().postRunnerEnrol({ body: { enrolmentToken: secret, name: 'by token', labels: [], version } });
  const { runnerId } = await use(token);
  offsetMs += 1_800_001;
  await assert.rejects(use(token), { status: 401 });
  assert.equal((await admin.getAdminEnrolmentTokens({ query: { name: ['short'] } })).totalCount, 0);
  const { token: next, _id: enrolmentTokenId } = await admin.postAdminEnrolmentToken({ body });
  await admin.deleteAdminEnrolmentToken({ params: { enrolmentTokenId } });
  await assert.rejects(use(next), { status: 401 });
  await assert.rejects(admin.deleteAdminEnrolmentToken({ params: { enrolmentTokenId } }), { status: 404 });
  assert.equal((await get(runnerId)).name, 'by token');
  const { items: entries } = await admin.getAudit({ query: { targetId: [enrolmentTokenId] } });
  assert.deepEqual(entries.map(({ action }) => action).toSorted(), [
    'enrolmentToken.create',
    'enrolmentToken.delete',
  ]);
  assert.equal(JSON.stringify(entries).includes(next), false);
});

test('no copy of an enrolment token is kept for a request that is sent again', async () => {
  const send = () =>
    service.app.inject({
      method: 'POST',
      url: '/api/v1/admin/enrolment-token',
      headers: { authorization: `Bearer ${service.adminToken}`, 'idempotency-key': 'again' },
      payload: { hours: 1 },
    });
  const [first, second] = [(await send()).json(), (await send()).json()];
  assert.notEqual(first.token, second.token);
});

test('the configured token is not in any list', async () => {
  await setEnrolmentToken(context.db, hashSecret('of the configuration'));
  const { items } = await admin.getAdminEnrolmentTokens();
  assert.deepEqual(
    items.map(({ name }) => name).filter((name) => name !== 'for tests' && name !== ''),
    [],
  );
  const body = { enrolmentToken: 'of the configuration', name: 'configured', labels: [], version };
  await as().postRunnerEnrol({ body });
});

test('implausible descriptions of runners are refused', async () => {
  for (const invalid of [
    { typeNames: ['../x'] },
    { capabilities: { ...capabilities, cores: 0 } },
    { capabilities: { ...capabilities, surplus: 1 } },
    { labels: Array.from({ length: 51 }, String) },
  ])
    await assert.rejects(enrol('strange', invalid as never), { status: 400 });
  for (const hours of [0, -1, 9000])
    await assert.rejects(admin.postAdminEnrolmentToken({ body: { hours } as never }), { status: 400 });
});
