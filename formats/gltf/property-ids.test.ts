import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyIds } from './property-ids.ts';

test('names in any script get ids of their own, and ids stay what they are', () => {
  const ids = propertyIds([
    'id',
    'Straße',
    'höhe',
    'hoehe',
    '対照番号',
    'مدينة',
    '2nd',
    'a.b',
    'a_b',
    'café',
  ]);
  assert.deepEqual(
    [...ids.values()],
    ['id', 'Strasse', 'hoehe_2', 'hoehe', 'a_4', 'a_5', '_2nd', 'a_b_2', 'a_b', 'cafe'],
  );
});

test('ids are different, and what the format allows', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 20 })), (names) => {
      const ids = propertyIds(names);
      assert.equal(new Set(ids.values()).size, names.length);
      for (const [name, id] of ids) {
        assert.match(id, /^[a-zA-Z_][a-zA-Z0-9_]*$/);
        if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) assert.equal(id, name);
      }
    }),
  );
});
