import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runService, type RunningService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { print } from './report.ts';

const count = Number(process.env['BENCH_JOBS'] ?? 1_000_000);
const few = 1000;
const rounds = 15;
const limitMs = 60;
const tasks = 200;
const spread = 100;

const tiles = 'platenTilesVector';
const seldom = 'platenFetchUrl';
const deepest = Math.floor(count / 20) - 1;

type Query = Readonly<Record<string, string | readonly string[]>>;

interface Case {
  /** The list of one project, or of all projects. */
  readonly at: 'one' | 'small' | 'all' | 'few';
  readonly query: Query;
  /** The statement of a bare connection for the same page, without the count. */
  readonly where: string;
  readonly order?: string;
  readonly isDeep?: true;
}

interface World {
  readonly one: string;
  readonly small: string;
  readonly few: string;
  readonly task: string;
  readonly smallTask: string;
}

const hour = (from: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + from * 3_600_000).toISOString();

function casesOf({ one, small, task, smallTask, few: fewId }: World): Case[] {
  const inOne = `project_id = '${one}'`;
  const ranges = (at: 'one' | 'all', where: string): Case[] => [
    {
      at,
      query: { startTime: `${hour(100)}/${hour(110)}` },
      where: `${where} and start_time between '${hour(100)}' and '${hour(110)}'`,
    },
    {
      at,
      query: { endTime: `${hour(200)}/${hour(210)}` },
      where: `${where} and end_time between '${hour(200)}' and '${hour(210)}'`,
    },
    {
      at,
      query: { createdAt: `${hour(500)}/${hour(600)}` },
      where: `${where} and created_at between '${hour(500)}' and '${hour(600)}'`,
    },
    { at, query: { endTime: `${hour(0)}/..` }, where: `${where} and end_time >= '${hour(0)}'`, isDeep: true },
  ];
  return [
    { at: 'one', query: {}, where: inOne },
    { at: 'one', query: { page: '1000' }, where: inOne },
    { at: 'one', query: { page: String(deepest) }, where: inOne, isDeep: true },
    { at: 'one', query: { taskId: task }, where: `task_id = '${task}'` },
    { at: 'one', query: { taskId: smallTask }, where: `task_id = '${smallTask}'` },
    {
      at: 'one',
      query: { taskId: task, state: 'failed' },
      where: `task_id = '${task}' and state = 'failed'`,
    },
    ...['succeeded', 'failed', 'timedOut', 'queued', 'running'].map((state): Case => ({
      at: 'one',
      query: { state },
      where: `${inOne} and state = '${state}'`,
    })),
    {
      at: 'one',
      query: { state: ['failed', 'timedOut'] },
      where: `${inOne} and state in ('failed', 'timedOut')`,
    },
    ...[tiles, seldom].map((jobType): Case => ({
      at: 'one',
      query: { jobType },
      where: `${inOne} and job_type = '${jobType}'`,
    })),
    {
      at: 'one',
      query: { jobType: tiles, state: 'failed' },
      where: `${inOne} and job_type = '${tiles}' and state = 'failed'`,
    },
    ...ranges('one', inOne),
    { at: 'one', query: { orderBy: 'startTime' }, where: inOne, order: 'start_time', isDeep: true },
    {
      at: 'one',
      query: { orderBy: 'endTime', sort: 'desc' },
      where: inOne,
      order: 'end_time desc',
      isDeep: true,
    },
    {
      at: 'one',
      query: { errorCode: 'badData' },
      where: `${inOne} and error_code = 'badData'`,
    },
    { at: 'one', query: { label: 'large' }, where: `${inOne} and labels && '{large}'`, isDeep: true },
    { at: 'small', query: {}, where: `project_id = '${small}'` },
    { at: 'small', query: { state: 'failed' }, where: `project_id = '${small}' and state = 'failed'` },
    { at: 'small', query: { jobType: seldom }, where: `project_id = '${small}' and job_type = '${seldom}'` },
    {
      at: 'small',
      query: { startTime: `${hour(100)}/${hour(110)}` },
      where: `project_id = '${small}' and start_time between '${hour(100)}' and '${hour(110)}'`,
    },
    { at: 'all', query: {}, where: 'true' },
    { at: 'all', query: { projectId: small }, where: `project_id = '${small}'` },
    { at: 'all', query: { state: 'timedOut' }, where: `state = 'timedOut'` },
    { at: 'all', query: { state: 'running' }, where: `state = 'running'` },
    { at: 'all', query: { jobType: seldom }, where: `job_type = '${seldom}'` },
    ...ranges('all', 'true'),
    { at: 'few', query: {}, where: `project_id = '${fewId}'` },
  ];
}

