import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StyleFilter } from '@platen/contract/map-styles';
import type { AttributeSummary } from './style-attribute.ts';
import {
  filterBy,
  hidesValues,
  operatorsOf,
  parseValues,
  withAll,
  withHidden,
  withOnly,
  withOperator,
} from './style-filter.ts';

const use: AttributeSummary = { name: 'use', type: 'string', count: 3, values: ['home', '12', 'work'] };
const height: AttributeSummary = { name: 'height', type: 'number', count: 90, min: 2, max: 90, values: [] };
const mixed: AttributeSummary = { name: 'code', type: 'mixed', count: 2, values: [12, 'A12'] };
const isOld: AttributeSummary = { name: 'old', type: 'boolean', count: 2, values: [true, false] };

test('written values have the type that the attribute has in the data', () => {
  assert.deepEqual(parseValues('12', '=', use), ['12']);
  assert.deepEqual(parseValues('12', '=', height), [12]);
  assert.deepEqual(parseValues('12\nA12\n13\n\n12', 'in', mixed), [12, 'A12', '13']);
  assert.deepEqual(parseValues('false', '=', isOld), [false]);
  assert.deepEqual(parseValues(' home \nwork', '=', use), ['home']);
  assert.deepEqual(parseValues('3', '<', undefined), [3]);
});

test('what is no number is not taken for one', () => {
  assert.equal(parseValues('high', '<', use), undefined);
  assert.equal(parseValues('1\ntwo', 'in', height), undefined);
  assert.equal(parseValues('', '>=', height), undefined);
});

test('another operator keeps the values that it can take', () => {
  const one = { attribute: 'use', operator: 'in', values: ['home', 'work'] } as const;
  assert.deepEqual(withOperator({ ...one, values: [...one.values] }, '=', use).values, ['home']);
  assert.deepEqual(withOperator({ ...one, values: [...one.values] }, 'missing', use), {
    attribute: 'use',
    operator: 'missing',
  });
  assert.deepEqual(withOperator(filterBy(height), '>=', height).values, [2]);
  assert.deepEqual(withOperator(filterBy(use), 'in', use).values, ['home']);
  assert.deepEqual(withOperator({ attribute: 'use', operator: '=', values: ['x'] }, '<', use).values, [0]);
});

test('only what has an order is compared', () => {
  assert.ok(operatorsOf(height).includes('<='));
  assert.ok(!operatorsOf(use).includes('<='));
  assert.ok(operatorsOf(undefined).includes('<='));
});

test('the values of a category are hidden, isolated and shown again beside other filters', () => {
  const tall: StyleFilter = { attribute: 'height', operator: '>=', values: [3] };
  const ground = { attribute: 'class', values: [2] };
  const roofs = { attribute: 'class', values: [6, 17] };
  const hidden = withHidden(withHidden([tall], ground, true), roofs, true);
  assert.deepEqual(hidden, [tall, { attribute: 'class', operator: 'notIn', values: [2, 6, 17] }]);
  assert.deepEqual(
    [ground, roofs].map((some) => hidesValues(hidden, some)),
    [true, true],
  );
  assert.deepEqual(withHidden(withHidden(hidden, roofs, false), ground, false), [tall]);
  const isolated = withOnly(hidden, roofs);
  assert.deepEqual(isolated, [tall, { attribute: 'class', operator: 'in', values: [6, 17] }]);
  assert.deepEqual(
    [ground, roofs].map((some) => hidesValues(isolated, some)),
    [true, false],
  );
  const both = withHidden(isolated, ground, false);
  assert.deepEqual(both, [tall, { attribute: 'class', operator: 'in', values: [6, 17, 2] }]);
  assert.deepEqual(withHidden(both, roofs, true), [
    tall,
    { attribute: 'class', operator: 'in', values: [2] },
  ]);
  assert.deepEqual(withAll(both, 'class'), [tall]);
  const former: StyleFilter = { attribute: 'class', operator: '!=', values: [2] };
  assert.equal(hidesValues([former], ground), true);
  assert.deepEqual(withHidden([former], ground, false), []);
});
