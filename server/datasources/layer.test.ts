import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerOf } from './layer.ts';

test('the extent of a layer has an area on the flat map, whatever the data', async () => {
  const coordinatesOf = (bbox: number[]) => {
    const { extent } = layerOf({
      _id: 'd',
      name: 'place',
      type: 'panorama',
      uri: 'https://example.org',
      bbox,
      typeProperties: {},
      properties: {},
    });
    return (extent as { coordinates: number[] }).coordinates.map((degrees) => Number(degrees.toFixed(6)));
  };
  assert.deepEqual(coordinatesOf([8, 50, 8, 50]), [7.99995, 49.99995, 8.00005, 50.00005]);
  assert.deepEqual(coordinatesOf([8, 50, 9, 50]), [8, 49.99995, 9, 50.00005]);
  assert.deepEqual(coordinatesOf([179, 1, -179, 2]), [-180, 1, 180, 2]);
  assert.deepEqual(coordinatesOf([-10, 89, 10, 90]), [-10, 85, 10, 90]);
  assert.deepEqual(coordinatesOf([0, -90, 0, -90]), [-0.00005, -90, 0.00005, -85]);
});

test('an image has the legend of its datasource beside its source', () => {
  const legend = [{ type: 'ImageLegendItem', src: 'https://example.org/legend.png' }];
  const properties = { attribution: 'City of A', legend };
  const image = {
    _id: 'd',
    name: 'heat',
    type: 'tms',
    uri: 'https://example.org',
    typeProperties: {},
  } as const;
  assert.deepEqual(layerOf({ ...image, properties })['properties'], {
    attributions: { provider: 'City of A' },
    legend,
  });
  assert.equal(layerOf({ ...image, properties: { legend: 'none' } })['properties'], undefined);
});

test('terrain has the range of its heights, by which pages colour it', () => {
  const terrain = { _id: 'd', name: 'hills', uri: 'https://example.org', typeProperties: {} };
  const properties = { heightRange: [300, 700] };
  assert.deepEqual(layerOf({ ...terrain, type: 'qmesh', properties })['properties'], properties);
  assert.equal(layerOf({ ...terrain, type: 'tileset', properties })['properties'], undefined);
});
