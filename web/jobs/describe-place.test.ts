import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from './describe-place.ts';

const same = (key: string) => key;

test('a place is described in one line, followed by the reason', () => {
  assert.equal(
    placeOf({ file: 'trees.csv', layer: 'trees', reason: 'it has no geometry', feature: 12, line: 3 }, same),
    'trees.csv, feature 12, line 3: it has no geometry',
  );
});

test('a layer with another name than its file is included, and so are unknown keys', () => {
  assert.equal(
    placeOf({ file: 'city.gpkg', layer: 'parks', tile: { z: 3 } }, same),
    'city.gpkg, parks, tile {"z":3}',
  );
  assert.equal(
    placeOf({ pointer: '/parameters/wrong', code: 'unknownParameter' }, same),
    'pointer /parameters/wrong',
  );
});

test('the keys of a place are translated', () => {
  const german = (key: string) => ({ feature: 'Objekt', line: 'Zeile' })[key] ?? key;
  assert.equal(
    placeOf({ file: 'a.csv', feature: 1, line: 2, odd: 3 }, german),
    'a.csv, Objekt 1, Zeile 2, odd 3',
  );
});
