import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { attributesOf, fitValues } from './fit-values.ts';

const style: MapStyle = {
  colour: {
    type: 'categories',
    attribute: 'postcode',
    categories: [{ values: [10_115, true], colour: '#ff0000', title: 'Mitte' }],
  },
  label: { attribute: 'name' },
  filter: [
    { attribute: 'storeys', operator: '=', values: ['5'] },
    { attribute: 'storeys', operator: 'exists' },
    { attribute: 'unknown', operator: '=', values: ['5'] },
  ],
};

test('values have the type of their attribute in the data', () => {
  const fitted = fitValues(style, [
    { name: 'postcode', type: 'string', count: 1, values: [] },
    { name: 'storeys', type: 'number', count: 1, values: [] },
  ]);
  assert.deepEqual(fitted, {
    colour: {
      type: 'categories',
      attribute: 'postcode',
      categories: [{ values: ['10115', 'true'], colour: '#ff0000', title: 'Mitte' }],
    },
    label: { attribute: 'name' },
    filter: [
      { attribute: 'storeys', operator: '=', values: [5] },
      { attribute: 'storeys', operator: 'exists' },
      { attribute: 'unknown', operator: '=', values: ['5'] },
    ],
  });
  assert.deepEqual(attributesOf(style), ['postcode', 'name', 'storeys', 'unknown']);
});
