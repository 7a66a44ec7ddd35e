import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { objectStoreConformance } from './conformance.ts';
import { openFsStore } from './fs.ts';
import { StorageFailure } from './object-store.ts';
import { rejectsWith, sha256, text } from './testing.ts';

const CHILD = join(import.meta.dirname, 'testing-child.ts');

objectStoreConformance('fs', async (after) => {
  const root = await mkdtemp(join(tmpdir(), 'platen-storage-'));
  after(() => rm(root, { recursive: true }));
  return await openFsStore(root);
});

test('fs: an object outlives the store that put it', async (t) => {
  const root = await folder(t);
  await (await openFsStore(root)).put('object0001', text('kept'));
  assert.equal(String(await (await openFsStore(root)).read('object0001')), 'kept');
});

test('fs: a root that does not exist is made, with its parents', async (t) => {
  const root = join(await folder(t), 'a', 'b', 'c');
  const store = await openFsStore(root);
  await store.put('object0001', text('x'));
  assert.deepEqual((await readdir(root)).toSorted(), ['drafts', 'objects', 'tmp']);
});

test('fs: a put that fails or is aborted leaves no draft behind', async (t) => {
  const root = await folder(t);
  const store = await openFsStore(root);
  const aborting = new AbortController();
  const body = async function* () {
    for (let i = 0; ; i++) {
      yield Buffer.alloc(65_536);
      if (i === 100) aborting.abort();
    }
  };
  await assert.rejects(store.put('object0001', body(), { signal: aborting.signal }), { name: 'AbortError' });
  await store.put('object0002', text('old'));
  await assert.rejects(store.put('object0002', text('new'), { ifNoneMatch: true }), StorageFailure);
  const pair = ['first', 'second'].map((it) => store.put('object0003', text(it), { ifNoneMatch: true }));
  await Promise.allSettled(pair);
  assert.deepEqual(await readdir(join(root, 'tmp')), []);
});

test('fs: a failed put ends its body', async (t) => {
  const store = await openFsStore(await folder(t));
  const aborting = new AbortController();
  const body = Readable.from(
    (async function* () {
      yield Buffer.alloc(10);
      aborting.abort();
      yield Buffer.alloc(10);
    })(),
  );
  await assert.rejects(store.put('object0001', body, { signal: aborting.signal }));
  if (!body.closed) await once(body, 'close');
  assert.equal(body.destroyed, true);
});

test('fs: opening clears drafts older than an hour, and no younger ones', async (t) => {
  const root = await folder(t);
  await openFsStore(root);
  const [old, young] = [join(root, 'tmp', 'object0001.old'), join(root, 'tmp', 'object0002.young')];
  const now = Date.now() / 1000;
  await writeFile(old, 'x');
  await utimes(old, now - 3700, now - 3700);
  await writeFile(young, 'x');
  await utimes(young, now - 3500, now - 3500);
  await openFsStore(root);
  assert.deepEqual(await readdir(join(root, 'tmp')), ['object0002.young']);
});

test(
  'fs: leftovers of a dead process are removed while the store stays open',
  { timeout: 30_000 },
  async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const root = await folder(t);
    await openFsStore(root);
    const left = join(root, 'tmp', 'object0001.left');
    await writeFile(left, 'x');
    const now = Date.now() / 1000;
    await utimes(left, now - 3700, now - 3700);
    t.mock.timers.tick(60 * 60 * 1000);
    while ((await readdir(join(root, 'tmp'))).length > 0) await setImmediate();
  },
);

test('fs: an upload of another process continues while a second store opens the folder', async (t) => {
  const root = await folder(t);
  const { promise: opened, resolve: resume } = Promise.withResolvers<void>();
  const body = async function* () {
    yield Buffer.alloc(2_000_000, 1);
    await opened;
    yield Buffer.alloc(10, 2);
  };
  const put = (await openFsStore(root)).put('object0001', body());
  const second = await openFsStore(root);
  resume();
  await put;
  assert.equal((await second.head('object0001'))?.size, 2_000_010);
});

test('fs: a disk that is gone is unavailable, not a store without objects', async (t) => {
  const root = await folder(t);
  const store = await openFsStore(root);
  await store.put('object0001', text('x'));
  await rename(join(root, 'objects'), join(root, 'elsewhere'));
  const list = async () => {
    for await (const { id } of store.list()) assert.fail(`${id} is listed`);
  };
  for (const use of [
    () => store.head('object0001'),
    () => store.read('object0001'),
    () => store.stream('object0001'),
    () => store.put('object0002', text('x')),
    () => store.remove('object0001'),
    () => store.copy('object0001', 'object0002'),
    list,
  ]) {
    await rejectsWith('unavailable', use());
  }
});

