import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf, movedOf } from './differences.ts';

const between = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  differencesOf(before, after, 100).found;

test('equal values have no differences, whatever the order of keys', () => {
  const value = { a: [1, { b: null }], c: 'x' };
  assert.deepEqual(between(value, structuredClone(value)), []);
  assert.deepEqual(between({ a: 1, b: 2 }, { b: 2, a: 1 }), []);
});

test('each difference has its place, and what was there before and is after', () => {
  assert.deepEqual(
    between(
      { kept: 1, 'a/b': { c: [1, 2] }, gone: { x: 1 } },
      { kept: 1, 'a/b': { c: [1, 3, 4] }, new: 'n' },
    ),
    [
      { pointer: '/a~1b/c/1', change: 'changed', before: '2', after: '3' },
      { pointer: '/a~1b/c/2', change: 'added', after: '4' },
      { pointer: '/gone', change: 'removed', before: '{"x":1}' },
      { pointer: '/new', change: 'added', after: '"n"' },
    ],
  );
  assert.deepEqual(between({ a: [] }, { a: {} }), [
    { pointer: '/a', change: 'changed', before: '[]', after: '{}' },
  ]);
});

test('items of lists are matched by name, wherever they are', () => {
  const layer = (name: string, url = name) => ({ type: 'GeoJSONLayer', name, url });
  const before = { layers: ['a', 'b', 'c', 'd'].map((name) => layer(name)) };
  const after = { layers: [layer('d'), layer('a'), layer('c', 'other'), layer('e')] };
  assert.deepEqual(between(before, after), [
    { pointer: '/layers/1', change: 'removed', name: 'b', before: JSON.stringify(layer('b')) },
    { pointer: '/layers/0', change: 'moved', name: 'd', before: '/layers/3', after: '/layers/0' },
    { pointer: '/layers/2/url', change: 'changed', before: '"c"', after: '"other"' },
    { pointer: '/layers/3', change: 'added', name: 'e', after: JSON.stringify(layer('e')) },
  ]);
});

test('names that are there twice say nothing: then the places count', () => {
  const before = {
    list: [
      { name: 'a', v: 1 },
      { name: 'a', v: 2 },
    ],
  };
  const after = { list: [{ name: 'a', v: 1 }] };
  assert.deepEqual(between(before, after), [
    { pointer: '/list/1', change: 'removed', before: '{"name":"a","v":2}' },
  ]);
});

test('the number of moved items is minimal', () => {
  const list = (text: string) => text.split('');
  assert.deepEqual([...movedOf(list('abcdef'), list('fabcde'))], ['f']);
  assert.deepEqual([...movedOf(list('abcdef'), list('bcdefa'))], ['a']);
  assert.deepEqual([...movedOf(list('abc'), list('axbyc'))], []);
  assert.equal(movedOf(list('abcd'), list('dcba')).size, 3);
  assert.deepEqual([...movedOf([], list('ab'))], []);
});

test('much is cut: the number of differences, and the texts', () => {
  const before = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n]));
  const { found, isCut } = differencesOf(before, {}, 100);
  assert.deepEqual([found.length, isCut], [100, true]);
  const [one] = between(
    { a: 'x'.repeat(1_000_000) },
    { a: Array.from({ length: 100_000 }, (_, n) => ({ n })) },
  );
  assert.ok(one!.before!.length <= 200 && one!.before!.endsWith('…'));
  assert.ok(one!.after!.length <= 200);
  assert.deepEqual(differencesOf({ a: 1 }, { a: 1 }, 0), { found: [], isCut: false });
});

test('names from a prototype are names like any other', () => {
  const before = { list: [{ name: '__proto__' }, { name: 'constructor' }] };
  assert.deepEqual(between(before, { list: [{ name: 'constructor' }] }), [
    { pointer: '/list/0', change: 'removed', name: '__proto__', before: '{"name":"__proto__"}' },
  ]);
  assert.deepEqual(between({}, { toString: 1 }), [{ pointer: '/toString', change: 'added', after: '1' }]);
});
