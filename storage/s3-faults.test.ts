// A test of faults.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectStore } from './object-store.ts';
import { openS3Store } from './s3.ts';
import { server, test } from './testing-on-s3.ts';
import { startS3Proxy, type S3Proxy } from './testing-s3-proxy.ts';
import { startS3Server } from './testing-s3-server.ts';
import { clientOf, everythingIn, newBucket, useKeysOf } from './testing-s3-store.ts';
import { assertSame, inChunks, rejectsWith, text } from './testing.ts';

const ID = 'object0001';
const MIB = 1024 * 1024;

test('an open object is read with one request for each range', async (t) => {
  const { store, proxy } = await behindProxy(t);
  await store.put(ID, text('0123456789'));
  const object = await store.open(ID);
  proxy.seen.length = 0;
  for (let i = 0; i < 5; i++) assert.equal(String(await object?.read(i, 2)), `${i}${i + 1}`);
  const reads = proxy.seen.filter((it) => it.startsWith('HEAD') || it === 'GET x-id'); // the concurrent clean-up lists
  assert.deepEqual(reads, Array(5).fill('GET x-id'));
});

test('a stream that breaks in the middle, and again, resumes at its position', async (t) => {
  const { store, proxy } = await behindProxy(t);
  const whole = randomBytes(3 * MIB);
  await store.put(ID, inChunks(whole, MIB));
  let cuts = 0;
  proxy.faultOf = (it) => (readsObject(it) && cuts++ < 2 ? { cutAfter: MIB } : 'pass');
  const stream = await store.stream(ID, { offset: 5 });
  assertSame(await buffer(stream!), whole.subarray(5));
  cuts = 0;
  assertSame(await store.read(ID, { offset: 7, length: 2 * MIB }), whole.subarray(7, 7 + 2 * MIB));
});

test('a stream that breaks does not resume with another version', async (t) => {
  const { store, proxy } = await behindProxy(t);
  await store.put(ID, inChunks(Buffer.alloc(3 * MIB, 'a'), MIB));
  let cuts = 0;
  proxy.faultOf = (it) => (readsObject(it) && cuts++ < 1 ? { cutAfter: MIB } : 'pass');
  const stream = await store.stream(ID);
  await store.put(ID, inChunks(Buffer.alloc(3 * MIB, 'b'), MIB));
  await rejectsWith('unavailable', buffer(stream!));
});

test('an upload whose answer got lost is not taken for one of another', async (t) => {
  const { store, proxy } = await behindProxy(t);
  let lost = 0;
  proxy.faultOf = ({ method, url = '' }) =>
    method === 'PUT' && !url.includes('partNumber') && lost++ < 1 ? 'lose the answer' : 'pass';
  assert.equal((await store.put(ID, text('small'), { ifNoneMatch: true })).size, 5);
  assert.equal(lost, 2);
  await rejectsWith('exists', store.put(ID, text('other'), { ifNoneMatch: true }));
});

test('a failed part of a large upload leaves no object and no open upload', async (t) => {
  const { store, proxy, setting } = await behindProxy(t);
  proxy.faultOf = ({ method, url = '' }) =>
    method === 'PUT' && url.includes('partNumber=2') ? 'lose the answer' : 'pass';
  await rejectsWith('unavailable', store.put(ID, inChunks(randomBytes(9 * MIB), MIB)));
  while ((await everythingIn(server, setting)).uploads.length > 0) await sleep(100);
  assert.deepEqual((await everythingIn(server, setting)).keys, []);
});

