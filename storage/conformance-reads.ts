import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, ObjectStore } from './object-store.ts';
import { inChunks, rejectsWith, text } from './testing.ts';

/** Conformance tests of reads for every backend. */
export function readsConformance(
  check: (sentence: string, run: (store: ObjectStore) => Promise<void>) => void,
  { keepsReplaced }: { keepsReplaced: boolean },
): void {
  check('a range gives its bytes, cut off at the end', async (store) => {
    await store.put('object0001', text('0123456789'));
    for (const [offset, length, expected] of [
      [0, 3, '012'],
      [4, 1, '4'],
      [7, 3, '789'],
      [7, 100, '789'],
      [3, undefined, '3456789'],
      [10, 5, ''],
      [999, 5, ''],
      [999, undefined, ''],
      [2, 0, ''],
    ] as const) {
      const range = length === undefined ? { offset } : { offset, length };
      assert.equal(String(await readText(store, range)), expected, `read ${JSON.stringify(range)}`);
      const streamed = await readAll(store, 'object0001', range);
      assert.equal(String(streamed), expected, `stream ${JSON.stringify(range)}`);
    }
  });

  check('an invalid range is refused', async (store) => {
    await store.put('object0001', text('0123456789'));
    for (const range of [{ offset: -1 }, { offset: 0.5 }, { offset: 0, length: -1 }, { offset: NaN }]) {
      await assert.rejects(store.read('object0001', range), RangeError);
      await assert.rejects(store.stream('object0001', range), RangeError);
    }
  });

  check(
    'an open object is one version: it gives that, or nothing once it was replaced or removed',
    async (store) => {
      await store.put('object0001', text('0123456789'));
      const object = await store.open('object0001');
      assert.ok(object);
      assert.equal(object.size, 10);
      const readAllOver = () =>
        Promise.all([object.read(2, 3), object.read(0, 100), object.read(10, 1), object.read(50, 1)]);
      assert.deepEqual((await readAllOver()).map(String), ['234', '0123456789', '', '']);
      const change = [() => store.put('object0001', text('abcdefghij')), () => store.remove('object0001')];
      for (const it of change) {
        await it();
        if (keepsReplaced) assert.deepEqual((await readAllOver()).map(String), ['234', '0123456789', '', '']);
        else await rejectsWith('unavailable', object.read(2, 3));
      }
      await object.close();
      await object.close();
      await rejectsWith('unavailable', object.read(0, 1));
    },
  );

  check('an object closed during a read still returns the requested bytes', async (store) => {
    await store.put('object0001', text('0123456789'));
    const object = await store.open('object0001');
    assert.ok(object);
    const [bytes] = await Promise.all([object.read(3, 4), object.close()]);
    assert.equal(String(bytes), '3456');
  });

  check('a stream takes no more than its reader does, and ends where it is destroyed', async (store) => {
    const size = 8_000_000;
    await store.put('object0001', inChunks(randomBytes(size), 1_000_000));
    const stream = await store.stream('object0001');
    assert.ok(stream);
    const first = await new Promise((resolve) => stream.once('readable', () => resolve(stream.read(10))));
    assert.equal((first as Uint8Array).byteLength, 10);
    assert.ok(stream.readableLength < size / 4, `${stream.readableLength} bytes lie in memory`);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await closed;
  });
}

export async function readAll(
  store: ObjectStore,
  id: string,
  range?: ByteRange,
): Promise<Buffer | undefined> {
  const stream = await store.stream(id, range);
  return stream && (await buffer(stream));
}

async function readText(store: ObjectStore, range: ByteRange): Promise<string> {
  return String(await store.read('object0001', range));
}
