import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openFsStore } from './fs.ts';
import { createOpenObjectCache } from './open-object-cache.ts';
import type { ObjectStore, OpenObject } from './object-store.ts';
import { rejectsWith, text } from './testing.ts';

test('an object is opened once for many reads, side by side and one after the other', async (t) => {
  const { store, opened } = await countedStore(t);
  const objects = createOpenObjectCache(store);
  t.after(() => objects.close());
  await store.put('object0001', text('0123456789'));
  const reads = Array.from({ length: 10 }, (_, i) => objects.use('object0001', (it) => it.read(i, 1)));
  assert.equal((await Promise.all(reads)).map(String).join(''), '0123456789');
  assert.equal(String(await objects.use('object0001', (it) => it.read(8, 2))), '89');
  assert.equal(opened.length, 1);
});

test('over the limit the least recently used one is closed', async (t) => {
  const { store, opened } = await countedStore(t);
  const objects = createOpenObjectCache(store, { limit: 2 });
  t.after(() => objects.close());
  for (const id of ['object0001', 'object0002', 'object0003']) await store.put(id, text(id));
  for (const id of ['object0001', 'object0002', 'object0001', 'object0003', 'object0001']) {
    assert.equal(String(await objects.use(id, (it) => it.read(0, 99))), id);
  }
  assert.equal(opened.length, 3);
  await rejectsWith('unavailable', opened[1]!.read(0, 1));
  assert.equal(String(await opened[0]!.read(9, 1)), '1');
});

test('an object in use outlives the limit, being forgotten, and the end', async (t) => {
  const { store, opened } = await countedStore(t);
  const objects = createOpenObjectCache(store, { limit: 1 });
  for (const id of ['object0001', 'object0002']) await store.put(id, text(id));
  const both = objects.use('object0001', async (first) => {
    const second = await objects.use('object0002', (it) => it.read(0, 99));
    objects.forget('object0001');
    objects.close();
    return [await first.read(0, 99), second];
  });
  assert.deepEqual((await both)?.map(String), ['object0001', 'object0002']);
  for (const object of opened) await rejectsWith('unavailable', object.read(0, 1));
});

test('an unused object is closed after a while', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { store, opened } = await countedStore(t);
  const objects = createOpenObjectCache(store, { idleMs: 1000 });
  t.after(() => objects.close());
  await store.put('object0001', text('x'));
  await objects.use('object0001', (it) => it.read(0, 1));
  t.mock.timers.tick(1000);
  await objects.use('object0001', (it) => it.read(0, 1));
  t.mock.timers.tick(1000);
  assert.equal(String(await opened[0]!.read(0, 1)), 'x');
  t.mock.timers.tick(1000);
  await new Promise(setImmediate);
  await rejectsWith('unavailable', opened[0]!.read(0, 1));
});

test('neither absence nor a failure is cached', async (t) => {
  const { store } = await countedStore(t);
  const objects = createOpenObjectCache(store);
  t.after(() => objects.close());
  assert.equal(await objects.use('object0001', (it) => it.read(0, 1)), undefined);
  await store.put('object0001', text('x'));
  const failing = objects.use('object0001', () => Promise.reject(new TypeError('broken')));
  await assert.rejects(failing, TypeError);
  assert.equal(String(await objects.use('object0001', (it) => it.read(0, 1))), 'x');
  await rejectsWith(
    'invalid_id',
    objects.use('../../etc', (it) => it.read(0, 1)),
  );
});

/** A store on disk that remembers what it opened. */
async function countedStore(t: TestContext): Promise<{ store: ObjectStore; opened: OpenObject[] }> {
  const root = await mkdtemp(join(tmpdir(), 'platen-storage-'));
  t.after(() => rm(root, { recursive: true }));
  const store = await openFsStore(root);
  const opened: OpenObject[] = [];
  const open: ObjectStore['open'] = async (id) => {
    const object = await store.open(id);
    if (object) opened.push(object);
    return object;
  };
  return { store: { ...store, open }, opened };
}
