import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDefault, withoutStyle, withStyle } from './datasource-styles.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ type: 'VectorStyleItem', name })) as [Style, Style, Style];
type Style = { type: string; name: string };

test('a style replaces that of its name, and the default is the first', () => {
  const changed = { name: 'b', type: 'DeclarativeStyleItem' };
  assert.deepEqual(withStyle([a, b, c], changed), [a, changed, c]);
  assert.deepEqual(withStyle([a], b), [a, b]);
  assert.deepEqual(withoutStyle([a, b, c], 'b'), [a, c]);
  assert.deepEqual(withDefault([a, b, c], 'c'), [c, a, b]);
  assert.deepEqual(withDefault([a, b], 'gone'), [a, b]);
});
