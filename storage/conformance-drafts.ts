import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ObjectStore } from './object-store.ts';
import { assertSame, chunks, inChunks, rejectsWith, sha256, text } from './testing.ts';

const ID = 'draft00001';

/** Conformance tests of drafts for every backend. */
export function draftsConformance(
  check: (sentence: string, run: (store: ObjectStore) => Promise<void>) => void,
): void {
  check('a draft of several chunks, of any size, becomes an object of all their bytes', async (store) => {
    const { drafts } = store;
    const pieces = [3_000_017, 0, 1, 5 * 1024 * 1024, 6_500_000, 70_000, 9].map((size) => randomBytes(size));
    const whole = Buffer.concat(pieces);
    await drafts.begin(ID);
    assert.equal(await drafts.offset(ID), 0);
    let offset = 0;
    for (const piece of pieces) {
      offset += piece.length;
      assert.equal(await drafts.append(ID, offset - piece.length, inChunks(piece, 65_536)), offset);
      assert.equal(await drafts.offset(ID), offset);
    }
    assert.deepEqual(await drafts.finish(ID), { size: whole.length, sha256: sha256(whole) });
    assertSame(await store.read(ID), whole);
  });

  check('a draft without bytes becomes an empty object', async (store) => {
    await store.drafts.begin(ID);
    assert.deepEqual(await store.drafts.finish(ID), { size: 0, sha256: sha256(Buffer.alloc(0)) });
    assert.equal((await store.head(ID))?.size, 0);
  });

  check('a draft is not an object before it is finished, and not a draft afterwards', async (store) => {
    const { drafts } = store;
    await drafts.begin(ID);
    await drafts.append(ID, 0, inChunks(randomBytes(6_000_000), 1_000_000));
    assert.equal(await store.head(ID), undefined);
    assert.deepEqual(await idsOf(store.list()), []);
    assert.deepEqual(await idsOf(drafts.list()), [ID]);
    await drafts.finish(ID);
    assert.deepEqual(await idsOf(store.list()), [ID]);
    assert.deepEqual(await idsOf(drafts.list()), []);
    assert.equal(await drafts.offset(ID), undefined);
  });

  check('finishing a draft a second time says the same', async (store) => {
    await store.drafts.begin(ID);
    await store.drafts.append(ID, 0, text('0123456789'));
    const first = await store.drafts.finish(ID);
    assert.deepEqual(await store.drafts.finish(ID), first);
    assert.equal(String(await store.read(ID)), '0123456789');
  });

  check('a chunk at another offset than the end is a conflict and changes nothing', async (store) => {
    const { drafts } = store;
    await drafts.begin(ID);
    await drafts.append(ID, 0, text('0123'));
    for (const offset of [0, 3, 5]) await rejectsWith('conflict', drafts.append(ID, offset, text('xyz')));
    assert.equal(await drafts.offset(ID), 4);
    await drafts.append(ID, 4, text('4567'));
    await drafts.finish(ID);
    assert.equal(String(await store.read(ID)), '01234567');
  });

  check(
    'a missing draft has no offset, takes no chunk, and is dropped without an error',
    async ({ drafts }) => {
      assert.equal(await drafts.offset(ID), undefined);
      await rejectsWith('conflict', drafts.append(ID, 0, text('x')));
      await rejectsWith('conflict', drafts.finish(ID));
      await drafts.drop(ID);
      assert.deepEqual(await idsOf(drafts.list()), []);
    },
  );

  check('a chunk that breaks off keeps what arrived, and the next one resumes from there', async (store) => {
    const { drafts } = store;
    const whole = randomBytes(13_000_000);
    await drafts.begin(ID);
    const failing = async function* () {
      yield* inChunks(whole.subarray(0, 7_000_001), 100_000);
      throw new TypeError('the client went away');
    };
    await assert.rejects(drafts.append(ID, 0, failing()), new TypeError('the client went away'));
    assert.equal(await drafts.offset(ID), 7_000_001);
    assert.equal(await drafts.append(ID, 7_000_001, chunks([whole.subarray(7_000_001)])), whole.length);
    assert.equal((await drafts.finish(ID)).sha256, sha256(whole));
    assertSame(await store.read(ID), whole);
  });

  check(
    'an abort ends a chunk at once, also while its body hangs, and keeps the bytes that arrived',
    async (store) => {
      const aborting = new AbortController();
      const hanging = async function* () {
        yield Buffer.from('0123456789');
        setImmediate(() => aborting.abort(new Error('enough')));
        await new Promise(() => {});
      };
      await store.drafts.begin(ID);
      const append = store.drafts.append(ID, 0, hanging(), { signal: aborting.signal });
      await assert.rejects(append, new Error('enough'));
      assert.equal(await store.drafts.offset(ID), 10);
    },
  );

  check('a draft that is started again is empty', async (store) => {
    const { drafts } = store;
    await drafts.begin(ID);
    await drafts.append(ID, 0, inChunks(randomBytes(6_000_000), 1_000_000));
    await drafts.append(ID, 6_000_000, text('the tail of the old'));
    await drafts.begin(ID);
    assert.equal(await drafts.offset(ID), 0);
    await drafts.append(ID, 0, text('new'));
    assert.deepEqual(await drafts.finish(ID), { size: 3, sha256: sha256(Buffer.from('new')) });
    assert.deepEqual(await idsOf(drafts.list()), []);
  });

  check('a dropped draft is gone', async ({ drafts }) => {
    await drafts.begin(ID);
    await drafts.append(ID, 0, inChunks(randomBytes(6_000_000), 1_000_000));
    await drafts.drop(ID);
    assert.equal(await drafts.offset(ID), undefined);
    assert.deepEqual(await idsOf(drafts.list()), []);
  });

  check('drafts are listed with when they last grew', async ({ drafts }) => {
    const before = Date.now();
    const ids = ['draft00001', 'draft00002', 'draft00003'];
    for (const id of ids) await drafts.begin(id);
    await drafts.append('draft00002', 0, text('x'));
    assert.deepEqual(await idsOf(drafts.list()), ids);
    for await (const { modifiedAt } of drafts.list()) {
      assert.ok(modifiedAt.getTime() > before - 60_000 && modifiedAt.getTime() < Date.now() + 60_000);
    }
  });

  check('an invalid id is not a draft', async ({ drafts }) => {
    for (const id of ['', 'short', '../../../../etc/passwd', 'UPPERCASE00', 'x'.repeat(65)]) {
      await rejectsWith('invalid_id', drafts.begin(id));
      await rejectsWith('invalid_id', drafts.offset(id));
      await rejectsWith('invalid_id', drafts.append(id, 0, text('x')));
      await rejectsWith('invalid_id', drafts.finish(id));
      await rejectsWith('invalid_id', drafts.drop(id));
    }
  });
}

async function idsOf(listed: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of listed) ids.push(id);
  return ids.toSorted();
}
