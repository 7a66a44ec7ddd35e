import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesError, type Bytes } from './bytes.ts';
import { readExactly } from './read-exactly.ts';

const bytes: Bytes = { size: 10, read: async (offset, length) => new Uint8Array(length).fill(offset) };

test('bytes are read as asked for, or refused where the file has none', async () => {
  assert.deepEqual(await readExactly(bytes, 4, 6), new Uint8Array(6).fill(4));
  // a tiny offset vanishes in the sum with a length
  for (const [offset, length] of [
    [5, 6],
    [-1, 2],
    [2, -1],
    [1e-43, 4],
    [4, 1e-302],
    [0.5, 0.5],
    [NaN, 1],
    [2 ** 53, 1],
  ] as const)
    await assert.rejects(readExactly(bytes, offset, length), BytesError, `${offset}, ${length}`);
});