test('fs: a folder that may not be written is unavailable', async (t) => {
  const root = await folder(t);
  if (process.getuid?.() === 0) {
    await writeFile(join(root, 'file'), ''); // permissions do not stop root, a file in the way does
    await rejectsWith('unavailable', openFsStore(join(root, 'file')));
  } else {
    await chmod(root, 0o500);
    await rejectsWith('unavailable', openFsStore(join(root, 'store')));
    await chmod(root, 0o700);
  }
});

test('fs: other files in the folder are not listed', async (t) => {
  const root = await folder(t);
  const store = await openFsStore(root);
  await store.put('object0001', text('x'));
  await mkdir(join(root, 'objects', 'lost+found'));
  await writeFile(join(root, 'objects', '.DS_Store'), 'x');
  await writeFile(join(root, 'objects', '01', 'README.md'), 'x');
  const ids = [];
  for await (const { id } of store.list()) ids.push(id);
  assert.deepEqual(ids, ['object0001']);
});

test('fs: a stream destroyed early, or read to its end, gives its file back', async (t) => {
  if (process.platform !== 'linux') return t.skip('open files can be counted on Linux only');
  const store = await openFsStore(await folder(t));
  await store.put('object0001', Readable.from([Buffer.alloc(2_000_000)]));
  const before = (await readdir('/proc/self/fd')).length;
  for (let i = 0; i < 50; i++) {
    const stream = await store.stream('object0001');
    assert.ok(stream);
    if (i % 2) await buffer(stream);
    else stream.destroy();
    if (!stream.closed) await once(stream, 'close');
    await store.read('object0001', { offset: 0, length: 1 });
  }
  const after = (await readdir('/proc/self/fd')).length;
  assert.ok(after < before + 10, `${after - before} files stayed open`);
});

test('fs: memory stays flat while a body far larger than the batches passes through', async (t) => {
  const store = await openFsStore(await folder(t));
  let maxRss = 0;
  const body = async function* () {
    for (let i = 0; i < 4096; i++) {
      yield Buffer.alloc(65_536);
      if (i % 64 === 0) maxRss = Math.max(maxRss, process.memoryUsage().rss);
    }
  };
  const before = process.memoryUsage().rss;
  const { size } = await store.put('object0001', body());
  assert.equal(size, 268_435_456);
  assert.ok(maxRss - before < 128 * 1024 * 1024, `grew by ${Math.round((maxRss - before) / 1048576)} MiB`);
});

test('fs: kill -9 of a writer in mid-upload leaves no object', async (t) => {
  const root = await folder(t);
  const writer = startChild('hang', root);
  for await (const line of createInterface(writer.stdout!)) if (line === 'writing') break;
  await killed(writer);
  const store = await openFsStore(root);
  assert.equal(await store.head('unfinished01'), undefined);
  for await (const { id } of store.list()) assert.fail(`${id} is visible`);
  assert.equal((await readdir(join(root, 'tmp'))).length, 1, 'the draft waits for the clean-up');
});

test('fs: kill -9 during many puts loses no acknowledged object, and shows no partial one', async (t) => {
  const root = await folder(t);
  const acknowledged = new Map<string, string>();
  for (const kill of [40, 90, 150, 211]) {
    const writer = startChild('many', root);
    let seen = 0;
    for await (const line of createInterface(writer.stdout!)) {
      const [id, digest] = line.split(' ');
      if (id && digest?.length === 64) acknowledged.set(id, digest);
      if (++seen === kill) writer.kill('SIGKILL');
    }
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
  }
  assert.ok(acknowledged.size >= 40 + 90 + 150 + 211);
  const store = await openFsStore(root);
  for (const [id, digest] of acknowledged) {
    const bytes = await store.read(id);
    assert.ok(bytes, `${id} was acknowledged and is lost`);
    assert.equal(sha256(bytes), digest);
  }
});

test('fs: a full disk is "full", leaves no draft, keeps what was there, and recovers', async (t) => {
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const root = await folder(t);
  // A mount of its own name space is gone with the process, however that ends.
  const inSmallDisk = (command: string) =>
    [...namespace, '--', 'sh', '-c', `mount -t tmpfs -o size=8m platen "$0" && ${command}`, root] as const;
  if (spawnSync('unshare', inSmallDisk('true')).status !== 0) {
    return t.skip('NOT TESTED: this machine lets us mount no small disk (needs root or user name spaces)');
  }
  const script = inSmallDisk(`exec "${process.execPath}" "${CHILD}" fill "$0"`);
  const seen: unknown = JSON.parse(execFileSync('unshare', script, { encoding: 'utf8' }));
  assert.deepEqual(seen, {
    full: 'full',
    overwrite: 'full',
    drafts: [],
    visible: ['keptobject01'],
    kept: 1_048_576,
    copy: 'full',
    afterwards: 'done',
    draftsAfterwards: [],
  });
});

async function folder(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'platen-storage-'));
  t.after(() => rm(root, { recursive: true }));
  return root;
}

function startChild(what: string, root: string): ChildProcess {
  return spawn(process.execPath, [CHILD, what, root], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
