import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectionFacts } from '@platen/contract/inspect';
import { summaryOf } from './batch-summary.ts';

const file = (key: string, facts?: Partial<InspectionFacts>) => ({
  key,
  ...(facts && { inspection: { facts: { layers: 1, ...facts }, summary: '' } }),
});
const keys = new Set(['in/a.csv', 'in/b.tif', 'in/c.txt']);

test('files uploaded together are summed up once all are inspected, with those that need attention', () => {
  const files = [file('in/a.csv', {}), file('in/b.tif', { isDamaged: true }), file('other.csv', {})];
  assert.equal(summaryOf(keys, [...files, file('in/c.txt')]), undefined);
  assert.deepEqual(summaryOf(keys, [...files, file('in/c.txt', { missing: 'format' })]), {
    count: 3,
    needAttention: ['b.tif', 'c.txt'],
  });
});

test('a single file has no summary', () => {
  assert.equal(summaryOf(new Set(['in/a.csv']), [file('in/a.csv', {})]), undefined);
});
