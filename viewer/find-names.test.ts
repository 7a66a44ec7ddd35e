import assert from 'node:assert/strict';
import test from 'node:test';
import { findNames, namedBy } from './find-names.ts';

const names = ['New Oak', 'Oak Street', 'Oak', 'Soaked', 'Škoda', 'شارع الحمراء', 42];
const all = names.flatMap((name, index) => namedBy(name, index) ?? []);
const found = (text: string, max = 10) => findNames(all, text, max).map(({ title }) => title);

test('features of this very name come first, then those that begin with it, then those with such a word', () => {
  assert.deepEqual(found('oak'), ['Oak', 'Oak Street', 'New Oak']);
  assert.deepEqual(found('oak', 2), ['Oak', 'Oak Street']);
});

test('accents, case and the direction of the script do not matter', () => {
  assert.deepEqual(found('skod'), ['Škoda']);
  assert.deepEqual(found('الحمراء'), ['شارع الحمراء']);
  assert.deepEqual(found('4'), ['42']);
});

test('what is no name is not found', () => {
  for (const value of [null, undefined, '', ' -- ', {}, ['Oak'], true])
    assert.equal(namedBy(value, 0), undefined);
  assert.deepEqual(found(''), []);
  assert.deepEqual(found('  '), []);
});

test('long names are cut', () => {
  assert.equal(namedBy('a'.repeat(5000), 0)!.title.length, 120);
});
