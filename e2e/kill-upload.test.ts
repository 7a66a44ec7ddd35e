import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, runService, type RunningService } from './processes.ts';

const kills = Number(process.env['PLATEN_UPLOAD_KILLS'] ?? 8);
const maxBytes = 4_000_000;

interface Acknowledged {
  readonly key: string;
  readonly sha256: string;
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test(`after ${kills} kill -9 of the service during uploads, every acknowledged file is complete and no partial file exists`, async (t) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'platen-kill-'));
  const acknowledged: Acknowledged[] = [];
  let params: { projectId: string; dataBucketId: string } | undefined;
  let cutOff = 0;
  let service: RunningService | undefined;
  try {
    for (let round = 0; round < kills; round++) {
      service = await runService({ dataFolder, env: { PLATEN_RUNNERS: '0' } });
      params ??= await makeBucket(service);
      const uploads = [1, 2, 3, 4].map(() => uploadUntilKilled(service!, params!, acknowledged));
      for (let n = 0; n < 3000 && acknowledged.length === 0; n++) await sleep(10);
      await sleep(30 + Math.random() * 250);
      await end(service.child, 'SIGKILL');
      const outcomes = await Promise.all(uploads);
      cutOff += outcomes.filter((outcome) => outcome === 'cut off').length;
    }
    service = await runService({ dataFolder, env: { PLATEN_RUNNERS: '0' } });
    const present = await readAll(service, params!);
    for (const { key, sha256 } of acknowledged)
      assert.equal(present.get(key), sha256, `${key} was acknowledged`);
    assert.ok(cutOff > kills, 'the kills came in the middle of uploads');
    assert.ok(acknowledged.length > 0, 'some uploads were acknowledged');
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

async function uploadUntilKilled({ client }: RunningService, params: Params, acknowledged: Acknowledged[]) {
  for (;;) {
    const bytes = randomBytes(1 + Math.floor(Math.random() * maxBytes));
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
