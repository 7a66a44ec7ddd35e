import type { MapStyle } from '@platen/contract/map-styles';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goneAttributes, usedAttributes } from './used-attributes.ts';

const style: MapStyle = {
  colour: { type: 'categories', attribute: 'use', categories: [] },
  size: { type: 'continuous', attribute: 'height', from: { value: 0, size: 1 }, to: { value: 9, size: 5 } },
  label: { attribute: 'name', rank: { attribute: 'size', first: 'highest' } },
  filter: [
    { attribute: 'use', operator: 'exists' },
    { attribute: 'year', operator: '>', values: [1990] },
  ],
};

test('a style names each attribute that it follows once', () => {
  assert.deepEqual(usedAttributes(style), ['use', 'height', 'name', 'size', 'year']);
  assert.deepEqual(usedAttributes({ colour: { type: 'single', colour: '#112233' } }), []);
});

test('attributes are gone if the data have others, and not if nothing is known of the data', () => {
  assert.deepEqual(goneAttributes(style, ['use', 'name', 'floors']), ['height', 'size', 'year']);
  assert.deepEqual(goneAttributes(style, []), []);
});
