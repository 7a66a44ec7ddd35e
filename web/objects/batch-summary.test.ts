import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectionFacts } from '@platen/contract/inspect';
import { asTheyAre, needsAttention, resultOf } from './batch-summary.ts';

const file = (key: string, facts?: Partial<InspectionFacts>) => ({
  key,
  ...(facts && { inspection: { facts: { layers: 1, ...facts }, summary: '' } }),
});
const keys = new Set(['in/a.csv', 'in/b.tif', 'in/c.txt', 'in/d.json']);

test('files uploaded together are summed up once all are inspected, those that need attention first', () => {
  const files = [
    file('in/a.csv', {}),
    file('in/b.tif', { isDamaged: true }),
    file('in/d.json', { problems: 1 }),
    file('other.csv', {}),
  ];
  assert.equal(resultOf(keys, [...files, file('in/c.txt')]), undefined);
  const result = resultOf(keys, [...files, file('in/c.txt', { missing: 'format' })]);
  assert.deepEqual(
    result?.map((one) => [one.key, needsAttention(one)]),
    [
      ['in/b.tif', true],
      ['in/d.json', true],
      ['in/c.txt', true],
      ['in/a.csv', false],
    ],
  );
});

test('a single file has no summary', () => {
  assert.equal(resultOf(new Set(['in/a.csv']), [file('in/a.csv', {})]), undefined);
});

test('files that were deleted meanwhile are no longer listed, others as they are now', () => {
  const uploaded = [file('in/b.tif', { isDamaged: true }), file('in/a.csv', {}), file('in/d.json', {})];
  const repaired = file('in/b.tif', {});
  const items = [repaired, file('in/c.txt', {})];
  assert.deepEqual(asTheyAre(uploaded, undefined), uploaded);
  assert.deepEqual(asTheyAre(uploaded, { items, totalCount: 2 }), [repaired]);
  // what lies behind the files that were listed may still be there
  assert.deepEqual(asTheyAre(uploaded, { items, totalCount: 3 }), [repaired, uploaded[2]]);
});
