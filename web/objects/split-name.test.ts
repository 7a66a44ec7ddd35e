import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOf, startOf } from './split-name.ts';

test('a long name keeps its end, a short one is whole', () => {
  assert.deepEqual([startOf('trees.gpkg'), endOf('trees.gpkg')], ['trees.gpkg', '']);
  const long = 'messstationen_luftguete.geojson';
  assert.deepEqual([startOf(long), endOf(long)], ['messstationen_luftgue', 'te.geojson']);
});

test('no emoji is cut in two', () => {
  const family = '👩‍👩‍👧‍👦';
  const name = family.repeat(30);
  assert.equal(endOf(name), family.repeat(10));
  assert.equal(startOf(name) + endOf(name), name);
});
