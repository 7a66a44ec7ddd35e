import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MapStyle, type SizeRule } from '@platen/contract/map-styles';
import Value from 'typebox/value';
import { legendOf } from './legend.ts';
import { classSizes, endSizes, sizeBy } from './size-rules.ts';
import type { AttributeSummary } from './style-attribute.ts';

const quantiles = Array.from({ length: 101 }, (_, i) => i * i);
const people: AttributeSummary = { name: 'people', type: 'number', count: 100, values: [], quantiles };
const ends = { from: 4, to: 20 };
const colour = { type: 'single', colour: '#0e6b78' } as const;
const titlesOf = (size: SizeRule) =>
  legendOf({ colour, size }, 'point', { locale: 'en', others: '', noValue: '' })[0]!.rows.map(
    ({ title }) => title,
  );

test('classes of sizes have the limits of each method, and sizes in even steps', () => {
  const equal = classSizes(people, ends, { method: 'equal', count: 4 });
  assert.deepEqual(equal, {
    type: 'classes',
    attribute: 'people',
    method: 'equal',
    breaks: [0, 2500, 5000, 7500, 10_000],
    sizes: [4, 9.5, 14.5, 20],
  });
  assert.deepEqual(
    classSizes(people, ends, { method: 'quantile', count: 4 }).breaks,
    [0, 630, 2500, 5600, 10_000],
  );
  const natural = classSizes(people, ends, { method: 'natural', count: 3 });
  assert.equal(natural.sizes.length, 3);
  for (const size of [equal, natural]) assert.deepEqual([...Value.Errors(MapStyle, { colour, size })], []);
});

test('an attribute of one number has one class', () => {
  const flat = { ...people, quantiles: [], values: [7], min: 7, max: 7, count: 1 };
  assert.deepEqual(classSizes(flat, ends), { ...classSizes(flat, ends), breaks: [7, 7], sizes: [4] });
  const unknown = { ...flat, values: [], min: undefined, max: undefined };
  const { min: _, max: __, ...nothing } = unknown;
  assert.deepEqual(classSizes(nothing, ends).breaks, [0, 0]);
});

test('a rule of another kind keeps the smallest and the largest size', () => {
  assert.deepEqual(endSizes(sizeBy(people, ends) as never), ends);
  assert.deepEqual(endSizes(classSizes(people, ends)), ends);
});

test('the legend has the texts of classes of sizes', () => {
  const size = { ...classSizes(people, ends, { method: 'equal', count: 2 }), titles: ['', 'Many'] };
  assert.deepEqual(titlesOf(size), ['0 – 5,000', 'Many']);
});