test('a server that hangs, or is away, is unavailable until it is back', async (t) => {
  const own = await startS3Server();
  t.after(() => own.stop());
  const setting = await newBucket(own);
  const store = await openS3Store(setting);
  await store.put(ID, text('kept'));
  own.pause();
  await Promise.all(everyUse(store).map((use) => rejectsWith('unavailable', use())));
  own.resume();
  assert.equal(String(await store.read(ID)), 'kept');
  await own.crash();
  await Promise.all(everyUse(store).map((use) => rejectsWith('unavailable', use())));
  const late = await openS3Store(setting);
  await rejectsWith('unavailable', late.head(ID));
  await own.restart();
  assert.equal(String(await late.read(ID)), 'kept');
  assert.equal((await store.put('object0002', text('new'))).size, 3);
});

test('a bucket that is removed is unavailable, not a store without objects', async () => {
  const setting = await newBucket(server);
  const store = await openS3Store(setting);
  await clientOf(server).deleteBucket({ Bucket: setting.bucket });
  for (const use of everyUse(store)) await rejectsWith('unavailable', use());
});

test('a missing or forbidden bucket is reported at the start in one line', async (t) => {
  const setting = await newBucket(server);
  await assert.rejects(
    openS3Store({ ...setting, bucket: 'no-such-bucket' }),
    /^Error: The bucket “no-such-bucket” of PLATEN_STORAGE does not exist: create it/,
  );
  t.after(() => useKeysOf(server));
  useKeysOf({ ...server, secretAccessKey: 'wrong' });
  await assert.rejects(openS3Store(setting), /may not be used with these credentials/);
});

test('a server that is unreachable at the start is reported in one line, without a secret', async () => {
  const lines: string[] = [];
  const setting = { bucket: 'maps', prefix: '', endpoint: 'http://127.0.0.1:9', region: undefined };
  const store = await openS3Store(setting, { warn: (line) => lines.push(line) });
  await rejectsWith('unavailable', store.head(ID));
  assert.match(lines[0]!, /“maps” cannot be reached now/);
  assert.ok(!lines.join().includes(server.secretAccessKey));
});

test('a quota that is used up is "full", and leaves nothing', async (t) => {
  const name = `small-${randomUUID()}`;
  const keys = { accessKeyId: name, secretAccessKey: randomUUID() };
  const user = [`--uid=${name}`, `--access-key=${name}`, `--secret-key=${keys.secretAccessKey}`];
  await server.admin('user', 'create', ...user, '--display-name=small');
  await server.admin('quota', 'set', '--quota-scope=user', `--uid=${name}`, '--max-size=1048576');
  await server.admin('quota', 'enable', '--quota-scope=user', `--uid=${name}`);
  t.after(() => useKeysOf(server));
  useKeysOf({ ...server, ...keys });
  const setting = await newBucket({ ...server, ...keys });
  const store = await openS3Store(setting);
  await rejectsWith('full', store.put(ID, inChunks(randomBytes(2 * MIB), MIB)));
  await rejectsWith('full', store.put(ID, inChunks(randomBytes(20 * MIB), MIB)));
  assert.deepEqual(await everythingIn({ ...server, ...keys }, setting), { keys: [], uploads: [] });
});

function everyUse(store: ObjectStore): (() => Promise<unknown>)[] {
  return [
    () => store.head(ID),
    () => store.read(ID),
    () => store.stream(ID),
    () => store.open(ID),
    () => store.put('object0009', text('x')),
    () => store.put('object0009', inChunks(randomBytes(9 * MIB), MIB)),
    () => store.remove('object0008'),
    () => store.copy(ID, 'object0009'),
    () => store.drafts.begin('draft00001'),
    () => store.drafts.offset('draft00001'),
    () => Array.fromAsync(store.list()),
  ];
}

/** The clean-up that runs beside the tests lists objects. */
function readsObject({ url = '' }: IncomingMessage): boolean {
  return url.includes('x-id=GetObject');
}

async function behindProxy(t: TestContext) {
  const proxy: S3Proxy = await startS3Proxy(server.endpoint);
  t.after(() => proxy.stop());
  const setting = { ...(await newBucket(server)), endpoint: proxy.endpoint };
  return { store: await openS3Store(setting), proxy, setting };
}
