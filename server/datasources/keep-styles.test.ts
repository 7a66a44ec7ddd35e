import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withStylesOfJob } from './keep-styles.ts';

const style = (name: string, version: number) => ({ type: 'DeclarativeStyleItem', name, version });
const named = (version: number, ...names: string[]) => names.map((name) => style(name, version));

test('what people have changed, ordered, added or removed among the styles of a job stays so in an update', () => {
  const first = withStylesOfJob(undefined, { count: 1, styles: named(1, 'a', 'b', 'c', 'd') });
  assert.deepEqual(first, {
    count: 1,
    styles: named(1, 'a', 'b', 'c', 'd'),
    jobStyles: named(1, 'a', 'b', 'c', 'd'),
  });
  // b is gone, c is the default, d is changed, e is new
  const people = [style('c', 1), style('a', 1), style('d', 7), style('e', 1)];
  const before = { ...first, styles: people };
  const after = withStylesOfJob(before, { count: 2, styles: named(2, 'a', 'b', 'c', 'd', 'f') });
  assert.deepEqual(after, {
    count: 2,
    styles: [style('c', 2), style('a', 2), style('d', 7), style('e', 1), style('f', 2)],
    jobStyles: named(2, 'a', 'b', 'c', 'd', 'f'),
  });
  // the database orders keys anew
  const { jobStyles } = after;
  const ordered = (jobStyles as object[]).map((one) => Object.fromEntries(Object.entries(one).toReversed()));
  assert.deepEqual(withStylesOfJob({ ...after, jobStyles: ordered }, { styles: named(3, 'a') })['styles'], [
    style('a', 3),
    style('d', 7),
    style('e', 1),
  ]);
});

test('a style that a job does not make any more goes, unless somebody has changed it', () => {
  const before = { styles: [style('a', 1), style('b', 7)], jobStyles: named(1, 'a', 'b') };
  assert.deepEqual(withStylesOfJob(before, { styles: [] })['styles'], [style('b', 7)]);
});

test('properties without styles, or with what is none, are left alone', () => {
  assert.deepEqual(withStylesOfJob(undefined, { count: 1 }), { count: 1 });
  assert.deepEqual(withStylesOfJob({ styles: named(1, 'a') }, { count: 1 }), { count: 1 });
  assert.deepEqual(withStylesOfJob({ styles: 'none' }, { styles: named(1, 'a') })['styles'], named(1, 'a'));
});
