import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from './nearest-name.ts';

const names = ['opacity', 'screenSpaceError', 'minLevel', 'maxLevel', 'layers', 'style', 'url'];

test('a misspelt name is close to one that exists', () => {
  for (const [text, name] of [
    ['opactiy', 'opacity'],
    ['Opacity', 'opacity'],
    ['screenSpaceErorr', 'screenSpaceError'],
    ['screenspaceerror', 'screenSpaceError'],
    ['minlevel', 'minLevel'],
    ['styles', 'style'],
  ] as const)
    assert.equal(nearestName(text, names), name, text);
});

test('a name that exists, is short or is another word is no misspelling', () => {
  for (const text of [
    'opacity',
    'minLevel',
    'ur',
    'a',
    '',
    'title',
    'level',
    'players25',
    'x'.repeat(10_000),
  ])
    assert.equal(nearestName(text, names), undefined, text);
});
