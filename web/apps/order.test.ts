import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adding, insertingAt, movingTo, removing } from './order.ts';

const list = ['a', 'b', 'c', 'd'];

test('a moved item takes the place of the other one, from either side', () => {
  assert.deepEqual(movingTo('a', 'c')(list), ['b', 'c', 'a', 'd']);
  assert.deepEqual(movingTo('d', 'b')(list), ['a', 'd', 'b', 'c']);
  assert.deepEqual(movingTo('b', 'b')(list), list);
});

test('a change repeated on top of a change by another user keeps both', () => {
  assert.deepEqual(movingTo('a', 'c')(['a', 'd']), ['a', 'd']);
  assert.deepEqual(removing('a')(['x', 'a', 'b']), ['x', 'b']);
  assert.deepEqual(removing('gone')(list), list);
});

test('no item is in the list twice', () => {
  assert.deepEqual(adding(['b', 'e'])(list), ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(insertingAt('c', 0)(list), ['c', 'a', 'b', 'd']);
});

test('a removed item returns to its place, or to the end of a shorter list', () => {
  assert.deepEqual(insertingAt('b', 1)(removing('b')(list)), list);
  assert.deepEqual(insertingAt('z', 9)(['a']), ['a', 'z']);
});
