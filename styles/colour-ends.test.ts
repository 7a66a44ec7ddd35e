import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areAscending, endsOf, withEnds, type ContinuousRule } from './colour-ends.ts';
import { continuousColours, dataEnds, withPalette, type AttributeSummary } from './style-attribute.ts';

const height: AttributeSummary = { name: 'height', type: 'number', count: 100, min: 0, max: 100, values: [] };
const change: AttributeSummary = { ...height, name: 'change', min: -10, max: 30 };
const made = (attribute: AttributeSummary) => continuousColours(attribute) as ContinuousRule;
const valuesOf = ({ stops }: ContinuousRule) => stops.map(({ value }) => value);

test('new ends keep the shares of the stops between them, and the colours', () => {
  const rule = made(height);
  assert.deepEqual(valuesOf(rule), [0, 25, 50, 75, 100]);
  const [first, , ...others] = rule.stops;
  const uneven = { ...rule, stops: [first!, { value: 10, colour: '#112233' }, ...others] };
  const moved = withEnds(uneven, { from: -100, to: 100 });
  assert.deepEqual(valuesOf(moved), [-100, -80, 0, 50, 100]);
  assert.deepEqual(
    moved.stops.map(({ colour }) => colour),
    uneven.stops.map(({ colour }) => colour),
  );
});

test('a diverging palette has a middle, which is zero where the data lie on both of its sides', () => {
  assert.deepEqual(endsOf(made(height)), { from: 0, to: 100 });
  const rule = made(change);
  assert.deepEqual(valuesOf(rule), [-10, -5, 0, 15, 30]);
  assert.deepEqual(endsOf(rule), { from: -10, middle: 0, to: 30 });
  assert.deepEqual(valuesOf(withEnds(rule, { from: -10, middle: 10, to: 20 })), [-10, 0, 10, 15, 20]);
  const plain = withPalette(made(height), 'RdBu') as ContinuousRule;
  assert.deepEqual(endsOf(plain), { from: 0, middle: 50, to: 100 });
});

test('the range of the data comes back, also after ends that were the same', () => {
  const rule = made(change);
  const ends = dataEnds(change, rule.palette);
  assert.deepEqual(withEnds(withEnds(rule, { from: 1, middle: 2, to: 9 }), ends), rule);
  assert.deepEqual(withEnds(withEnds(rule, { from: 1, middle: 1, to: 1 }), ends), rule);
});

test('ends ascend with the middle between them', () => {
  assert.ok(areAscending({ from: -1, to: 1 }));
  assert.ok(areAscending({ from: -1, middle: 0.5, to: 1 }));
  for (const ends of [
    { from: 1, to: 1 },
    { from: 2, to: 1 },
    { from: 0, middle: 2, to: 1 },
    { from: 0, to: Number.NaN },
  ])
    assert.ok(!areAscending(ends));
});
