import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectionFacts } from '@platen/contract/inspect';
import { needsAttention, resultOf } from './batch-summary.ts';

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
      ['in/c.txt', true],
      ['in/d.json', true],
      ['in/a.csv', false],
    ],
  );
});

test('sidecar files are summed up with the file that they belong to', () => {
  const files = [file('in/b.prj'), file('in/b.tif', {}), file('in/b.tfw'), file('in/a.csv', {})];
  const together = new Set(files.map(({ key }) => key));
  assert.deepEqual(
    resultOf(together, files)?.map(({ key }) => key),
    ['in/a.csv', 'in/b.tif'],
  );
  assert.equal(resultOf(together, files.slice(0, 3)), undefined);
});

test('a single file has no summary', () => {
  assert.equal(resultOf(new Set(['in/a.csv']), [file('in/a.csv', {})]), undefined);
});

test('files without an inspection are listed once no further one is expected', () => {
  const files = [file('in/c.txt'), file('in/a.csv', {}), file('in/b.tif', { isDamaged: true })];
  assert.equal(resultOf(keys, files), undefined);
  assert.deepEqual(
    resultOf(keys, files, true)?.map(({ key }) => key),
    ['in/b.tif', 'in/a.csv', 'in/c.txt'],
  );
});
