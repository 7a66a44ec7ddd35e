import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedStylesOf } from './named-styles.ts';

test('only style items with a name of their own are styles of a datasource', () => {
  const type = 'VectorStyleItem';
  const [a, b] = [
    { type, name: 'a' },
    { type, name: 'b' },
  ];
  const others = [
    'b',
    null,
    { type, name: '' },
    { type, name: 'x'.repeat(201) },
    { name: 'c' },
    { ...a, image: {} },
  ];
  assert.deepEqual(namedStylesOf({ styles: [a, ...others, b] }), [a, b]);
  for (const styles of [undefined, 'a', { 0: a }]) assert.deepEqual(namedStylesOf({ styles }), []);
});
