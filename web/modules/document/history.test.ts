import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canRedo, canUndo, nowOf, rebase, record, redo, replaceNow, startHistory, undo } from './history.ts';

test('a change is undone and done again, and a new one ends what could be done again', () => {
  const two = record(record(startHistory('a'), 'b', { ms: 0 }), 'c', { ms: 0 });
  assert.equal(nowOf(undo(two)), 'b');
  assert.equal(nowOf(redo(undo(two))), 'c');
  assert.equal(nowOf(undo(undo(undo(two)))), 'a');
  const other = record(undo(two), 'd', { ms: 0 });
  assert.deepEqual([nowOf(other), canRedo(other), nowOf(undo(other))], ['d', false, 'b']);
});

test('more of the same soon after is one change', () => {
  const key = '/layers/0/opacity';
  const first = record(startHistory(0), 1, { key, ms: 0 });
  const more = record(first, 2, { key, ms: 500 });
  assert.equal(nowOf(undo(more)), 0);
  const later = record(more, 3, { key, ms: 5000 });
  assert.equal(nowOf(undo(later)), 2);
  const other = record(more, 4, { key: '/name', ms: 600 });
  assert.equal(nowOf(undo(other)), 2);
  // after an undo it is a change of its own
  assert.equal(nowOf(undo(record(undo(more), 5, { key, ms: 700 }))), 0);
});

test('equal content in other objects is not a step, and old states are dropped', () => {
  const history = replaceNow(startHistory('a'), 'A');
  assert.deepEqual([nowOf(history), canUndo(history)], ['A', false]);
  let long = startHistory(0);
  for (let state = 1; state <= 1000; state += 1) long = record(long, state, { ms: 0 });
  assert.equal(nowOf(long), 1000);
  assert.ok(long.states.length <= 201);
});

test('changes of others are in every state, and are not steps', () => {
  const mine = record(record(startHistory('a'), 'ab', { ms: 0 }), 'abc', { ms: 0 });
  const shared = rebase(undo(mine), 'ab!', (state, before, now) => `${state}${now.slice(before.length)}`);
  assert.deepEqual([nowOf(undo(shared)), nowOf(shared), nowOf(redo(shared))], ['a!', 'ab!', 'abc!']);
});
