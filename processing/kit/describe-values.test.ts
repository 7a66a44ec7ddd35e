import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addStatistics, countValue, createStatistics } from './attribute-statistics.ts';
import { describeValues } from './describe-values.ts';

const limit = { values: 20, quantiles: 0 };
const field = (valueCount: number) => ({
  valueCount,
  hasLongTexts: false,
  min: 1,
  max: 2,
  values: new Set(['a']),
});

test('an attribute is complete only if each feature has it', () => {
  const completeness = (valueCount: number) => describeValues(field(valueCount), 10_000, limit).completeness;
  assert.deepEqual([completeness(10_000), completeness(9999), completeness(3333)], [1, 0.999, 0.333]);
});

test('texts that are too long to be listed count, so that nobody takes those listed for all', () => {
  const [first, second] = [createStatistics('remark'), createStatistics('remark')];
  countValue(first, 'felled');
  countValue(second, 'x'.repeat(1000));
  addStatistics(first, second);
  const { count, values } = describeValues(first, 2, limit);
  assert.deepEqual([count, values], [2, ['felled']]);
});
