import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { startService } from '../../testing.ts';
import { takeNextJob } from './claim.ts';
import { leaseClock } from './lease.ts';
import { enrolledRunner, holdNext, multiply, projectOf, queued } from './testing.ts';

const service = await startService();
const { admin, context } = service;
const { db } = context;
const runner = await enrolledRunner(service, 'first');
const [large, small, third] = await Promise.all(
  ['large', 'small', 'third'].map((name) => projectOf(service, name)),
);
const eight = await Promise.all(
  [1, 2, 3, 4, 5, 6, 7, 8].map((n) => enrolledRunner(service, `of eight ${n}`)),
);

beforeEach(() => db.deleteFrom('job').execute());

const projectsOf = new Map([
  [large, 'large'],
  [small, 'small'],
  [third, 'third'],
]);
async function nameOf(jobId: string): Promise<string> {
  const { project_id: id } = await db
    .selectFrom('job')
    .select('project_id')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  return projectsOf.get(id)!;
}

/** Whose jobs a runner is given, one after the other. */
async function served(times: number): Promise<string[]> {
  const names: string[] = [];
  for (let i = 0; i < times; i++) {
    const held = (await holdNext(service, runner))!;
    names.push(await nameOf(held.jobId));
    await held.complete();
  }
  return names;
}

test('with one runner the projects take turns, however many jobs one of them has, whatever their priority', async () => {
  await multiply(service, await queued(service, large!, { priority: 1_000_000 }), 1000);
  assert.deepEqual(await served(2), ['large', 'large']);
  await queued(service, small!, { priority: -1_000_000 });
  await multiply(service, await queued(service, third!), 2);
  assert.deepEqual((await served(3)).toSorted(), ['large', 'small', 'third']);
  assert.deepEqual((await served(3)).toSorted(), ['large', 'large', 'third']);
});

test('if one project occupies eight runners, the next free one goes to the other project', async () => {
  await multiply(service, await queued(service, large!), 1000);
  const held = await Promise.all(eight.map((one) => holdNext(service, one)));
  await queued(service, small!);
  await held[0]!.complete();
  const next = await holdNext(service, eight[0]!);
  assert.equal(await nameOf(next!.jobId), 'small');
});

test('runners that ask at the same time spread over the projects', async () => {
  await multiply(service, await queued(service, large!), 100);
  await multiply(service, await queued(service, small!), 100);
  const names: string[] = [];
  for (let round = 0; round < 12; round++) {
    const held = await Promise.all(eight.map((one) => holdNext(service, one)));
    names.push(...(await Promise.all(held.map((one) => nameOf(one!.jobId)))));
    await Promise.all(held.map((one) => one!.complete()));
  }
  const ofSmall = names.filter((name) => name === 'small').length;
  assert.ok(ofSmall >= 30 && ofSmall <= 66, `${ofSmall} of 96`);
});

test('an inspection with a waiting user precedes all tasks, and one without follows them', async () => {
  const task = await queued(service, large!, { priority: 5 });
  const urgent = await queued(service, large!);
  const later = await queued(service, small!, { priority: 9 });
  await sql`update job set band = 1 where id = ${urgent}`.execute(db);
  await sql`update job set band = -1 where id = ${later}`.execute(db);
  const order: string[] = [];
  for (let i = 0; i < 3; i++) order.push((await holdNext(service, runner))!.jobId);
  assert.deepEqual(order, [urgent, task, later]);
});

/** How many rows of jobs a claim looks at. */
function looksOf(labels: string[]): Promise<{ jobId: string | undefined; rows: number }> {
  return db.transaction().execute(async (tx) => {
    const count = async () => {
      const { rows } = await sql<{ rows: number }>`select idx_tup_fetch + seq_tup_read as rows
        from pg_stat_xact_user_tables where relname = 'job'`.execute(tx);
      return rows[0]!.rows;
    };
    const before = await count();
    const { settings } = context;
    const tokenHash = Buffer.alloc(32);
    const who = { runnerId: 'r', labels, typeNames: null, tokenHash };
    const row = await takeNextJob(tx, { ...who, now: new Date(), clock: leaseClock(context), settings });
    return { jobId: row === 'contended' ? row : row?.id, rows: (await count()) - before };
  });
}

test('ended, waiting and incompatible jobs do not slow down a claim', async () => {
  const wide = Array.from({ length: 50 }, (_, index) => `${index} `.padEnd(100, 'x')); // longer than an index takes
  await multiply(service, await queued(service, large!, { priority: 9, labels: ['gpu'] }), 2000);
  await multiply(service, await queued(service, large!, { priority: 9, labels: wide }), 2000);
  const ended = await queued(service, large!);
  await multiply(service, ended, 2000);
  await sql`update job set state = 'succeeded' where labels = '{}'`.execute(db);
  assert.equal((await looksOf([])).jobId, undefined);
  const mine = await queued(service, large!);
  await multiply(service, mine, 2000);
  const first = await looksOf([]);
  assert.equal(first.jobId, mine);
  assert.ok(first.rows < 100, `${first.rows} rows`);
  const gpu = await looksOf(['large', 'gpu']);
  assert.ok(gpu.jobId !== undefined && gpu.jobId !== mine);
  assert.ok(gpu.rows < 100, `${gpu.rows} rows`);
});

