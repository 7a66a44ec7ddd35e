import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeModules, takeTheirs } from './merge-modules.ts';

const layer = (name: string, zIndex = 0) => ({ type: 'A', name, zIndex });
const base = { name: 'm', layers: [layer('a'), layer('b'), layer('c')], own: 1 };

test('changes of two people to different items are merged', () => {
  const mine = { ...base, layers: [layer('a', 5), layer('b'), layer('new'), layer('c')] };
  const theirs = { ...base, name: 'theirs', layers: [layer('a'), layer('c', 7), layer('other')] };
  const { merged, clashes } = mergeModules(base, mine, theirs);
  assert.deepEqual(clashes, []);
  assert.deepEqual(merged, {
    name: 'theirs',
    layers: [layer('a', 5), layer('new'), layer('c', 7), layer('other')],
    own: 1,
  });
});

test('another order of mine stays, with what they have added', () => {
  const mine = { ...base, layers: [layer('c'), layer('b'), layer('a')] };
  const theirs = { ...base, layers: [layer('a'), layer('x'), layer('b'), layer('c')] };
  const { merged } = mergeModules(base, mine, theirs);
  assert.deepEqual(merged.layers, [layer('c'), layer('b'), layer('a'), layer('x')]);
});

test('conflicts are listed by name, and each answer is applied', () => {
  const mine = { ...base, own: 2, layers: [layer('a', 1), layer('b'), layer('c')] };
  const theirs = { ...base, own: 3, layers: [layer('b', 9), layer('c')] };
  const { merged, clashes } = mergeModules(base, mine, theirs);
  assert.deepEqual(clashes.map(({ field }) => field).toSorted(), ['layers › a', 'own']);
  assert.deepEqual(merged, { ...base, own: 2, layers: [layer('a', 1), layer('b', 9), layer('c')] });
  const taken = takeTheirs(merged, clashes);
  assert.deepEqual(taken, { ...base, own: 3, layers: [layer('b', 9), layer('c')] });
});

test('lists whose items have no names are one conflict', () => {
  const lists = (value: unknown[]) => ({ custom: value });
  const { clashes } = mergeModules(lists([1]), lists([1, 2]), lists([3]));
  assert.deepEqual(clashes, [{ field: 'custom', mine: [1, 2], theirs: [3] }]);
});
