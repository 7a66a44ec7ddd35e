// A test of object storage.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { openBucket } from './s3-bucket.ts';
import { removeLeftovers } from './s3-leftovers.ts';
import { openS3Store } from './s3.ts';
import { server, test } from './testing-on-s3.ts';
import { startS3Proxy } from './testing-s3-proxy.ts';
import { clientOf, everythingIn, newBucket } from './testing-s3-store.ts';
import { assertSame, inChunks, rejectsWith, sha256, text } from './testing.ts';

const ID = 'object0001';
const MIB = 1024 * 1024;
const hours = (count: number) => new Date(Date.now() + count * 60 * 60 * 1000);
const CHILD = join(import.meta.dirname, 'testing-s3-child.ts');

test('puts leave only the object, also if they break', async () => {
  const setting = await newBucket(server);
  const store = await openS3Store(setting);
  const whole = randomBytes(20 * MIB);
  const { sha256: digest } = await store.put(ID, inChunks(whole, 100_000));
  assert.equal(digest, sha256(whole));
  assertSame(await store.read(ID), whole);
  const failing = async function* () {
    yield* inChunks(whole, 100_000);
    throw new TypeError('the client went away');
  };
  await assert.rejects(store.put('object0002', failing()), TypeError);
  const aborting = new AbortController();
  const hanging = async function* () {
    yield* inChunks(whole, 100_000);
    setImmediate(() => aborting.abort(new Error('enough')));
    await new Promise(() => {});
  };
  await assert.rejects(store.put('object0003', hanging(), { signal: aborting.signal }), /enough/);
  assert.deepEqual(await everythingIn(server, setting), { keys: [`some/where/objects/${ID}`], uploads: [] });
});

test('drafts leave nothing else, whether they become objects or are dropped', async () => {
  const setting = await newBucket(server);
  const { drafts } = await openS3Store(setting);
  for (const [id, size] of [['object0001', 9 * MIB] as const, ['object0002', 5] as const]) {
    await drafts.begin(id);
    await drafts.append(id, 0, inChunks(randomBytes(size), MIB));
    await drafts.finish(id);
  }
  await drafts.begin('object0003');
  await drafts.append('object0003', 0, inChunks(randomBytes(9 * MIB), MIB));
  await drafts.begin('object0003');
  await drafts.drop('object0003');
  const { keys, uploads } = await everythingIn(server, setting);
  assert.deepEqual(keys, ['some/where/objects/object0001', 'some/where/objects/object0002']);
  assert.deepEqual(uploads, []);
});

test('a large object is copied in parts by the server', async () => {
  const setting = await newBucket(server);
  const store = await openS3Store(setting, { copyAtOnceBytes: 10 * MIB, copyPartBytes: 5 * MIB });
  const whole = randomBytes(12 * MIB);
  await store.put(ID, inChunks(whole, MIB));
  assert.equal((await store.copy(ID, 'object0002'))?.size, whole.length);
  assertSame(await store.read('object0002'), whole);
  assert.equal(await store.copy('object0009', 'object0003'), undefined);
  assert.deepEqual((await everythingIn(server, setting)).uploads, []);
});

test('a draft resumes in another process, which reads the whole for its SHA-256', async () => {
  const setting = await newBucket(server);
  const whole = randomBytes(21 * MIB);
  const [first, second] = [await openS3Store(setting), await openS3Store(setting)];
  await first.drafts.begin(ID);
  await first.drafts.append(ID, 0, inChunks(whole.subarray(0, 9 * MIB + 1), MIB));
  assert.equal(await second.drafts.offset(ID), 9 * MIB + 1);
  await second.drafts.append(ID, 9 * MIB + 1, inChunks(whole.subarray(9 * MIB + 1), MIB));
  await rejectsWith('conflict', first.drafts.append(ID, 9 * MIB + 1, text('x')));
  assert.deepEqual(await first.drafts.finish(ID), { size: whole.length, sha256: sha256(whole) });
});

test('a draft restarted elsewhere does not get the SHA-256 of its former bytes', async () => {
  const setting = await newBucket(server);
  const [first, second] = [await openS3Store(setting), await openS3Store(setting)];
  await first.drafts.begin(ID);
  await first.drafts.append(ID, 0, text('0123'));
  await second.drafts.begin(ID);
  await second.drafts.append(ID, 0, text('abcd'));
  await first.drafts.append(ID, 4, text('efgh'));
  assert.equal((await first.drafts.finish(ID)).sha256, sha256(Buffer.from('abcdefgh')));
});

