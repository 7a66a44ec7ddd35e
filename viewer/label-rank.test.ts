import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankOf } from './label-rank.ts';

const of = (value: unknown) => ({ get: () => value });

test('the highest or the lowest numbers come first, also in text, and features without one last', () => {
  const values = [5, '12', -3, null, 0, 'many', '', undefined];
  const sorted = (first: 'highest' | 'lowest') =>
    values.toSorted((one, other) => {
      const [a, b] = [one, other].map((value) => rankOf({ attribute: 'a', first }, of(value)));
      return a === b ? 0 : b! - a!;
    });
  const without = [null, 'many', '', undefined];
  assert.deepEqual(sorted('highest'), ['12', 5, 0, -3, ...without]);
  assert.deepEqual(sorted('lowest'), [-3, 0, 5, '12', ...without]);
  assert.equal(rankOf({ attribute: 'a', first: 'lowest' }, undefined), Number.NEGATIVE_INFINITY);
});
