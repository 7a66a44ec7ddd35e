import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { before, test as nodeTest } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openS3Store } from '@platen/storage/s3';
import type { S3Setting } from '@platen/storage/s3-setting';
import { startS3Server, s3SkipReason, type S3Server } from '@platen/storage/testing-s3-server';
import { everythingIn, newBucket, useKeysOf } from '@platen/storage/testing-s3-store';
import { text } from '@platen/storage/testing';
import { sweep } from '../server/project/retention/sweep.ts';
import { startService } from '../server/testing.ts';
import { runService, type RunningService } from './processes.ts';
import { afterFile } from '../checks/clean-up.ts';

const MIB = 1024 * 1024;
const skip = s3SkipReason();
let server: S3Server;
let setting: S3Setting;
let service: RunningService;
let params: { projectId: string; dataBucketId: string };

before(async () => {
  if (skip) return;
  server = await startS3Server();
  useKeysOf(server);
  setting = await newBucket(server);
  const { bucket, prefix, endpoint } = setting;
  service = await runService({
    env: {
      PLATEN_RUNNERS: '1',
      PLATEN_LOG_LEVEL: 'error',
      PLATEN_STORAGE: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
    },
  });
  const project = await service.client.postProject({
    body: { name: 'P', description: '', bbox: [0, 0, 1, 1] },
  });
  params = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
});
afterFile(async () => {
  await service?.stop();
  await server?.stop();
});

function test(sentence: string, run: () => Promise<void>): void {
  void nodeTest(sentence, { skip, timeout: 180_000 }, run);
}

test('on S3 a file is uploaded, replaced, and read whole and by ranges', async () => {
  const [old, bytes] = [randomBytes(9 * MIB), randomBytes(20 * MIB + 3)];
  await upload('large.bin', old);
  assert.equal(hashOf(await download('large.bin')), hashOf(old));
  await upload('large.bin', bytes, { overwrite: true });
  assert.equal(hashOf(await download('large.bin')), hashOf(bytes));
  const { items } = await service.client.getProjectDataBucketObjects({ params, query: {} });
  assert.deepEqual(
    items.map(({ key, size, sha256 }) => ({ key, size, sha256 })),
    [{ key: 'large.bin', size: bytes.length, sha256: hashOf(bytes) }],
  );
  const path = `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/download-file?key=large.bin`;
  const part = await ask(path, { range: `bytes=${8 * MIB - 5}-${8 * MIB + 4}` });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(8 * MIB - 5, 8 * MIB + 5));
});

test('on S3 a job reads its input, stores its outputs, and their tiles are served', async () => {
  const rivers = new URL('../examples/data/rivers.geojson', import.meta.url);
  await upload('r.geojson', Buffer.from(await (await openAsBlob(rivers)).arrayBuffer()));
  const input = { type: 'internal', dataBucketId: params.dataBucketId, dataBucketKey: 'r.geojson' };
  const options = { input, tiling: { maxZoom: 2 } };
  const parameters = { datasource: { command: 'create', name: 'D' }, options };
  const body = { name: 'T', jobType: 'platenTilesVector', parameters };
  const task = await service.client.postProjectTask({ params, body });
  let state: string | undefined;
  for (let waitedMs = 0; state !== 'succeeded' && state !== 'failed' && waitedMs < 60_000; waitedMs += 100) {
    await sleep(100);
    const { items } = await service.client.getProjectJobs({ params, query: { taskId: [task._id] } });
    state = items[0]?.state;
  }
  assert.equal(state, 'succeeded');
  const { items } = await service.client.getProjectDatasources({ params, query: {} });
  const tile = await ask(`/data/${items[0]!._id}/0/0/0.pbf`);
  assert.equal(tile.status, 200);
  assert.ok((await tile.arrayBuffer()).byteLength > 0);
  assert.equal(
    (await ask(`/data/${items[0]!._id}/0/0/0.pbf`, { 'if-none-match': tile.headers.get('etag')! })).status,
    304,
  );
});

