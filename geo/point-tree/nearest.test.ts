import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createNearestSearch } from './nearest.ts';

const place = (max: number) => fc.tuple(fc.nat(max), fc.nat(max), fc.nat(max));

test('finds the same distance as looking at all points, whatever their order and however many are equal', () => {
  const cases = fc.constantFrom(1, 20, 5000, 2 ** 32 - 1).chain((max) =>
    fc.record({
      points: fc.array(place(max), { maxLength: 300 }),
      asked: fc.array(place(max), { minLength: 1, maxLength: 20 }),
      limit: fc.constantFrom(2 ** 70, (max / 4) ** 2 + 1),
      isSorted: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(cases, ({ points, asked, limit, isSorted }) => {
      const all = isSorted ? points.toSorted((a, b) => a[0] - b[0]) : points;
      const column = (axis: 0 | 1 | 2) => Uint32Array.from(all, (one) => one[axis]);
      const search = createNearestSearch({ xs: column(0), ys: column(1), zs: column(2), count: all.length });
      for (const [x, y, z] of asked) {
        const squares = points.map((one) => (one[0] - x) ** 2 + (one[1] - y) ** 2 + (one[2] - z) ** 2);
        const expected = squares.reduce((a, b) => Math.min(a, b), limit);
        assert.equal(search.squareTo(x, y, z, limit), expected);
      }
    }),
  );
});
