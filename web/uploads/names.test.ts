import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersBelow, numbered, sharedFolder } from './names.ts';

test('a second one of a name has its number before the ending', () => {
  assert.equal(numbered('a/trees.gpkg', 2), 'a/trees (2).gpkg');
  assert.equal(numbered('town.shp.zip', 3), 'town (3).shp.zip');
  assert.equal(numbered('README', 2), 'README (2)');
  assert.equal(numbered('.keep', 2), '.keep (2)');
});

test('keys share the deepest common folder', () => {
  assert.equal(sharedFolder(['in/tiles/1/a', 'in/tiles/2/b']), 'in/tiles/');
  assert.equal(sharedFolder(['in/tiles/1/a', 'in/t']), 'in/');
  assert.equal(sharedFolder(['a', 'b/c']), '');
  assert.equal(sharedFolder([]), '');
});

test('names are looked up in the folders right below what they share', () => {
  const keys = ['in/tiles/1/a', 'in/tiles/2/b', 'in/other/c', 'in/d'];
  assert.deepEqual([...foldersBelow('in/', keys)], ['in/tiles/', 'in/other/', 'in/']);
  assert.deepEqual([...foldersBelow('', ['a', 'b/c'])], ['', 'b/']);
});

test('five thousand names are processed quickly', () => {
  const keys = Array.from({ length: 5000 }, (_, index) => `tiles/${index % 50}/${index}.png`);
  assert.equal(sharedFolder(keys), 'tiles/');
  assert.equal(foldersBelow('tiles/', keys).size, 50);
});
