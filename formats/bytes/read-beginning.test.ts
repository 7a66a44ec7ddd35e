import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { collectBeginning, readBeginning } from './read-beginning.ts';
import { bytesOf, unpackedBytes } from './unpacked-bytes.ts';

const text = Buffer.from(Array.from({ length: 300_000 }, (_, i) => `line ${i}\n`).join(''));

test('the beginning of a file is read up to a limit, packed or not, and its share of the file is known', async () => {
  for (const content of [
    text,
    gzipSync(text),
    Buffer.concat([gzipSync(text.subarray(0, 9)), gzipSync(text.subarray(9))]),
  ]) {
    const all = await collectBeginning(bytesOf(content), { maxBytes: 1 << 30 });
    assert.ok(all.content.equals(text));
    assert.deepEqual([all.share, all.isWhole, all.fault], [1, true, undefined]);
    const some = await collectBeginning(bytesOf(content), { maxBytes: 100_000 });
    assert.ok(some.content.equals(text.subarray(0, 100_000)));
    assert.equal(some.isWhole, false);
  }
});

test('a truncated or damaged gzip yields its readable beginning and a reason', async () => {
  const packed = gzipSync(text);
  const cut = await collectBeginning(bytesOf(packed.subarray(0, -100)), { maxBytes: 1 << 30 });
  assert.deepEqual([cut.isWhole, cut.fault], [false, 'the gzip file is cut off: upload it again']);
  assert.ok(cut.content.length > 0 && cut.content.equals(text.subarray(0, cut.content.length)));
  const broken = Buffer.from(packed);
  broken.fill(0xff, packed.length >> 1, (packed.length >> 1) + 50);
  assert.match((await collectBeginning(bytesOf(broken), { maxBytes: 1 << 30 })).fault!, /damaged/);
});

test('a time limit ends reading with what was read, without a fault', async () => {
  const content = gzipSync(Buffer.from(Array.from({ length: 3e6 }, () => Math.floor(Math.random() * 256))));
  let looks = 0;
  const over = await collectBeginning(bytesOf(content), { maxBytes: 1 << 30, isOver: () => looks++ > 2 });
  assert.deepEqual([over.isWhole, over.fault], [false, undefined]);
});

test('a read error ends the reading with that error', async () => {
  const bytes = { size: 1e7, read: () => Promise.reject(new Error('the disk is gone')) };
  await assert.rejects(readBeginning(bytes, { maxBytes: 10 }), /the disk is gone/);
  let reads = 0;
  const packed = gzipSync(text);
  const half = {
    size: 1e7,
    read: async () => {
      if (reads++ > 1) throw new Error('the disk is gone');
      return packed.subarray(0, 1000);
    },
  };
  await assert.rejects(collectBeginning(half, { maxBytes: 1 << 30 }), /the disk is gone/);
});

test('gzip with more content than the limit is refused', async () => {
  assert.equal((await unpackedBytes(bytesOf(gzipSync(text)), 1 << 30)).size, text.length);
  await assert.rejects(unpackedBytes(bytesOf(gzipSync(text)), 1_000_000), /content is too large/);
  await assert.rejects(unpackedBytes(bytesOf(gzipSync(text).subarray(0, -9)), 1 << 30), /damaged/);
});
