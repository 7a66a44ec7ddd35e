import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { runService, type RunningService } from '@platen/e2e/processes';
import pg from 'pg';
import { databaseUrl } from './database-url.ts';
import { openConnection, type Connection } from './keep-asking.ts';
import { median } from './load.ts';
import { print, printAtMost, printRatio } from './report.ts';

const runners = 8;
const rounds = 5;
const jobsOfRound = 2000;
const few = 1000;
const many = Number(process.env['BENCH_FINISHED_JOBS'] ?? 1_000_000);
const claimsTimed = 1000;
const enrolmentToken = 'for this benchmark and nothing else';

/**
 * Jobs claimed and completed over HTTP by as many runners as wait, without a process that runs them, beside the round trips
 * and commits that this needs, made bare; then what a claim takes with many jobs behind it.
 */
export async function benchQueue(): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0', PLATEN_ENROLMENT_TOKEN: enrolmentToken } });
  const db = new pg.Pool({ connectionString: databaseUrl(service), max: runners });
  try {
    const first = await makeJob(service);
    const all = await Promise.all(Array.from({ length: runners }, (_, n) => enrol(service, `bench ${n}`)));
    await benchRate(db, first, all);
    await benchPast(db, first, all[0]!);
    for (const { connection } of all) connection.end();
  } finally {
    await db.end();
    await service.stop();
  }
}

interface Runner {
  readonly connection: Connection;
  readonly token: string;
}

async function enrol({ url, port }: RunningService, name: string): Promise<Runner> {
  const body = { enrolmentToken, name, labels: [], version: '' };
  const { token } = await createClient(apiEndpoints, { baseUrl: url }).postRunnerEnrol({ body });
  return { connection: await openConnection(port), token };
}

/** The others are copies of this one. */
async function makeJob({ client }: RunningService): Promise<string> {
  const project = { name: 'Bench', description: '', bbox: [0, 0, 1, 1] };
  const { _id: projectId } = await client.postProject({ body: project });
  const body = { name: 'Nothing', jobType: 'platenCheckRunner', parameters: { options: {} } };
  return (await client.postProjectTask({ params: { projectId }, body })).lastJobId!;
}

async function benchRate(db: pg.Pool, first: string, all: readonly Runner[]): Promise<void> {
  await db.query(
    'create table bare (id integer primary key, state text, filler text) with (fillfactor = 80)',
  );
  await db.query(`insert into bare select n, 'queued', repeat('x', 500) from generate_series(1, $1) n`, [
    jobsOfRound,
  ]);
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await multiply(db, first, { state: 'queued', count: jobsOfRound, mark: `r${round}-` });
    const ours = await rateOf(all, ({ connection, token }) => claimAndComplete(connection, token));
    const theirs = await rateOf(all, () => bareRoundTrips(db));
    print(`claim and complete: ${ours.toFixed(0)}/s, bare ${theirs.toFixed(0)}/s`);
    if (round === 0) continue; // warms both up
    ratios.push(ours / theirs);
    rates.push(ours);
  }
  printRatio(`claimed and completed per second, ${runners} runners`, median(rates), 800);
  printRatio('ours / bare round trips and commits', median(ratios), 0.3);
}

/** How often per second it is done when all do it at once, as often as there are jobs. */
async function rateOf(all: readonly Runner[], work: (runner: Runner) => Promise<void>): Promise<number> {
  let left = jobsOfRound;
  const start = performance.now();
  await Promise.all(
    all.map(async (runner) => {
      while (left-- > 0) await work(runner);
    }),
  );
  return jobsOfRound / ((performance.now() - start) / 1000);
}

interface ClaimReply {
  readonly job?: { readonly jobId: string; readonly token: string };
}

async function claimAndComplete(connection: Connection, token: string): Promise<void> {
  const { job } = await claim(connection, token);
  await connection.post(`/api/v1/runner/job/${job.jobId}/complete`, job.token, '{"warnings":[]}');
}

async function claim(connection: Connection, token: string): Promise<Required<ClaimReply>> {
  const { job } = (await connection.post('/api/v1/runner/claim', token, '{"waitSeconds":1}')) as ClaimReply;
  if (!job) throw new Error('There was no job, although there are some.');
  return { job };
}

let next = 0;

/** Whose token it is, and a change; twice. */
async function bareRoundTrips(db: pg.Pool): Promise<void> {
  const id = (next++ % jobsOfRound) + 1;
  for (const state of ['running', 'succeeded']) {
    await db.query({ name: 'look', text: 'select id, state from bare where id = $1', values: [id] });
    await db.query({ name: 'change', text: 'update bare set state = $2 where id = $1', values: [id, state] });
  }
}

async function benchPast(db: pg.Pool, first: string, { connection, token }: Runner): Promise<void> {
  const timesMs: number[] = [];
  for (const count of [few, many]) {
    await db.query(`delete from job where id <> $1`, [first]);
    await multiply(db, first, { state: 'succeeded', count, mark: 'done-' });
    await multiply(db, first, { state: 'queued', count: 2 * claimsTimed, mark: 'next-' });
    await db.query('vacuum analyze job');
    const times: number[] = [];
    for (let n = 0; n < 2 * claimsTimed; n++) {
      const start = performance.now();
      const { job } = await claim(connection, token);
      times.push(performance.now() - start);
      await connection.post(`/api/v1/runner/job/${job.jobId}/complete`, job.token, '{"warnings":[]}');
    }
    const ms = median(times.slice(claimsTimed)); // the first half warms up
    print(`a claim with ${count} finished jobs: ${ms.toFixed(2)} ms`);
    timesMs.push(ms);
  }
  printAtMost(`% of that with ${few}, with ${many} finished jobs`, (100 * timesMs[1]!) / timesMs[0]!, 120);
}

interface Copies {
  readonly state: string;
  readonly count: number;
  readonly mark: string;
}

const atOnce = 20_000;

/** Without what a change of jobs tells and counts: that is not what is measured here. */
async function multiply(db: pg.Pool, jobId: string, { state, count, mark }: Copies): Promise<void> {
  const client = await db.connect();
  try {
    for (let from = 1; from <= count; from += atOnce) {
      await client.query('begin');
      await client.query('alter table job disable trigger user');
      await client.query(
        `insert into job (id, project_id, task_id, job_type, type_name, job_version, priority, debug_level, parameters,
          state, created_at, created_by, updated_at, updated_by)
        select $3 || n, project_id, task_id, job_type, type_name, job_version, priority, debug_level, parameters,
          $2, created_at + n * interval '1 ms', created_by, updated_at, updated_by
        from job, generate_series($4::int, $5::int) n where id = $1`,
        [jobId, state, mark, from, Math.min(count, from + atOnce - 1)],
      );
      await client.query('alter table job enable trigger user');
      await client.query('commit');
    }
  } finally {
    client.release();
  }
}
