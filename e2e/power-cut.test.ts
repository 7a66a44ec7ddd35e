// A test of faults.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, runService, type RunningService } from './processes.ts';
import { createLossyDisk, lossyDiskSkipReason } from './testing-lossy-disk.ts';

const cuts = Number(process.env['PLATEN_POWER_CUTS'] ?? 1);
const skip = await lossyDiskSkipReason();
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const env = { PLATEN_RUNNERS: '0', PLATEN_LOG_LEVEL: 'silent' };

interface Acknowledged {
  /** By key: the hash of the content. */
  readonly files: Map<string, string>;
  readonly projects: string[];
}

test(`after ${cuts} power cuts every acknowledged file and row is on the disk`, { skip }, async (t) => {
  const disk = await createLossyDisk(1500);
  t.after(() => disk.remove());
  const dataFolder = join(disk.folder, 'data');
  const acknowledged: Acknowledged = { files: new Map(), projects: [] };
  let params: { projectId: string; dataBucketId: string } | undefined;
  let unsyncedLost = 0;
  for (let round = 0; round <= cuts; round++) {
    const service = await runService({ dataFolder, env });
    try {
      if (params) await requireAll(service, params, acknowledged);
      if (round === cuts) break;
      if (round === 0) await disk.sync(); // the prepared database was copied only
      params ??= await makeBucket(service);
      const clients = [
        ...[1, 2, 3].map(() => uploadUntilCut(service, params!, acknowledged)),
        createUntilCut(service, acknowledged),
      ];
      const before = acknowledged.files.size;
      for (let n = 0; n < 1000 && acknowledged.files.size < before + 5; n++) await sleep(10);
      await sleep(Math.random() * 500);
      const unsynced = join(disk.folder, `unsynced-${round}`);
      await writeFile(unsynced, 'never synced');
      await disk.cutPower();
      await end(service.child, 'SIGKILL');
      await Promise.all(clients);
      await disk.restart();
      // its name may have come to the disk with the journal of others
      if ((await readFile(unsynced, 'utf8').catch(() => '')) !== 'never synced') unsyncedLost++;
    } finally {
      await end(service.child, 'SIGKILL');
    }
  }
  assert.equal(unsyncedLost, cuts, 'the disk loses what was not synced');
  assert.ok(acknowledged.files.size > 0 && acknowledged.projects.length > 0);
  t.diagnostic(
    `${acknowledged.files.size} files and ${acknowledged.projects.length} rows acknowledged, 0 lost`,
  );
});

async function makeBucket({ client }: RunningService) {
  const project = await client.postProject({ body: newProject });
  return { projectId: project._id, dataBucketId: project.defaultDataBucketId };
}

type Params = Awaited<ReturnType<typeof makeBucket>>;
const newProject = { name: 'Cut', description: '', bbox: [0, 0, 1, 1] };

/** From the cut on, the service may report errors; only its successes count. */
async function uploadUntilCut({ client }: RunningService, params: Params, { files }: Acknowledged) {
  for (;;) {
    const bytes = randomBytes(1 + Math.floor(Math.random() * 500_000));
    const key = `${randomBytes(8).toString('hex')}.bin`;
    const form = new FormData();
    form.append('file', new Blob([bytes]), key);
    try {
      await client.postProjectDataBucketUpload({ params, body: form });
    } catch {
      return;
    }
    files.set(key, hashOf(bytes));
  }
}

async function createUntilCut({ client }: RunningService, { projects }: Acknowledged) {
  for (;;) {
    try {
      projects.push((await client.postProject({ body: newProject }))._id);
    } catch {
      return;
    }
  }
}

async function requireAll({ client }: RunningService, params: Params, { files, projects }: Acknowledged) {
  for (const [key, sha256] of files) {
    const reply = await client.getProjectDataBucketDownloadFile({ params, query: { key } });
    assert.equal(hashOf(new Uint8Array(await reply.arrayBuffer())), sha256, key);
  }
  for (const projectId of projects) await client.getProject({ params: { projectId } });
}