/** Measures lists of jobs with their counts, in a project with a million (BENCH_JOBS) and in a hundred with as many. */
export async function benchJobLists(): Promise<void> {
  const kept = process.env['PLATEN_BENCH_DATA'];
  const service = await runService({
    env: { PLATEN_RUNNERS: '0' },
    ...(kept && { dataFolder: join(kept, 'job-lists') }),
  });
  const database = new pg.Client({ connectionString: databaseUrl(service) });
  await database.connect();
  try {
    const world = (await findWorld(database)) ?? (await fill(service, database));
    await database.query('vacuum analyze'); // as PostgreSQL does by itself a minute later
    await untilCounted(database);
    for (const one of casesOf(world)) await compare(service, database, { world, one });
    await timeEnds(database, world);
  } finally {
    await database.end();
    await service.stop();
  }
}

async function compare(
  service: RunningService,
  database: pg.Client,
  { world, one }: { world: World; one: Case },
): Promise<void> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const [ms, bareMs] = [await ask(service, world, one), await askBare(database, one)];
    if (round < 0) continue;
    ours.push(ms);
    bare.push(bareMs);
  }
  const p95 = ours.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95)]!;
  const [middle, peer] = [median(ours), median(bare)];
  const maxMs = one.isDeep ? 500 : limitMs;
  const name = `${one.at} ${new URLSearchParams(pairsOf(one.query)).toString() || 'first page'}`;
  print(
    `${name}: ${middle.toFixed(1)} ms (95 %: ${p95.toFixed(1)} ms; target: ≤ ${maxMs}) ${middle <= maxMs ? '✓' : '✗'}, ${(middle / peer).toFixed(1)} × of the bare page without a count (${peer.toFixed(1)} ms)`,
  );
}

/** Waits until the service has merged the counters, which it does every few seconds. */
async function untilCounted(database: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await database.query('select from job_count_change limit 1');
    if (rows.length === 0) return;
    await sleep(500);
  }
}

const pairsOf = (query: Query): [string, string][] =>
  Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );

async function ask({ url, token }: RunningService, world: World, { at, query }: Case): Promise<number> {
  const path = at === 'all' ? 'admin/jobs' : `project/${world[at]}/jobs`;
  const start = performance.now();
  const reply = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(pairsOf(query)).toString()}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { totalCount } = (await reply.json()) as { totalCount?: number };
  if (totalCount === undefined) throw new Error(`The list was answered by ${reply.status}.`);
  return performance.now() - start;
}

async function askBare(database: pg.Client, { where, order, query }: Case): Promise<number> {
  const offset = Number(query['page'] ?? 0) * 20;
  const start = performance.now();
  await database.query(
    `select * from job where task_id is not null and ${where} order by ${order ?? 'created_at desc'}, id desc limit 20 offset ${offset}`,
  );
  return performance.now() - start;
}

/** Measures the cost of counting when a job ends: the same statements with the trigger and without it, in turn. */
async function timeEnds(database: pg.Client, { one }: World): Promise<void> {
  const each = 2000;
  const endAll = async () => {
    await database.query(
      `update job set state = 'running', end_time = null where id in
        (select id from job where project_id = '${one}' and task_id is not null order by created_at desc limit ${each})`,
    );
    const { rows } = await database.query<{ id: string }>(
      `select id from job where project_id = '${one}' and state = 'running' limit ${each}`,
    );
    await database.query('begin'); // what the disk takes for a commit is not of interest here
    const start = performance.now();
    for (const { id } of rows)
      await database.query({
        name: 'end',
        text: `update job set state = 'succeeded', end_time = now(), updated_at = now() where id = $1`,
        values: [id],
      });
    const ms = performance.now() - start;
    await database.query('commit');
    return (ms * 1000) / each;
  };
  const times = { enable: [] as number[], disable: [] as number[] };
  for (let round = -1; round < 5; round++) {
    for (const how of ['enable', 'disable'] as const) {
      await database.query(`alter table job ${how} trigger job_count_ended`);
      const micros = await endAll();
      if (round >= 0) times[how].push(micros);
    }
  }
  await database.query('alter table job enable trigger job_count_ended');
  const [counted, uncounted] = [median(times.enable), median(times.disable)];
  print(
    `the end of a job as one statement: ${counted.toFixed(0)} µs counted, ${uncounted.toFixed(0)} µs not, ${(counted / uncounted).toFixed(2)} ×`,
  );
}

