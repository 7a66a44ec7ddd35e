import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { draftsConformance } from './conformance-drafts.ts';
import { readAll, readsConformance } from './conformance-reads.ts';
import type { ObjectStore } from './object-store.ts';
import { assertSame, chunks, codeOf, inChunks, rejectsWith, sha256, text } from './testing.ts';

type Open = (after: (cleanUp: () => Promise<void>) => void) => Promise<ObjectStore>;

/**
 * Conformance tests for every backend. `open` returns an empty store each time and removes it after the test.
 * `keepsReplaced`: an open object stays readable after it has been replaced or removed.
 */
export function objectStoreConformance(
  name: string,
  open: Open,
  { keepsReplaced = true, skip }: { keepsReplaced?: boolean; skip?: string | undefined } = {},
): void {
  function check(sentence: string, run: (store: ObjectStore) => Promise<void>): void {
    void test(`${name}: ${sentence}`, { skip }, async (t) => {
      await run(await open((cleanUp) => t.after(cleanUp)));
    });
  }

  check('an object is returned as it was put, with its size and SHA-256', async (store) => {
    const bytes = randomBytes(3_000_017);
    assert.deepEqual(await store.put('object0001', inChunks(bytes, 65_536)), {
      size: bytes.length,
      sha256: sha256(bytes),
    });
    assertSame(await store.read('object0001'), bytes);
    assertSame(await readAll(store, 'object0001'), bytes);
    assert.equal((await store.head('object0001'))?.size, bytes.length);
  });

  check('chunks of any size, empty ones too, keep their order', async (store) => {
    const parts = [0, 1, 0, 5, 2_500_000, 1, 1_048_576, 0, 3, 1_048_575, 7].map((size) => randomBytes(size));
    const whole = Buffer.concat(parts);
    const { sha256: digest } = await store.put('object0001', chunks(parts));
    assert.equal(digest, sha256(whole));
    assertSame(await store.read('object0001'), whole);
  });

  check('many small objects are stored at once, empty ones too', async (store) => {
    const objects = Array.from({ length: 200 }, (_, i) => ({
      id: `object${String(i).padStart(4, '0')}`,
      bytes: randomBytes(i),
    }));
    await store.putAll(
      (async function* () {
        yield* objects;
      })(),
    );
    assert.equal((await idsOf(store)).length, objects.length);
    for (const { id, bytes } of objects.filter((_, i) => i % 20 === 0))
      assertSame(await store.read(id), bytes);
    await store.putAll((async function* () {})());
  });

  check('an error among many small objects is passed on, and ends their stream', async (store) => {
    let isEnded = false;
    const invalid = async function* () {
      try {
        for (let i = 0; ; i++) yield { id: i === 50 ? '..' : `object${1000 + i}`, bytes: randomBytes(10) };
      } finally {
        isEnded = true;
      }
    };
    await rejectsWith('invalid_id', store.putAll(invalid()));
    assert.equal(isEnded, true);
    const failing = async function* () {
      yield { id: 'object9999', bytes: randomBytes(10) };
      throw new TypeError('the client went away');
    };
    await assert.rejects(store.putAll(failing()), new TypeError('the client went away'));
  });

  check('an empty object is an object', async (store) => {
    assert.deepEqual(await store.put('object0001', chunks([])), { size: 0, sha256: sha256(Buffer.alloc(0)) });
    assert.equal((await store.head('object0001'))?.size, 0);
    assert.equal((await store.read('object0001'))?.byteLength, 0);
    assert.equal((await readAll(store, 'object0001'))?.byteLength, 0);
  });

  check('a missing object is undefined, and removing it succeeds', async (store) => {
    assert.equal(await store.head('object0001'), undefined);
    assert.equal(await store.read('object0001'), undefined);
    assert.equal(await store.stream('object0001'), undefined);
    assert.equal(await store.open('object0001'), undefined);
    assert.equal(await store.copy('object0001', 'object0002'), undefined);
    await store.remove('object0001');
    assert.deepEqual(await idsOf(store), []);
  });

  check('a removed object is gone', async (store) => {
    await store.put('object0001', text('old'));
    await store.remove('object0001');
    assert.equal(await store.head('object0001'), undefined);
    assert.deepEqual(await idsOf(store), []);
  });

  check('a put replaces an object', async (store) => {
    await store.put('object0001', text('old and long'));
    await store.put('object0001', text('new'));
    assert.equal(String(await store.read('object0001')), 'new');
    assert.equal((await store.head('object0001'))?.size, 3);
  });

  check('a put with ifNoneMatch refuses an existing object and keeps it', async (store) => {
    await store.put('object0001', text('old'), { ifNoneMatch: true });
    await rejectsWith('exists', store.put('object0001', text('new'), { ifNoneMatch: true }));
    assert.equal(String(await store.read('object0001')), 'old');
  });

  check(
    'of many simultaneous puts with ifNoneMatch exactly one succeeds, and its bytes stay',
    async (store) => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          store.put('object0001', text(`writer ${i}`), { ifNoneMatch: true }).then(() => `writer ${i}`),
        ),
      );
      const winners = outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value] : []));
      const failures = outcomes.flatMap((o) => (o.status === 'rejected' ? [codeOf(o.reason)] : []));
      assert.deepEqual(failures, Array(19).fill('exists'));
      assert.equal(String(await store.read('object0001')), winners[0]);
    },
  );

  check('an object is invisible before its body has ended', async (store) => {
    const { promise: seen, resolve: resume } = Promise.withResolvers<void>();
    const { promise: half, resolve: halfWay } = Promise.withResolvers<void>();
    const put = store.put('object0001', pausing(halfWay, seen));
    await half;
    assert.equal(await store.head('object0001'), undefined);
    assert.deepEqual(await idsOf(store), []);
    resume();
    await put;
    assert.deepEqual(await idsOf(store), ['object0001']);
  });

  check('an error of a body is passed on, leaves nothing, and keeps the former object', async (store) => {
    const failing = async function* () {
      yield randomBytes(2_000_000);
      throw new TypeError('the client went away');
    };
    await assert.rejects(store.put('object0001', failing()), new TypeError('the client went away'));
    assert.deepEqual(await idsOf(store), []);
    await store.put('object0001', text('old'));
    await assert.rejects(store.put('object0001', failing()), TypeError);
    assert.equal(String(await store.read('object0001')), 'old');
  });

  check('an abort ends a put at once, also while its body hangs, and leaves nothing', async (store) => {
    const aborting = new AbortController();
    const hanging = async function* () {
      yield randomBytes(2_000_000);
      setImmediate(() => aborting.abort(new Error('enough')));
      await new Promise(() => {});
    };
    const put = store.put('object0001', hanging(), { signal: aborting.signal });
    await assert.rejects(put, new Error('enough'));
    assert.deepEqual(await idsOf(store), []);
  });

  check('a put with a signal that has aborted before takes nothing from its body', async (store) => {
    let taken = false;
    const body = async function* () {
      taken = true;
      yield Buffer.from('x');
    };
    const signal = AbortSignal.abort(new Error('too late'));
    await assert.rejects(store.put('object0001', body(), { signal }), new Error('too late'));
    assert.equal(taken, false);
    assert.deepEqual(await idsOf(store), []);
  });

  check('a list gives every object of a prefix once, with size and time', async (store) => {
    const ids = Array.from(
      { length: 60 },
      (_, i) => `${i % 2 ? 'odd' : 'even'}00000${String(i).padStart(2, '0')}`,
    );
    const before = Date.now();
    await Promise.all(ids.map((id) => store.put(id, text(id))));
    assert.deepEqual(await idsOf(store), ids.toSorted());
    assert.deepEqual(await idsOf(store, 'odd'), ids.filter((id) => id.startsWith('odd')).toSorted());
    assert.deepEqual(await idsOf(store, 'none'), []);
    for await (const { size, modifiedAt, id } of store.list('even')) {
      assert.equal(size, id.length);
      // A server's clock has whole seconds and may be slightly behind ours.
      assert.ok(modifiedAt.getTime() > before - 60_000 && modifiedAt.getTime() < Date.now() + 60_000);
    }
  });

  check('a copy holds the same bytes, replaces what was there, and outlives the original', async (store) => {
    await store.put('object0001', text('original'));
    await store.put('object0002', text('something else'));
    assert.equal((await store.copy('object0001', 'object0002'))?.size, 8);
    await store.put('object0001', text('changed'));
    assert.equal(String(await store.read('object0002')), 'original');
    await store.remove('object0001');
    assert.equal(String(await store.read('object0002')), 'original');
  });

  check('an invalid id never becomes part of a path', async (store) => {
    for (const id of [
      '',
      'short',
      '../../../../etc/passwd',
      'UPPERCASE00',
      'a/b/c/d/e/f/g',
      'nul\0nul\0nul\0',
      'dots......',
      'x'.repeat(65),
    ]) {
      await rejectsWith('invalid_id', store.put(id, text('x')));
      await rejectsWith('invalid_id', store.head(id));
      await rejectsWith('invalid_id', store.read(id));
      await rejectsWith('invalid_id', store.stream(id));
      await rejectsWith('invalid_id', store.open(id));
      await rejectsWith('invalid_id', store.remove(id));
      await rejectsWith('invalid_id', store.copy(id, 'object0001'));
      await rejectsWith('invalid_id', store.copy('object0001', id));
    }
    await rejectsWith('invalid_id', idsOf(store, '../'));
    assert.deepEqual(await idsOf(store), []);
  });

  check('200 simultaneous puts all arrive complete', async (store) => {
    const bodies = Array.from({ length: 200 }, (_, i) => ({
      id: `parallel${String(i).padStart(4, '0')}`,
      bytes: randomBytes(1 + i * 997),
    }));
    const stored = await Promise.all(bodies.map(({ id, bytes }) => store.put(id, inChunks(bytes, 10_000))));
    for (const [i, { id, bytes }] of bodies.entries()) {
      assert.equal(stored[i]?.sha256, sha256(bytes));
      assertSame(await store.read(id), bytes);
    }
    assert.equal((await idsOf(store)).length, 200);
  });

  check(
    'readers of an object that is put again and again see one version or another, never a mixture',
    async (store) => {
      const version = (i: number) => Buffer.alloc(300_000, i);
      await store.put('object0001', inChunks(version(0), 65_536));
      let writing = true;
      const writes = (async () => {
        for (let i = 1; i <= 20; i++) await store.put('object0001', inChunks(version(i), 65_536));
        writing = false;
      })();
      let reads = 0;
      do {
        const bytes = await readAll(store, 'object0001');
        assert.ok(bytes && bytes.length === 300_000 && bytes.every((byte) => byte === bytes[0]));
        reads++;
      } while (writing);
      await writes;
      assert.ok(reads > 0);
      assertSame(await store.read('object0001'), version(20));
    },
  );

  check('a local path, where there are any, is that of the complete object', async (store) => {
    if (!store.localPath) return;
    await store.put('object0001', text('0123456789'));
    assert.equal(await readFile(store.localPath('object0001'), 'utf8'), '0123456789');
    assert.throws(
      () => store.localPath!('../../etc/passwd'),
      (error) => codeOf(error) === 'invalid_id',
    );
  });

  readsConformance(check, { keepsReplaced });
  draftsConformance(check);
}

async function* pausing(halfWay: () => void, resumed: Promise<void>): AsyncIterable<Uint8Array> {
  yield randomBytes(2_000_000);
  halfWay();
  await resumed;
  yield randomBytes(10);
}

async function idsOf(store: ObjectStore, prefix?: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list(prefix)) ids.push(id);
  return ids.toSorted();
}
