import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf } from './content.ts';
import { addCollection, addDatasource, addItem, withMaps } from './new-item.ts';

test('a new item has a unique name, and what it needs to be visible', () => {
  const one = addItem({ name: 'm', layers: [] }, 'layers', { type: 'GeoJSONLayer' });
  const two = addItem(one, 'layers', { type: 'GeoJSONLayer' });
  assert.deepEqual(two['layers'], [
    { type: 'GeoJSONLayer', name: 'geojson' },
    { type: 'GeoJSONLayer', name: 'geojson-2' },
  ]);
  assert.deepEqual(Object.keys(itemsOf(addItem({}, 'styles'), 'styles')[0]!).slice(0, 2), ['name', 'type']);
});

test('a datasource becomes a layer, an item of the tree, and the first one the start', () => {
  const config = { type: 'TMSLayer', name: 'A.B', datasourceId: 'd', properties: { own: 1 } };
  const first = addDatasource({ layers: [{ name: 'A.B' }] }, [config], {
    name: 'A.B',
    bbox: [10, 50, 12, 52],
  });
  assert.deepEqual(itemsOf(first, 'layers')[1], {
    type: 'TMSLayer',
    name: 'A.B-2',
    datasourceId: 'd',
    activeOnStartup: true,
    properties: { own: 1, title: 'A.B' },
  });
  assert.deepEqual(first['contentTree'], [
    { type: 'LayerContentTreeItem', name: 'A-B-2', title: 'A.B', layerName: 'A.B-2' },
  ]);
  assert.equal(first['startingViewpointName'], 'start');
  assert.deepEqual(itemsOf(first, 'viewpoints')[0]!['groundPosition'], [11, 51, 0]);
  const second = addDatasource(first, [config], { name: 'B', bbox: [0, 0, 1, 1] });
  assert.equal(itemsOf(second, 'viewpoints').length, 1);
});

test('several layers of a datasource are one item of the tree, above the layers that there are', () => {
  const casing = { type: 'VectorTileLayer', name: 'roads-casing' };
  const roads = { type: 'VectorTileLayer', name: 'roads' };
  const before = { layers: [{ type: 'GeoJSONLayer', name: 'areas', zIndex: 4 }] };
  const content = addDatasource(before, [casing, roads], { name: 'Roads' });
  assert.deepEqual(
    itemsOf(content, 'layers').map(({ name, zIndex, activeOnStartup }) => [name, zIndex, activeOnStartup]),
    [
      ['areas', 4, undefined],
      ['roads-casing', 5, true],
      ['roads', 6, true],
    ],
  );
  const withImages = addDatasource(content, [{ type: 'TMSLayer', name: 'photo' }], { name: 'Photo' });
  assert.equal(itemsOf(withImages, 'layers').at(-1)!['zIndex'], undefined, 'images lie below');
  assert.deepEqual(content['contentTree'], [
    {
      type: 'LayerGroupContentTreeItem',
      name: 'roads',
      title: 'Roads',
      layerNames: ['roads-casing', 'roads'],
    },
  ]);
});

test('oblique images become a collection', () => {
  const config = { type: 'ObliqueCollection', name: 'o', dataSets: [] };
  const content = addCollection({}, config, { name: 'Oblique' });
  assert.deepEqual(content['obliqueCollections'], [{ type: 'ObliqueCollection', name: 'o', dataSets: [] }]);
  assert.equal(itemsOf(content, 'contentTree')[0]!['collectionName'], 'o');
});

test('a module gets a calm globe and a flat map, unless it has maps', () => {
  const content = withMaps({ layers: [] });
  assert.deepEqual(
    itemsOf(content, 'maps').map(({ type, enableLightning }) => [type, enableLightning]),
    [
      ['CesiumMap', false],
      ['OpenlayersMap', undefined],
    ],
  );
  assert.equal(content['startingMapName'], 'globe');
  const oblique = withMaps({ obliqueCollections: [{ name: 'o' }] });
  assert.equal(itemsOf(oblique, 'maps').at(-1)!['type'], 'ObliqueMap');
  assert.equal(withMaps(content), content);
  const [own] = itemsOf(addItem({}, 'maps', { type: 'CesiumMap', globeColor: '#ffffff' }), 'maps');
  assert.deepEqual(own, { type: 'CesiumMap', name: 'cesium', globeColor: '#ffffff', enableLightning: false });
});
