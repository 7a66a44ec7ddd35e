// A test of faults.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@platen/contract/jobs';
import { openDatabase } from '../server/base/database/database.ts';
import { seededRandom, type Random } from '../server/http/fuzz/random.ts';
import { adminPassword } from './processes.ts';
import { signIn, untilDone, type Api } from './testing-api.ts';
import { enrolmentToken, startCluster, type Cluster, type Member } from './testing-cluster.ts';
import { pointsOfWorld } from './testing-points.ts';

const jobs = Number(process.env['PLATEN_FAULT_JOBS'] ?? 5);
const seed = Number(process.env['PLATEN_FAULT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Runners sweep every minute, and leave folders without a lease file for ten seconds. */
const maxSweepMs = 75_000;
/** Its lease, and thirty seconds. */
const maxStuckMs = 45_000;

test(`${jobs} jobs outlive whatever dies around them: each ends once, with its effects or without`, async (t) => {
  t.diagnostic(`PLATEN_FAULT_SEED=${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'platen-faults-'));
  const cluster = await startCluster(folder);
  const isOver = new AbortController();
  let chaos = Promise.resolve();
  try {
    const api = await signIn(cluster);
    const place = await makePlace(api);
    const project = await untilDone((one) => one.postProject({ body: newProject }), api);
    assert.ok(project._id);
    const faults = new Map<string, number>();
    chaos = torment(cluster, { faults, signal: isOver.signal, random: seededRandom(seed) });
    const names = Array.from({ length: jobs }, (_, index) => `D${index}`);
    for (const name of names) {
      await ask(api, place, name);
      await sleep(60);
    }
    const ended = await untilAllEnded(api, place);
    isOver.abort();
    await chaos;
    t.diagnostic(`${[...faults].map(([fault, count]) => `${count} × ${fault}`).join(', ')}`);
    await requireOneEffectEach(api, place, { names, ended });
    await requireWholeBlobs(cluster, api, place);
    await requireCleanScratch(cluster);
    for (const secret of [adminPassword, enrolmentToken])
      assert.ok(!cluster.log().includes(secret), 'no secret stands in a log');
    const outcomes = Map.groupBy(ended, ({ state, errorCode = '' }) => `${state} ${errorCode}`.trim());
    t.diagnostic([...outcomes].map(([outcome, { length }]) => `${length} ${outcome}`).join(', '));
    t.diagnostic(`${ended.reduce((sum, { attempt }) => sum + attempt, 0)} attempts`);
  } finally {
    isOver.abort();
    await chaos.catch(() => {}); // it restarts the processes it has killed
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

const newProject = { name: 'Faults', description: '', bbox: [-180, -85, 180, 85] };

interface Place {
  readonly projectId: string;
  readonly dataBucketId: string;
}

async function makePlace(api: readonly Api[]): Promise<Place> {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await api[0]!.postProject({
    body: newProject,
  });
  const form = new FormData();
  form.append('file', pointsOfWorld(30_000), 'points.geojson');
  await api[0]!.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  return { projectId, dataBucketId };
}

/** Uses an idempotency key, so that retries create no second job. */
function ask(api: readonly Api[], { projectId, dataBucketId }: Place, name: string): Promise<unknown> {
  const input = { type: 'internal', dataBucketId, dataBucketKey: 'points.geojson' };
  const body = {
    name,
    jobType: 'platenTilesVector',
    parameters: {
      datasource: { command: 'create', name },
      options: { input, tiling: { maxZoom: 7 }, output: { dataBucketId, prefix: `made/${name}` } },
    },
  };
  const headers = { 'idempotency-key': `ask-for-${name}` };
  return untilDone((one) => one.postProjectTask({ params: { projectId }, body, headers }), api);
}

interface Torment {
  readonly faults: Map<string, number>;
  readonly signal: AbortSignal;
  readonly random: Random;
}

/** Kills one after the other, each started again a little later, and lets a runner sleep past its lease. */
async function torment(cluster: Cluster, { faults, signal, random }: Torment): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  const restart = async (member: Member) => {
    await member.kill();
    await pause(random.next() * 1000);
    for (let tries = 0; ; tries++) {
      try {
        return await member.start();
      } catch (error) {
        if (tries === 20) throw error;
        await sleep(500);
      }
    }
  };
  let databaseKilledAt = 0;
  const ofDatabase = 'kill -9 of PostgreSQL';
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    'kill -9 of a runner': () => restart(random.pick(cluster.runners)),
    'kill -9 of a service': () => restart(random.pick(cluster.services)),
    [ofDatabase]: async () => {
      databaseKilledAt = performance.now();
      await cluster.killDatabase();
    },
    'kill -9 of a job’s process': () => killChild(random.pick(cluster.runners)),
    'a runner asleep past its lease': async () => {
      const { pid } = random.pick(cluster.runners);
      sendSignal(pid(), 'SIGSTOP');
      await pause(20_000);
      sendSignal(pid(), 'SIGCONT');
    },
  };
  const order = Object.keys(actions);
  // sleep takes long: later turns are of deaths, and runners’ most of all
  const often = [0, 0, 1, 3].map((index) => order[index]!);
  const nextOf = (turn: number) => {
    if (turn < order.length) return order[turn]!;
    // a database that dies again and again within half a minute is given up by whoever starts it
    return performance.now() - databaseKilledAt > 31_000 ? ofDatabase : random.pick(often);
  };
  for (let turn = 0; !signal.aborted; turn++) {
    await pause(300 + random.next() * 1500);
    if (signal.aborted) return;
    const name = nextOf(turn);
    await actions[name]!();
    faults.set(name, (faults.get(name) ?? 0) + 1);
  }
}

/** A process may have ended by itself a moment ago, such as a runner that could not register without a database. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function killChild(runner: Member): Promise<void> {
  const pids = await childrenOf(runner.pid());
  const [pid] = pids;
  if (pid !== undefined) sendSignal(pid, 'SIGKILL');
}

async function childrenOf(pid: number): Promise<number[]> {
  // it may have been killed a moment ago
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

async function untilAllEnded(api: readonly Api[], { projectId }: Place): Promise<Job[]> {
  const query = { limit: 1000 };
  let lastEndAt = performance.now();
  let known = 0;
  for (;;) {
    const { items } = await untilDone((one) => one.getProjectJobs({ params: { projectId }, query }), api);
    const ended = items.filter(({ endTime }) => endTime !== undefined);
    if (ended.length >= jobs && items.length === ended.length) return ended;
    if (ended.length > known) lastEndAt = performance.now();
    known = ended.length;
    assert.ok(performance.now() - lastEndAt < 4 * maxStuckMs, `nothing goes on: ${known} of ${jobs}`);
    await sleep(500);
  }
}

interface RequestedJobs {
  readonly names: readonly string[];
  readonly ended: readonly Job[];
}

async function requireOneEffectEach(api: readonly Api[], place: Place, { names, ended }: RequestedJobs) {
  const { projectId, dataBucketId } = place;
  const query = { limit: 1000 };
  assert.equal(ended.length, names.length, 'each was asked for once');
  const datasources = await untilDone((one) => one.getProjectDatasources({ params: place, query }), api);
  const made = Map.groupBy(datasources.items, ({ name }) => name);
  const { items: tasks } = await untilDone((one) => one.getProjectTasks({ params: place, query }), api);
  const nameOf = new Map(tasks.map(({ _id, name }) => [_id, name]));
  for (const { state, errorCode, taskId, _id } of ended) {
    const name = nameOf.get(taskId!)!;
    const ofJob = { params: { projectId, dataBucketId }, query: { prefix: `made/${name}/` } };
    const { totalCount: files } = await untilDone((one) => one.getProjectDataBucketObjects(ofJob), api);
    const effects = { datasources: made.get(name)?.length ?? 0, files };
    const expected = state === 'succeeded' ? { datasources: 1, files: 2 } : { datasources: 0, files: 0 };
    assert.deepEqual(effects, expected, `${_id}: ${state}`);
    // only a killed process is attributed to its job, as the reason of the kill is unknown
    if (state !== 'succeeded') assert.equal(errorCode, 'crashed');
  }
}

/** Every row has its bytes, with the recorded size and hash. */
async function requireWholeBlobs({ databaseUrl }: Cluster, api: readonly Api[], place: Place) {
  const ofProject = { params: place, query: { limit: 1000 } };
  const { items } = await untilDone((one) => one.getProjectDatasources(ofProject), api);
  for (const { uri } of items) assert.match(uri, /^\/data\//);
  const db = openDatabase(databaseUrl, { maxConnections: 1 });
  try {
    const made = db.selectFrom('object').select(['key', 'size']);
    const files = made.where('bucket_id', '=', place.dataBucketId).where('key', 'like', 'made/%');
    for (const { key, size } of await untilDone(() => files.execute(), api)) {
      const reply = await untilDone(
        (one) => one.getProjectDataBucketDownloadFile({ params: place, query: { key } }),
        api,
      );
      assert.equal((await reply.arrayBuffer()).byteLength, size, key);
    }
    const left = await db.selectFrom('job_output').select('key').execute();
    assert.deepEqual(left, [], 'nothing of an attempt is left over');
    const reserved = db.selectFrom('reservation').select('id').where('job_id', 'is not', null);
    assert.deepEqual(await reserved.execute(), [], 'no room is set aside for ever');
  } finally {
    await db.destroy();
  }
}

/** Only the prewarmed process for the next job remains. */
async function requireCleanScratch({ scratchFolders, runners }: Cluster) {
  for (const [index, folder] of scratchFolders.entries()) {
    const own = `job-${runners[index]!.pid()}-`;
    const others = async () =>
      (await readdir(folder)).filter((name) => name.startsWith('job-') && !name.startsWith(own));
    for (let waitedMs = 0; (await others()).length > 0 && waitedMs < maxSweepMs; waitedMs += 200)
      await sleep(200);
    assert.deepEqual(await others(), [], `${folder} holds nothing of runners that died`);
  }
}
