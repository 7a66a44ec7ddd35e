import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbered, rootsOf } from './names.ts';

test('a second one of a name has its number before the ending', () => {
  assert.equal(numbered('a/trees.gpkg', 2), 'a/trees (2).gpkg');
  assert.equal(numbered('town.shp.zip', 3), 'town (3).shp.zip');
  assert.equal(numbered('README', 2), 'README (2)');
  assert.equal(numbered('.keep', 2), '.keep (2)');
});

test('names are looked up in the folders right below what they share', () => {
  const roots = rootsOf(['in/tiles/1/a', 'in/tiles/2/b', 'in/other/c', 'in/d']);
  assert.deepEqual(Object.fromEntries(roots), {
    'in/tiles/': ['in/tiles/1/a', 'in/tiles/2/b'],
    'in/other/': ['in/other/c'],
    'in/': ['in/d'],
  });
  assert.deepEqual(Object.fromEntries(rootsOf(['a', 'b/c'])), { '': ['a'], 'b/': ['b/c'] });
  assert.equal(rootsOf([]).size, 0);
});

test('five thousand names are no trouble', () => {
  const keys = Array.from({ length: 5000 }, (_, index) => `tiles/${index % 50}/${index}.png`);
  const started = performance.now();
  assert.equal(rootsOf(keys).size, 50);
  assert.ok(performance.now() - started < 200);
});
