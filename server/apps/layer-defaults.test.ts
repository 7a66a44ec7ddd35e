import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerOf } from '../datasources/layer.ts';
import { withDefaults } from './layer-defaults.ts';

const layer = (attribution: unknown, found?: string) =>
  layerOf({
    _id: 'd',
    name: 'Trees',
    type: 'geojson',
    typeProperties: {},
    properties: { attribution },
    ...(found !== undefined && { facts: { attribution: found } }),
    uri: '/data/d/trees.geojson',
  })['properties'];

test('a layer names the source of its data, as text', () => {
  const named = (provider: string) => ({ attributions: { provider } });
  assert.deepEqual(layer('© City of Ulm'), named('City of Ulm'));
  assert.deepEqual(layer('&copy; <a href="https://example.org">OpenStreetMap</a>'), named('OpenStreetMap'));
  assert.deepEqual(layer('x'.repeat(5000)), named('x'.repeat(300)));
  assert.deepEqual(layer('City of Ulm', 'OpenStreetMap'), named('City of Ulm'));
  assert.deepEqual(layer(undefined, '© OpenStreetMap'), named('OpenStreetMap'), 'what the data names');
  for (const nothing of ['', ' © ', '<b></b>', 7, null, undefined]) assert.equal(layer(nothing), undefined);
});

test('a layer of a module names it, too, unless it names another', () => {
  const defaults = {
    layerTypes: ['GeoJSONLayer'],
    options: { properties: { attributions: { provider: 'Ulm' } } },
  };
  const properties = { title: 'Trees' };
  assert.deepEqual(withDefaults({ type: 'GeoJSONLayer', properties }, defaults)['properties'], {
    attributions: { provider: 'Ulm' },
    title: 'Trees',
  });
  const own = { attributions: { provider: 'Own' } };
  assert.deepEqual(withDefaults({ type: 'GeoJSONLayer', properties: own }, defaults)['properties'], own);
});
