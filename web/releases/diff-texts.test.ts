import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReleaseDiff } from '@platen/contract/releases';
import { countsOf, describeDifference, placeOf } from './diff-texts.ts';

const module = {
  layers: [{ name: 'Streets' }, { name: 'Trees', style: { fill: '#00ff00' } }],
  startingMapName: 'globe',
};

test('a change within a layer names the layer and what of it', () => {
  const line = describeDifference(
    { pointer: '/layers/1/style/fill', change: 'changed', before: '"#ff0000"', after: '"#00ff00"' },
    module,
  );
  assert.deepEqual(line, {
    change: 'changed',
    kind: 'layers',
    name: 'Trees',
    what: 'style.fill',
    before: '"#ff0000"',
    after: '"#00ff00"',
  });
});

test('an item that was added, removed or moved is described as a whole', () => {
  const added = describeDifference(
    { pointer: '/layers/1', change: 'added', name: 'Trees', after: '{}' },
    module,
  );
  assert.deepEqual([added.kind, added.name, added.what], ['layers', 'Trees', '']);
  // its place is that of another one now
  const removed = describeDifference({ pointer: '/layers/0', change: 'removed', name: 'Old' }, module);
  assert.equal(removed.name, 'Old');
  const moved = describeDifference(
    { pointer: '/layers/0', change: 'moved', name: 'Streets', before: '/layers/1', after: '/layers/0' },
    module,
  );
  assert.equal(moved.before, undefined);
});

test('a field of the module itself is described by its name, including slashes', () => {
  const line = describeDifference({ pointer: '/properties/a~1b', change: 'removed', before: '1' }, module);
  assert.deepEqual([line.kind, line.what], ['field', 'properties.a/b']);
});

test('without the module, an item still counts as one of its list', () => {
  const line = describeDifference({ pointer: '/layers/3/url', change: 'changed' }, undefined);
  assert.deepEqual([line.kind, line.name, line.what], ['layers', undefined, 'url']);
});

test('a difference is summed up by what happened to modules, data and the map viewer', () => {
  const one = { moduleId: 'm', name: 'm', differences: [], isCut: false };
  const diff: ReleaseDiff = {
    before: {},
    after: {},
    isEqual: false,
    app: [{ pointer: '/engineVersion', change: 'changed' }],
    modules: [
      { ...one, changes: ['moved', 'changed'] },
      { ...one, changes: ['added'] },
    ],
    datasources: [{ datasourceId: 'd', before: 1, after: 2 }],
  };
  assert.deepEqual(countsOf(diff), { added: 1, removed: 0, changed: 1, moved: 1, data: 1, engine: 1 });
});

test('places within items have names that everybody knows, with the path below them', () => {
  assert.deepEqual(placeOf('style.fill.color'), { name: 'style', rest: 'fill.color' });
  assert.deepEqual(placeOf('properties.title'), { name: 'title', rest: '' });
  assert.equal(placeOf('properties.titles'), undefined);
  assert.equal(placeOf('hiddenObjectIds'), undefined);
});
