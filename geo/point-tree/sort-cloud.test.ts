import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createScratchWords } from './scratch-words.ts';
import { sortCloud, withoutDuplicates } from './sort-cloud.ts';

const columns = 4;
const sideBits = 24;

type Row = readonly number[];

/** The Morton key of a place below the root, as a number of digits. */
function keyOf([x, y, z]: Row): string {
  let key = '';
  for (let bit = sideBits - 1; bit >= sideBits - 20; bit--)
    key += ((x! >>> bit) & 1) + 2 * ((y! >>> bit) & 1) + 4 * ((z! >>> bit) & 1);
  return key;
}

function compareRows(a: Row, b: Row): number {
  const [one, other] = [keyOf(a), keyOf(b)];
  if (one !== other) return one < other ? -1 : 1;
  const place = a.findIndex((word, i) => word !== b[i]);
  return place < 0 ? 0 : a[place]! - b[place]!;
}

test('points are ordered by Morton keys and then by all words, however many share a key, and equal ones are dropped', () => {
  const scratch = createScratchWords();
  // so many bits of a place differ; and so many points
  const cases = fc.record({
    bits: fc.constantFrom(1, 3, 6, 13, 24),
    count: fc.constantFrom(1, 30, 300, 5000),
    seed: fc.integer({ min: 1 }),
  });
  fc.assert(
    fc.property(cases, ({ bits, count, seed }) => {
      let state = seed;
      const random = (limit: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * limit);
      };
      const corner = 2 ** 24 - 2 ** bits;
      const rows = Array.from({ length: count }, () => [
        corner + random(2 ** bits),
        corner + random(2 ** bits),
        corner + random(2 ** bits),
        random(3),
      ]);
      const points = { rows: Uint32Array.from(rows.flat()), columns, count };
      const sorted = sortCloud(points, { level: 0 }, { shape: { sideBits }, scratch });
      const rowsOf = (cloud: typeof sorted): number[][] =>
        Array.from({ length: cloud.count }, (_, i) => cloud.columns.map((column) => column[i]!));
      const expected = rows.toSorted(compareRows);
      assert.deepEqual(rowsOf(sorted), expected);
      const distinct = withoutDuplicates(sorted, scratch);
      assert.deepEqual(
        rowsOf(distinct),
        expected.filter((row, i) => i === 0 || compareRows(row, expected[i - 1]!) !== 0),
      );
      assert.equal(distinct.count + distinct.dropped.length, count);
    }),
    { numRuns: 25 },
  );
});
