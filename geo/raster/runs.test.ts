import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addRun, commonRuns, joinRuns, touching, widenRuns } from './runs.ts';

const width = 40;
const anyRow = fc.array(fc.boolean(), { minLength: width, maxLength: width });

function runsOf(row: readonly boolean[]): number[] {
  const runs: number[] = [];
  for (const [x, is] of row.entries()) if (is) addRun(runs, x, x + 1);
  return runs;
}

const near = (row: readonly boolean[], x: number, by: number): boolean =>
  row.slice(Math.max(0, x - by), x + by + 1).includes(true);

test('runs are joined, cut and widened as their columns are', () => {
  fc.assert(
    fc.property(anyRow, anyRow, fc.nat(3), (a, b, by) => {
      const [one, other] = [runsOf(a), runsOf(b)];
      assert.deepEqual(joinRuns(one, other), runsOf(a.map((is, x) => is || b[x]!)));
      assert.deepEqual(commonRuns(one, other), runsOf(a.map((is, x) => is && b[x]!)));
      assert.deepEqual(widenRuns(one, by, width), runsOf(a.map((_, x) => near(a, x, by))));
    }),
  );
});

test('runs that touch others are kept whole', () => {
  assert.deepEqual(touching([0, 3, 5, 9, 12, 14], [2, 5, 8, 12]), [0, 3, 5, 9]);
  assert.deepEqual(touching([3, 5], [0, 3, 5, 9]), []);
});
