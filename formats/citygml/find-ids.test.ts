import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findIds } from './find-ids.ts';

const xml = `<a gml:id="one" href="#two"><b id = 'three'/><c xml:id="four five"/><Solid gml:id="\u00fcber"/></a>`;
const wanted = new Set(['one', 'two', 'three', 'four', 'four five', '\u00fcber', 'absent']);

async function* inChunks(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test('ids are found however the file is divided into chunks; references are no ids', async () => {
  const bytes = Buffer.from(xml);
  for (let length = 1; length <= bytes.length; length++) {
    const found = await findIds(inChunks(bytes, length), wanted);
    assert.deepEqual(
      [...found].toSorted(),
      ['four five', 'one', 'three', '\u00fcber'],
      `${length} bytes a chunk`,
    );
  }
});

test('an id that does not end, and one longer than all that are wanted, are no ids', async () => {
  for (const text of ['<a id="one', '<a id="one and many more words"/>', '<a id', '<a id=', '<a id="'])
    assert.equal((await findIds(inChunks(Buffer.from(text), 5), new Set(['one', 'two']))).size, 0, text);
});
