// A test of faults.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, runService, type RunningService } from './processes.ts';

const kills = Number(process.env['PLATEN_UPLOAD_KILLS'] ?? 4);
const maxBytes = 4_000_000;

interface Acknowledged {
  readonly key: string;
  readonly sha256: string;
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test(`after ${kills} kill -9 of the service during uploads and deletions, every acknowledged file is complete or in the trash, and no partial file exists`, async (t) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'platen-kill-'));
  const acknowledged: Acknowledged[] = [];
  let params: { projectId: string; dataBucketId: string } | undefined;
  const deletions = new Map<string, 'acknowledged' | 'cut off'>();
  let cutOff = 0;
  let service: RunningService | undefined;
  try {
    for (let round = 0; round < kills; round++) {
      service = await runService({ dataFolder, env: { PLATEN_RUNNERS: '0' } });
      params ??= await makeBucket(service);
      const uploads = [maxBytes, maxBytes, maxBytes, 10_000].map((limit) =>
        uploadUntilKilled(service!, params!, { acknowledged, limit }),
      );
      const deleting = deleteUntilKilled(service, params, { acknowledged, deletions });
      for (let n = 0; n < 3000 && acknowledged.length === 0; n++) await sleep(10);
      await sleep(30 + Math.random() * 250);
      await end(service.child, 'SIGKILL');
      const outcomes = await Promise.all(uploads);
      await deleting;
      cutOff += outcomes.filter((outcome) => outcome === 'cut off').length;
    }
    service = await runService({ dataFolder, env: { PLATEN_RUNNERS: '0' } });
    const present = await readAll(service, params!);
    // read after the files: a deletion whose reply was cut off may be committed a little later
    const inTrash = await readTrash(service, params!);
    for (const { key, sha256 } of acknowledged) {
      if (deletions.get(key) !== 'acknowledged' && present.has(key)) {
        assert.equal(present.get(key), sha256, `${key} was acknowledged`);
        continue;
      }
      assert.ok(deletions.has(key), `${key} was acknowledged, and nobody deleted it`);
      assert.ok(inTrash.has(key), `${key} was deleted (${deletions.get(key)}): it is in the trash`);
      assert.ok(!present.has(key));
    }
    assert.ok(cutOff > kills, 'the kills came in the middle of uploads');
    assert.ok(acknowledged.length > 0, 'some uploads were acknowledged');
    assert.ok(deletions.size > 0, 'some files were deleted');
    t.diagnostic(`${deletions.size} deleted, ${inTrash.size} in the trash`);
    t.diagnostic(`${acknowledged.length} acknowledged, ${present.size} present, ${cutOff} cut off, 0 lost`);
  } finally {
    await service?.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
});

async function makeBucket({ client }: RunningService) {
  const project = await client.postProject({ body: { name: 'Kill', description: '', bbox: [0, 0, 1, 1] } });
  return { projectId: project._id, dataBucketId: project.defaultDataBucketId };
}

type Params = Awaited<ReturnType<typeof makeBucket>>;

async function uploadUntilKilled(
  { client }: RunningService,
  params: Params,
  { acknowledged, limit }: { acknowledged: Acknowledged[]; limit: number },
) {
  for (;;) {
    const bytes = randomBytes(1 + Math.floor(Math.random() * limit));
    const key = `${randomBytes(8).toString('hex')}.bin`;
    const form = new FormData();
    form.append('file', new Blob([bytes]), key);
    try {
      await client.postProjectDataBucketUpload({ params, body: form });
      acknowledged.push({ key, sha256: hashOf(bytes) });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // an answer, where there was to be none
      const { code } = error.cause as { code?: string };
      return code === 'ECONNREFUSED' ? 'not begun' : 'cut off';
    }
  }
}

interface Deletions {
  readonly acknowledged: readonly Acknowledged[];
  readonly deletions: Map<string, 'acknowledged' | 'cut off'>;
}

/** Deletes every second acknowledged file. */
async function deleteUntilKilled(
  { client }: RunningService,
  params: Params,
  { acknowledged, deletions }: Deletions,
): Promise<void> {
  for (;;) {
    const file = acknowledged.find(({ key }, index) => index % 2 === 0 && !deletions.has(key));
    if (file) deletions.set(file.key, 'cut off');
    else await sleep(5);
    try {
      if (!file) await client.getProjectDataBucket({ params });
      else {
        await client.deleteProjectDataBucketObject({ params, query: { key: file.key } });
        deletions.set(file.key, 'acknowledged');
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return;
    }
  }
}

async function readTrash({ client }: RunningService, { projectId }: Params): Promise<Set<string>> {
  const names = new Set<string>();
  for (let page = 0; ; page++) {
    const { items, totalPages } = await client.getProjectTrash({
      params: { projectId },
      query: { page, limit: 200 },
    });
    for (const { name } of items) names.add(name);
    if (page + 1 >= totalPages) return names;
  }
}

/** Reads the content of every listed object; fails for rows with missing or truncated bytes. */
async function readAll({ client }: RunningService, params: Params): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let page = 0; ; page++) {
    const { items, totalPages } = await client.getProjectDataBucketObjects({
      params,
      query: { page, limit: 200 },
    });
    for (const { key, size, sha256 } of items) {
      const reply = await client.getProjectDataBucketDownloadFile({ params, query: { key } });
      const bytes = new Uint8Array(await reply.arrayBuffer());
      assert.equal(bytes.length, size);
      assert.equal(hashOf(bytes), sha256);
      found.set(key, hashOf(bytes));
    }
    if (page + 1 >= totalPages) return found;
  }
}