test('the clean-up removes from S3 what has no row, once it is an hour old', async () => {
  const { context } = await startService();
  const own = await newBucket(server);
  const store = await openS3Store(own);
  await store.put('orphan0000', text('nobody knows of it'));
  const at = (ms: number) => ({ ...context, store, now: () => new Date(Date.now() + ms) });
  assert.equal((await sweep(at(0))).orphans, 0);
  assert.equal((await sweep(at(2 * 3_600_000))).orphans, 1);
  assert.deepEqual(await everythingIn(server, own), { keys: [], uploads: [] });
});

test('an S3 server that hangs in mid-upload: 503 with Retry-After, nothing half there, and all is well when it is back', async () => {
  const before = await everythingIn(server, setting);
  const { sent, answer } = sendForm('broken.bin');
  sent.write(randomBytes(12 * MIB));
  while ((await everythingIn(server, setting)).uploads.length === 0) await sleep(100);
  server.pause();
  for (let i = 0; i < 30; i++) sent.write(Buffer.alloc(MIB, i));
  sent.end('\r\n--boundary--\r\n');
  const ready = await ask('/readyz');
  assert.equal(ready.status, 503);
  assert.equal(((await ready.json()) as { checks: { storage: string } }).checks.storage, 'unavailable');
  const refused = await answer;
  assert.equal(refused.statusCode, 503);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  refused.resume();
  server.resume();
  while ((await ask('/readyz')).status !== 200) await sleep(50);
  await upload('after.bin', randomBytes(9 * MIB));
  const { items } = await service.client.getProjectDataBucketObjects({ params, query: {} });
  assert.ok(!items.some(({ key }) => key === 'broken.bin'));
  await untilNoneIsOpen();
  const now = await everythingIn(server, setting);
  assert.equal(now.keys.length, before.keys.length + 1, now.keys.join('\n'));
});

test('an S3 server that is killed in mid-upload and started again needs no restart of the service', async () => {
  const { sent, answer } = sendForm('killed.bin');
  sent.write(randomBytes(12 * MIB));
  while ((await everythingIn(server, setting)).uploads.length === 0) await sleep(100);
  await server.crash();
  sent.write(randomBytes(12 * MIB));
  sent.end('\r\n--boundary--\r\n');
  const refused = await answer;
  assert.equal(refused.statusCode, 503);
  refused.resume();
  await server.restart();
  while ((await ask('/readyz')).status !== 200) await sleep(50);
  await upload('again.bin', Buffer.from('small'));
  assert.equal(String(await download('again.bin')), 'small');
  await untilNoneIsOpen();
});

/** Waits until failed uploads are aborted, which happens in parallel with the response. */
async function untilNoneIsOpen(): Promise<void> {
  while ((await everythingIn(server, setting)).uploads.length > 0) await sleep(100);
}

async function upload(key: string, bytes: Uint8Array<ArrayBuffer>, query = {}): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([bytes]), key);
  await service.client.postProjectDataBucketUpload({ params, query, body: form });
}

async function download(key: string): Promise<Buffer> {
  const reply = await service.client.getProjectDataBucketDownloadFile({ params, query: { key } });
  return Buffer.from(await reply.arrayBuffer());
}

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(service.url + path, { headers: { authorization: `Bearer ${service.token}`, ...headers } });
}

/** Starts an upload whose body the test writes step by step. */
function sendForm(key: string): { sent: ClientRequest; answer: Promise<IncomingMessage> } {
  const path = `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}/upload`;
  const headers = {
    authorization: `Bearer ${service.token}`,
    'content-type': 'multipart/form-data; boundary=boundary',
  };
  const sent = request(service.url + path, { method: 'POST', headers });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  sent.write(`--boundary\r\ncontent-disposition: form-data; name="file"; filename="${key}"\r\n\r\n`);
  return { sent, answer };
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
