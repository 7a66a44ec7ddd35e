import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from './place-of.ts';

test('a place is told in one line, with the reason behind it', () => {
  assert.equal(
    placeOf({ file: 'trees.csv', layer: 'trees', reason: 'it has no geometry', feature: 12, line: 3 }),
    'trees.csv, feature 12, line 3: it has no geometry',
  );
});

test('a layer that is not named like its file is told, and what nobody foresaw, too', () => {
  assert.equal(
    placeOf({ file: 'city.gpkg', layer: 'parks', tile: { z: 3 } }),
    'city.gpkg, parks, tile {"z":3}',
  );
  assert.equal(placeOf({ option: '/wrong', code: 'unknownOption' }), 'option /wrong');
});