async function fill({ client }: RunningService, database: pg.Client): Promise<World> {
  const project = async (name: string) =>
    (await client.postProject({ body: { name, description: '', bbox: [0, 0, 1, 1] } }))._id;
  const start = performance.now();
  const one = await project('one');
  await addTasks(database, one, tasks);
  await addJobs(database, one, { jobs: count, tasks, isLopsided: true });
  const several: string[] = [];
  for (let n = 0; n < spread; n++) several.push(await project(`part ${n}`));
  for (const id of several) {
    await addTasks(database, id, 20);
    await addJobs(database, id, { jobs: count / spread, tasks: 20, isLopsided: false });
  }
  const fewId = await project('few');
  await addTasks(database, fewId, 1);
  await addJobs(database, fewId, { jobs: few, tasks: 1, isLopsided: false });
  print(`${2 * count + few} jobs written in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return worldOf({ one, small: several[50]!, few: fewId });
}

const worldOf = (ids: Pick<World, 'one' | 'small' | 'few'>): World => ({
  ...ids,
  task: `${ids.one}-0`,
  smallTask: `${ids.one}-7`,
});

/** Finds the projects that an earlier run left in PLATEN_BENCH_DATA. */
async function findWorld(database: pg.Client): Promise<World | undefined> {
  const { rows } = await database.query<{ one: string; small: string; few: string }>(
    `select one.id as one, part.id as small, few.id as few from project one, project part, project few
    where one.name = 'one' and part.name = 'part 50' and few.name = 'few'`,
  );
  return rows[0] && worldOf(rows[0]);
}

async function addTasks(database: pg.Client, projectId: string, number: number): Promise<void> {
  await database.query(
    `insert into task (id, project_id, name, description, labels, tags, debug_level, priority, job_type, job_version, schedule,
      properties, parameters, created_at, created_by, updated_at, updated_by)
    select '${projectId}-' || n, '${projectId}', 'Task ' || n, '', '[]', '{}', 0, 0, '${tiles}', '', '{"type":"immediate"}',
      '{}', '{}', now(), 'u', now(), 'u' from generate_series(0, ${number - 1}) n`,
  );
}

interface Population {
  readonly jobs: number;
  readonly tasks: number;
  /** Every second job belongs to the first task. */
  readonly isLopsided: boolean;
}

/** Adds jobs over 1000 hours. Those that timed out are all among the oldest, so that no list finds them early. */
async function addJobs(
  database: pg.Client,
  projectId: string,
  { jobs, tasks: number, isLopsided }: Population,
) {
  const step = Math.min(jobs, 100_000);
  const task = isLopsided ? `case when i % 2 = 0 then 0 else i / 2 % ${number} end` : `i % ${number}`;
  for (let first = 1; first <= jobs; first += step)
    await database.query(
      `insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, priority, debug_level, parameters,
        state, attempt, error_code, outputs, stages, log_seq, start_time, end_time, created_at, created_by, updated_at, updated_by)
      select '${projectId}-j' || i, '${projectId}', '${projectId}-' || (${task}),
        case when i % 1000 = 999 then '${seldom}' when i % 10 = 9 then 'platenConvertVector' else '${tiles}' end, '', '',
        case when i % 50 = 0 then '{large}'::text[] else '{}' end, 0, 0,
        '{"datasource":{"command":"create","name":"Bench"},"options":{"input":{"type":"internal","dataBucketId":"b","dataBucketKey":"k"}}}',
        case when i <= ${jobs} / 10000.0 then 'timedOut' when i % 50 = 0 then 'failed' when i % 99 = 0 then 'aborted'
          else 'succeeded' end,
        1, case when i % 50 = 0 then 'badData' end,
        '[{"type":"object","dataBucketId":"b","dataBucketKey":"k","size":1}]', '[{"name":"tiles","startTime":"2026-01-01T00:00:00Z"}]',
        5, at + interval '1 s', at + interval '9 s', at, 'u' || i % 7, at + interval '9 s', 'u'
      from generate_series(${first}, ${first + step - 1}) i,
        lateral (select '2026-01-01T00:00:00Z'::timestamptz + i * interval '1000 h' / ${jobs} as at) at`,
    );
}

/** The URL of the embedded PostgreSQL of a service. */
function databaseUrl({ dataFolder }: RunningService): string {
  return `postgresql:///postgres?user=platen&host=${encodeURIComponent(join(dataFolder, 'postgres/run'))}`;
}
