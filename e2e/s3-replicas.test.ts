// A test of faults.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3Server, s3SkipReason } from '@platen/storage/testing-s3-server';
import { newBucket, useKeysOf } from '@platen/storage/testing-s3-store';
import { end, freePort, runService, type RunningService } from './processes.ts';
import { startPreparedPostgres } from './testing-prepared.ts';
import { afterFile } from '../checks/clean-up.ts';

const kills = Number(process.env['PLATEN_REPLICA_KILLS'] ?? 2);
const skip = s3SkipReason();
const newProject = { name: 'Replicas', description: '', bbox: [0, 0, 1, 1] };
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test(
  `three replicas on S3 lose, damage and double nothing during ${kills} kill -9 of one after the other`,
  { skip },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-s3-replicas-'));
    afterFile(() => rm(folder, { recursive: true, force: true }));
    const server = await startS3Server();
    afterFile(() => server.stop());
    useKeysOf(server);
    const { bucket, prefix, endpoint } = await newBucket(server);
    const postgres = await startPreparedPostgres(join(folder, 'postgres'));
    afterFile(() => postgres.stop());
    const env = {
      DATABASE_URL: postgres.url,
      PLATEN_STORAGE: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
      PLATEN_RUNNERS: '0',
      PLATEN_LOG_LEVEL: 'fatal',
    };
    const ports = [await freePort(), await freePort(), await freePort()];
    const start = (index: number) =>
      runService({ dataFolder: join(folder, `replica-${index}`), port: ports[index]!, env });
    const replicas: RunningService[] = [];
    afterFile(() => Promise.all(replicas.map(({ child }) => end(child))));
    for (const index of ports.keys()) replicas.push(await start(index));

    const project = await replicas[0]!.client.postProject({ body: newProject });
    const params = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
    const acknowledged = new Map<string, string>();
    const isOver = new AbortController();
    const writing = { replicas, params, acknowledged, signal: isOver.signal };
    const uploads = [0, 1, 2, 3].map((first) => keepUploading(writing, first));
    try {
      for (let kill = 0; kill < kills; kill++) {
        const index = kill % replicas.length;
        const before = acknowledged.size;
        for (let n = 0; n < 1000 && acknowledged.size < before + 3; n++) await sleep(10);
        await sleep(Math.random() * 200);
        await end(replicas[index]!.child, 'SIGKILL');
        replicas[index] = await start(index);
      }
    } finally {
      isOver.abort();
      await Promise.all(uploads);
    }

    const items = await listFiles(replicas[0]!, params);
    assert.equal(new Set(items.map(({ key }) => key)).size, items.length, 'no file is listed twice');
    assert.ok(acknowledged.size >= kills);
    let turn = 0;
    for (const [key, sha256] of acknowledged) {
      const { client } = replicas[turn++ % replicas.length]!;
      const reply = await client.getProjectDataBucketDownloadFile({ params, query: { key } });
      assert.equal(hashOf(new Uint8Array(await reply.arrayBuffer())), sha256, key);
    }
    for (const { key, size, sha256 } of items) {
      const reply = await replicas[0]!.client.getProjectDataBucketDownloadFile({ params, query: { key } });
      const bytes = new Uint8Array(await reply.arrayBuffer());
      assert.deepEqual([bytes.length, hashOf(bytes)], [size, sha256], `${key} is listed, so it is whole`);
    }
    t.diagnostic(`${acknowledged.size} files acknowledged, ${items.length} present, 0 lost`);
  },
);

async function listFiles({ client }: RunningService, params: Writing['params']) {
  const query = { limit: 1000 };
  const first = await client.getProjectDataBucketObjects({ params, query });
  const items = [...first.items];
  for (let page = 1; page < first.totalPages; page++)
    items.push(...(await client.getProjectDataBucketObjects({ params, query: { ...query, page } })).items);
  return items;
}

interface Writing {
  readonly replicas: readonly RunningService[];
  readonly params: { readonly projectId: string; readonly dataBucketId: string };
  /** By key: the hash of the content. */
  readonly acknowledged: Map<string, string>;
  readonly signal: AbortSignal;
}

/** Like a client behind a proxy: what fails at one replica is sent to the next, with the same key. */
async function keepUploading({ replicas, params, acknowledged, signal }: Writing, first: number) {
  for (let turn = first; !signal.aborted;) {
    const bytes = randomBytes(1 + Math.floor(Math.random() * 1_000_000));
    const key = `${randomBytes(8).toString('hex')}.bin`;
    for (let isStored = false; !isStored && !signal.aborted; turn++) {
      const form = new FormData();
      form.append('file', new Blob([bytes]), key);
      const { client } = replicas[turn % replicas.length]!;
      isStored = await client.postProjectDataBucketUpload({ params, body: form }).then(
        () => true,
        // the reply to an earlier attempt was lost: the file is stored
        (error: { status?: number }) => error.status === 409,
      );
      if (isStored) acknowledged.set(key, hashOf(bytes));
      else await sleep(20);
    }
    await sleep(100);
  }
}
