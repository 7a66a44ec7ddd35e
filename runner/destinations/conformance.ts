import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { FileHeaders, Destination } from './destination.ts';

export interface Tested {
  readonly destination: Destination;
  /** Reads a file as the destination's owner sees it. */
  look(path: string): Promise<Buffer | undefined>;
  /** Lists all files and unfinished uploads. */
  everything(): Promise<string[]>;
  /** Writes a file that does not belong to the bundle. */
  place(path: string, bytes: Uint8Array): Promise<void>;
  /** Opens the same destination again, as the next run does. */
  again(signal?: AbortSignal): Promise<Destination>;
}

type Open = (after: (cleanUp: () => Promise<void>) => void) => Promise<Tested>;

const about: FileHeaders = { contentType: 'text/plain', cacheControl: 'no-cache', isGzipped: false };
const maxBytes = 1_000_000;

export async function* chunksOf(bytes: Uint8Array, size = 50_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

/** Tests that every backend has to pass. `open` returns an empty destination each time. */
export function destinationConformance(
  name: string,
  open: Open,
  { skip }: { readonly skip?: string | undefined } = {},
): void {
  function check(sentence: string, run: (tested: Tested) => Promise<void>): void {
    void test(`${name}: ${sentence}`, { skip, timeout: 60_000 }, async (t) => {
      await run(await open((cleanUp) => t.after(cleanUp)));
    });
  }
  const put = async ({ destination }: Tested, path: string, bytes: Uint8Array) =>
    (await destination.draft(path, chunksOf(bytes), { ...about, size: bytes.byteLength })).switch();

  check('a file of any size is written to its path and can be read back', async (tested) => {
    for (const size of [0, 1, 32_768, 65_537, 300_001]) {
      const bytes = randomBytes(size);
      await put(tested, `a/b/${size}.bin`, bytes);
      assert.deepEqual(await tested.look(`a/b/${size}.bin`), bytes);
      assert.deepEqual(Buffer.from((await tested.destination.read(`a/b/${size}.bin`, maxBytes))!), bytes);
    }
  });

  check('a file of many parts is the same at the other end', async (tested) => {
    const bytes = randomBytes(19_000_003);
    await put(tested, 'large.bin', bytes);
    assert.equal(Buffer.compare((await tested.look('large.bin'))!, bytes), 0);
    assert.deepEqual(
      await tested.destination.sizes('', new Set(['large.bin'])),
      new Map([['large.bin', 19_000_003]]),
    );
  });

  check('names of all languages, with spaces and signs, are paths like any other', async (tested) => {
    for (const path of [
      'Zürich & Café/日本 #1?.txt',
      "a b/c'd%20+e.txt",
      'x/…/[y] {z};~=.txt',
      'd/-f -rf.txt',
    ]) {
      await put(tested, path, Buffer.from(path));
      assert.equal(String(await tested.look(path)), path);
      assert.equal(Buffer.from((await tested.destination.read(path, maxBytes))!).toString(), path);
    }
  });

  check('a draft is invisible until the switch, and the former file remains until then', async (tested) => {
    await put(tested, 'index.html', Buffer.from('old'));
    const draft = await tested.destination.draft('index.html', chunksOf(Buffer.from('new')), about);
    assert.equal(String(await tested.look('index.html')), 'old');
    await draft.switch();
    assert.equal(String(await tested.look('index.html')), 'new');
    assert.deepEqual(await tested.everything(), ['index.html']);
  });

  check('a draft that is dropped leaves nothing', async (tested) => {
    for (const size of [10, 17_000_000]) {
      const draft = await tested.destination.draft('a/b.bin', chunksOf(Buffer.alloc(size)), about);
      await draft.drop();
    }
    assert.deepEqual(await tested.everything(), []);
  });

  check('an aborted transfer leaves nothing, and its error is passed on unchanged', async (tested) => {
    async function* broken() {
      yield Buffer.alloc(9_000_000);
      throw new TypeError('terminated');
    }
    await assert.rejects(tested.destination.draft('a/b.bin', broken(), about), new TypeError('terminated'));
    assert.deepEqual(await tested.everything(), []);
  });

  check('a missing file has no content and no size, and removing it succeeds', async (tested) => {
    await put(tested, 'a/here.txt', Buffer.from('x'));
    assert.equal(await tested.destination.read('nowhere.txt', maxBytes), undefined);
    assert.equal(await tested.destination.read('no/where.txt', maxBytes), undefined);
    assert.deepEqual(await tested.destination.sizes('no/where', new Set(['x'])), new Map());
    assert.deepEqual(
      await tested.destination.sizes('a', new Set(['here.txt', 'gone.txt'])),
      new Map([['here.txt', 1]]),
    );
    await tested.destination.remove('nowhere.txt');
    await tested.destination.remove('no/where.txt');
    assert.deepEqual(await tested.everything(), ['a/here.txt']);
  });

  check('a file longer than the read limit counts as missing', async (tested) => {
    await put(tested, 'long.txt', Buffer.alloc(101));
    assert.equal(await tested.destination.read('long.txt', 100), undefined);
    assert.equal((await tested.destination.read('long.txt', 101))?.byteLength, 101);
  });

  check('removing takes that file alone', async (tested) => {
    await tested.place('a/b/foreign.txt', Buffer.from('f'));
    await put(tested, 'a/b/ours.txt', Buffer.from('x'));
    await put(tested, 'a/b/c/d/ours.txt', Buffer.from('x'));
    await tested.destination.remove('a/b/ours.txt');
    await tested.destination.remove('a/b/c/d/ours.txt');
    assert.deepEqual(await tested.everything(), ['a/b/foreign.txt']);
    await put(tested, 'a/b/c/d/again.txt', Buffer.from('x'));
    assert.equal(String(await tested.look('a/b/c/d/again.txt')), 'x');
  });

  check('removing anything other than a file succeeds without effect', async (tested) => {
    await put(tested, 'a/b/c.txt', Buffer.from('c'));
    await put(tested, 'd', Buffer.from('d'));
    for (const path of ['a', 'a/b', 'd/e', 'd/e/f']) await tested.destination.remove(path);
    assert.deepEqual(await tested.everything(), ['a/b/c.txt', 'd']);
  });

  check('drafts of a run that died are removed by the next one', async (tested) => {
    await put(tested, 'a.txt', Buffer.from('a'));
    await tested.destination.draft('a.bin', chunksOf(Buffer.alloc(9_000_000)), about);
    await tested.destination.draft('b.txt', chunksOf(Buffer.from('b')), about);
    const next = await tested.again();
    await next.tidy(() => true);
    assert.deepEqual(await tested.everything(), ['a.txt']);
    await next.close();
  });

  check('many files are written at the same time', async (tested) => {
    const paths = Array.from({ length: 60 }, (_, index) => `t/${index % 7}/${index}.txt`);
    await Promise.all(paths.map((path) => put(tested, path, Buffer.from(path))));
    assert.deepEqual(await tested.everything(), paths.toSorted());
    await Promise.all(paths.map((path) => tested.destination.remove(path)));
    assert.deepEqual(await tested.everything(), []);
  });

  check('an abort ends everything in progress at once, with its reason', async (tested) => {
    const stop = new AbortController();
    const destination = await tested.again(stop.signal);
    async function* endless() {
      for (let n = 0; ; n++) {
        yield Buffer.alloc(100_000);
        if (n === 20) stop.abort(new Error('asked to stop'));
        await new Promise((go) => setTimeout(go, n > 20 ? 5 : 0));
        if (n > 1000) return;
      }
    }
    const from = performance.now();
    const drafting = destination.draft('a.bin', endless(), about);
    await assert.rejects(drafting, /asked to stop/);
    assert.ok(performance.now() - from < 4000);
    await destination.close();
  });
}
