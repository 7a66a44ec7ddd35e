import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundViewpoint } from './round-viewpoint.ts';

test('a viewpoint keeps the visible digits of its numbers, and all other values', () => {
  const read = {
    name: 'a',
    groundPosition: [11.500000000000002, 49.94999999999999, 3.14159],
    distance: 6000.000000000002,
    heading: 359.99999,
    animate: false,
  };
  assert.deepEqual(roundViewpoint(read), {
    name: 'a',
    groundPosition: [11.5, 49.95, 3.142],
    distance: 6000,
    heading: 360,
    animate: false,
  });
});
