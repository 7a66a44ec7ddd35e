// A test of faults.

import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@platen/contract/jobs';
import { openDatabase } from '../server/base/database/database.ts';
import { signIn, type Api } from './testing-api.ts';
import { startCluster, type Cluster } from './testing-cluster.ts';
import { pointsOfWorld } from './testing-points.ts';

const kills = Number(process.env['PLATEN_OUTPUT_KILLS'] ?? 1);
/** Most points make a tile at each of the deepest zooms. */
const points = Number(process.env['PLATEN_OUTPUT_POINTS'] ?? 2000);
const maxWaitMs = 240_000;

interface Place {
  readonly projectId: string;
  readonly dataBucketId: string;
}

test(`a folder of more than ${points * 2} files is sent once, although service and runner are killed ${kills} times`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-many-outputs-'));
  const cluster = await startCluster(folder);
  try {
    await cluster.runners[1]!.kill('SIGTERM');
    const [service, runner] = [cluster.services[0]!, cluster.runners[0]!];
    const api = (await signIn(cluster))[1]!; // of the service that is not killed
    const place = await makePlace(api);
    const expected = await outputsOf(api, await untilEnded(api, place, await start(api, place)));
    assert.ok(expected.length > points * 2, `${expected.length} files`);
    t.diagnostic(`${expected.length} files`);
    for (let killed = 0; killed < kills;) {
      const jobId = await start(api, place);
      for (const victim of [service, runner]) {
        if (killed === kills || !(await isSending(api, place, jobId))) continue;
        await sleep(Math.random() * 1000);
        await victim.kill();
        await victim.start();
        killed++;
      }
      assert.deepEqual(await outputsOf(api, await untilEnded(api, place, jobId)), expected);
    }
    await requireNothingLost(cluster, join(folder, 'objects'));
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

async function makePlace(api: Api): Promise<Place> {
  const body = { name: 'Many', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await api.postProject({ body });
  const form = new FormData();
  form.append('file', pointsOfWorld(points), 'points.geojson');
  await api.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  return { projectId, dataBucketId };
}

async function start(api: Api, { projectId, dataBucketId }: Place): Promise<string> {
  const options = {
    input: { type: 'internal', dataBucketId, dataBucketKey: 'points.geojson' },
    tiling: { maxZoom: Math.ceil(Math.log2(points) / 2) + 2 },
    output: { format: 'folder' },
  };
  const parameters = { datasource: { command: 'create', name: 'Points' }, options };
  const task = { name: 'Points', jobType: 'platenTilesVector', parameters };
  return (await api.postProjectTask({ params: { projectId }, body: task })).lastJobId!;
}

/** Waits until the job sends its outputs. False if it has ended meanwhile. */
async function isSending(api: Api, { projectId }: Place, jobId: string): Promise<boolean> {
  const job = await until(api, { projectId, jobId }, (one) => one.progress?.phase === 'upload');
  return job.endTime === undefined;
}

async function untilEnded(api: Api, { projectId }: Place, jobId: string): Promise<Job> {
  const job = await until(api, { projectId, jobId }, () => false);
  assert.equal(job.state, 'succeeded', String(job.errorMessage));
  return job;
}

async function until(
  api: Api,
  params: { projectId: string; jobId: string },
  isSo: (job: Job) => boolean,
): Promise<Job> {
  for (const from = performance.now(); ;) {
    const job = await api.getProjectJob({ params });
    if (job.endTime !== undefined || isSo(job)) return job;
    assert.ok(performance.now() - from < maxWaitMs, `the job gets there in time: ${job.state}`);
    await sleep(50);
  }
}

/** Names within the output folder, with their hashes. */
async function outputsOf(api: Api, { _id: jobId, projectId, outputFiles }: Job): Promise<string[]> {
  const { folder, count, dataBucketId } = outputFiles!;
  const outputs: string[] = [];
  for (let page = 0; ; page++) {
    const { items } = await api.getProjectJobOutputs({
      params: { projectId, jobId },
      query: { page, limit: 1000 },
    });
    if (items.length === 0) break;
    for (const { dataBucketKey: key, sha256 } of items)
      if (key !== undefined) outputs.push(`${key.slice(folder.length)} ${sha256}`);
  }
  const { totalCount } = await api.getProjectDataBucketObjects({
    params: { projectId, dataBucketId },
    query: { prefix: folder, limit: 1 },
  });
  assert.deepEqual([outputs.length, totalCount], [count, count]);
  return outputs;
}

/** Nothing of an attempt is left over, and each blob is needed and has its bytes. */
async function requireNothingLost({ databaseUrl }: Cluster, folder: string): Promise<void> {
  const db = openDatabase(databaseUrl, { maxConnections: 1 });
  try {
    assert.deepEqual(await db.selectFrom('job_output').select('key').execute(), []);
    assert.deepEqual(await db.selectFrom('reservation').select('id').execute(), []);
    const unused = db
      .selectFrom('blob')
      .select('id')
      .where('unneeded_since', 'is', null)
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('object').select('key').whereRef('blob_id', '=', 'blob.id'))),
      );
    assert.deepEqual(await unused.limit(10).execute(), []);
    const blobs = await db.selectFrom('blob').select(['id', 'size']).execute();
    for (const { id, size } of blobs)
      assert.equal((await stat(join(folder, 'objects', id.slice(-2), id))).size, size);
  } finally {
    await db.destroy();
  }
}