test('kill -9 during a chunk: the parts that arrived count, the tail before them no longer does, and the draft resumes', async () => {
  const setting = await newBucket(server);
  await killedWhile('draft', addressOf(setting));
  const { drafts, read } = await openS3Store(setting);
  const offsetNow = async () => (await drafts.offset('unfinished01')) ?? 0;
  let offset = await offsetNow();
  const isAppended = () =>
    drafts.append('unfinished01', offset, text('end')).then(
      () => true,
      (error: { code?: string }) => error.code !== 'conflict' && Promise.reject(error as Error),
    );
  // what the killed process had sent may still arrive
  while (!(await isAppended())) offset = await offsetNow();
  assert.ok(offset === 8 * MIB || offset === 16 * MIB, `${offset} bytes`);
  await drafts.finish('unfinished01');
  const bytes = Buffer.from((await read('unfinished01'))!);
  const whole = Buffer.concat([Buffer.alloc(1_000_000, 'a'), Buffer.alloc(offset - 1_000_000, 'b')]);
  assertSame(bytes, Buffer.concat([whole, Buffer.from('end')]));
});

test('kill -9 during an upload leaves no object, and its leftovers are removed after an hour', async () => {
  const setting = await newBucket(server);
  await killedWhile('hang', addressOf(setting));
  const store = await openS3Store(setting);
  assert.equal(await store.head('unfinished01'), undefined);
  const bucket = openBucket(setting);
  await removeLeftovers(bucket, new Set(), hours(0.9));
  assert.deepEqual((await everythingIn(server, setting)).uploads, ['some/where/objects/unfinished01']);
  await removeLeftovers(bucket, new Set(), hours(1.1));
  assert.deepEqual(await everythingIn(server, setting), { keys: [], uploads: [] });
});

test('the clean-up of left-overs spares drafts, and puts of this process', async () => {
  const setting = await newBucket(server);
  const store = await openS3Store(setting);
  await store.drafts.begin('draft00001');
  await store.drafts.append('draft00001', 0, inChunks(randomBytes(9 * MIB), MIB));
  const bucket = openBucket(setting);
  const { UploadId } = await bucket.s3.createMultipartUpload({
    Bucket: setting.bucket,
    Key: bucket.key('objects', 'living0001'),
  });
  await removeLeftovers(bucket, new Set([UploadId!]), hours(100));
  assert.equal((await everythingIn(server, setting)).uploads.length, 2);
  await removeLeftovers(bucket, new Set(), hours(100));
  assert.deepEqual((await everythingIn(server, setting)).uploads, ['some/where/objects/draft00001']);
  assert.equal((await store.drafts.finish('draft00001')).size, 9 * MIB);
});

test('stalled uploads do not block others, and resume at their position', async () => {
  const setting = await newBucket(server);
  const store = await openS3Store(setting, { reclaimAfterMs: 200 });
  const { promise: resumed, resolve } = Promise.withResolvers<void>();
  const whole = randomBytes(10 * MIB);
  const stalling = async function* () {
    yield* inChunks(whole.subarray(0, 2 * MIB), 100_000);
    await resumed;
    yield* inChunks(whole.subarray(2 * MIB), 100_000);
  };
  const ids = Array.from({ length: 30 }, (_, i) => `stalled0${String(i).padStart(2, '0')}`);
  const stalled = ids.map((id) => store.put(id, stalling()));
  assert.equal((await store.put(ID, inChunks(whole, MIB))).size, whole.length);
  resolve();
  for (const { sha256: digest } of await Promise.all(stalled)) assert.equal(digest, sha256(whole));
  const { keys } = await everythingIn(server, setting);
  assert.deepEqual(
    keys,
    [ID, ...ids].map((id) => `some/where/objects/${id}`),
  );
});

test('of 64 simultaneous uploads at most sixteen parts are in flight, and memory stays bounded', async (t) => {
  const proxy = await startS3Proxy(server.endpoint);
  t.after(() => proxy.stop());
  const setting = { ...(await newBucket(server)), endpoint: proxy.endpoint };
  const url = addressOf(setting);
  const child = spawn(process.execPath, [CHILD, 'many', url, '64', String(9 * MIB)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const mebibytes = Number(String(await buffer(child.stdout)));
  assert.ok(
    proxy.maxParallelParts > 4 && proxy.maxParallelParts <= 16,
    `${proxy.maxParallelParts} parts at once`,
  );
  assert.ok(mebibytes > 0 && mebibytes < 384, `${mebibytes} MiB`);
  assert.deepEqual(await everythingIn(server, setting), { keys: [], uploads: [] });
});

function addressOf({
  bucket,
  prefix,
  endpoint,
}: {
  bucket: string;
  prefix: string;
  endpoint: string | undefined;
}) {
  return `s3://${bucket}/${prefix}?endpoint=${endpoint}`;
}

/** Kills a writer that has sent, or is about to send, two parts. */
async function killedWhile(what: string, url: string): Promise<void> {
  const child = spawn(process.execPath, [CHILD, what, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) if (line === 'writing') break;
  assert.equal(child.exitCode, null);
  const bucket = new URL(url).host;
  const s3 = clientOf(server);
  while (child.exitCode === null) {
    const { Uploads = [] } = await s3.listMultipartUploads({ Bucket: bucket });
    const [upload] = Uploads;
    if (upload) {
      const key = { Bucket: bucket, Key: upload.Key, UploadId: upload.UploadId };
      if (((await s3.listParts(key)).Parts ?? []).length > 0) break;
    }
  }
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