test('the most urgent job for the labels and types is first, then the oldest', async () => {
  const both = await enrolledRunner(service, 'of two labels', { labels: ['a', 'b'] });
  const first = await queued(service, large!, { labels: ['a'], priority: 3 });
  const fourth = await queued(service, large!, { labels: ['a'], priority: 1 });
  const second = await queued(service, large!, { labels: ['b'], priority: 2 });
  const next = await queued(service, large!, { priority: 2 });
  const order: string[] = [];
  for (let i = 0; i < 4; i++) order.push((await holdNext(service, both))!.jobId);
  assert.deepEqual(order, [first, second, next, fourth]);
});

test('a runner is given only types that it knows', async () => {
  await queued(service, large!);
  const other = await enrolledRunner(service, 'of other types', { typeNames: ['TilesVector', 'Inspect'] });
  assert.equal(await holdNext(service, other), undefined);
  const knows = await enrolledRunner(service, 'of this type', { typeNames: ['CheckRunner'] });
  assert.ok(await holdNext(service, knows));
});

test('the number of concurrent jobs of a project is limited by its quota, also with eight simultaneous claims', async () => {
  const body = { quota: { runningJobs: 3 } };
  const params = { projectId: large! };
  assert.deepEqual((await admin.putProject({ params, body })).quota, body.quota);
  assert.deepEqual((await admin.getProjectUsage({ params })).quota, body.quota);
  await multiply(service, await queued(service, large!), 60);
  let max = 0;
  let done = 0;
  const running = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) from job where state = 'running'`.execute(
      db,
    );
    return rows[0]!.count;
  };
  await Promise.all(
    eight.map(async (one) => {
      for (let held = await holdNext(service, one, 1); held; held = await holdNext(service, one, 1)) {
        max = Math.max(max, await running());
        await held.complete();
        if (++done >= 60 - 3) return;
      }
    }),
  );
  assert.equal(max, 3);
  await admin.putProject({ params, body: { quota: {} } });
});

test('the end of a job of a project that is full wakes the runners that wait, whatever the end is', async (t) => {
  const params = { projectId: large! };
  await admin.putProject({ params, body: { quota: { runningJobs: 1 } } });
  await multiply(service, await queued(service, large!), 4);
  let held = (await holdNext(service, runner))!;
  const ends = [
    () => held.complete(),
    () => held.fail({ code: 'bad' }),
    () => held.fail({ code: 'gone', isTransient: true }),
  ];
  for (const end of ends) {
    const waiting = holdNext(service, eight[0]!, 20);
    await assertWaits(waiting);
    const started = performance.now();
    await end();
    held = (await waiting)!;
    assertSoon(t, started);
  }
  const started = performance.now();
  await queued(service, large!);
  const waiting = holdNext(service, eight[0]!, 20);
  await assertWaits(waiting);
  await admin.putProject({ params, body: { quota: {} } });
  assert.ok(await waiting);
  assertSoon(t, started); // a higher quota wakes them, too
});

/** Long before who waits would look again by itself. */
function assertSoon(t: TestContext, started: number): void {
  const tookMs = performance.now() - started;
  t.diagnostic(`woken after ${tookMs.toFixed(0)} ms`);
  assert.ok(tookMs < 10_000, `${tookMs} ms`);
}

async function assertWaits(promise: Promise<unknown>): Promise<void> {
  const { promise: later, resolve } = Promise.withResolvers<string>();
  setTimeout(() => resolve('waits'), 200);
  assert.equal(await Promise.race([promise, later]), 'waits');
}

test('the limit of the service holds where a project has none, and nothing runs of one that may run nothing', async () => {
  const strict = await startService({ settings: { maxRunningJobs: 1 } });
  const one = await enrolledRunner(strict, 'one');
  const [usual, none] = await Promise.all(['usual', 'none'].map((name) => projectOf(strict, name)));
  await strict.admin.putProject({ params: { projectId: none! }, body: { quota: { runningJobs: 0 } } });
  await multiply(strict, await queued(strict, usual!), 2);
  await queued(strict, none!);
  assert.ok(await holdNext(strict, one));
  assert.equal(await holdNext(strict, one), undefined);
  const { quota } = await strict.admin.getProjectUsage({ params: { projectId: usual! } });
  assert.deepEqual(quota, { runningJobs: 1 });
});

test('only admins set how many jobs of a project may run', async () => {
  const { id, client } = await service.user('manager');
  await admin.putProjectUser({
    params: { projectId: small!, userId: id },
    body: { roleId: 'projectManager' },
  });
  const change = client.putProject({ params: { projectId: small! }, body: { quota: { runningJobs: 100 } } });
  await assert.rejects(change, { status: 403 });
  const wrong = admin.putProject({ params: { projectId: small! }, body: { quota: { runningJobs: -1 } } });
  await assert.rejects(wrong, { status: 400 });
});

test('a job locked for a moment is not overlooked by a waiting runner', async (t) => {
  await queued(service, large!);
  const claimed = await db.transaction().execute(async (tx) => {
    await sql`select id from job where state = 'queued' for update`.execute(tx);
    const waiting = holdNext(service, runner, 20);
    await assertWaits(waiting);
    return { waiting };
  });
  const started = performance.now();
  assert.ok(await claimed.waiting, 'nobody tells of the end of a lock');
  assertSoon(t, started);
});
