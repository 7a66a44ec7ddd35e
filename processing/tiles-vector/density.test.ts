import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import { pointType } from '@platen/geo/shape/shape';
import { createDensity, guessZoom } from './density.ts';

test('the zoom of a resumed job is guessed from cells that lie anywhere in a file', () => {
  const density = createDensity();
  for (let i = 0; i < 1000; i++) {
    const words = new Int32Array(16);
    words.set([1], 6);
    words.fill(i * 50_000, 7);
    density.count(words, 0, pointType);
  }
  const detail = density.take();
  const expected = guessZoom(detail, density.cells, 4096);
  assert.ok(expected > 0);
  for (const name of ['a', 'ab', 'abc', 'abcd']) {
    const { cells } = deserialize(serialize({ [name]: 1, cells: density.cells })) as { cells: Uint8Array };
    assert.equal(guessZoom(detail, cells, 4096), expected, `${cells.byteOffset}`);
  }
});
