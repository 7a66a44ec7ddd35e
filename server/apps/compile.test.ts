import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Module } from '@platen/contract/modules';
import fc from 'fast-check';
import { compileModule, type AddressOf } from './compile.ts';

const addressOf: AddressOf = (id) =>
  id === 'gone'
    ? undefined
    : { base: `/data/${id}`, servedAt: `/data/${id}`, url: `/data/${id}/tileset.json`, defaults: undefined };
const moduleOf = (content: object) =>
  ({ _id: 'm', name: 'm', layers: [], maps: [], ...content }) as unknown as Module;
const compiled = (content: object) => compileModule(moduleOf(content), addressOf) as unknown;

test('a layer gets the address of its datasource, and everything else stays in its order', () => {
  const layers = [
    { zIndex: 1, type: 'CesiumTilesetLayer', url: 'old/tileset.json', datasourceId: 'a', own: { deep: [1] } },
    { type: 'CesiumTilesetLayer', url: '/data/a/part/tileset.json', datasourceId: 'a' },
    { type: 'CesiumTilesetLayer', datasourceId: 'gone', url: 'kept' },
    { type: 'GeoJSONLayer', url: { de: '/de.json', en: '/en.json' } },
  ];
  const result = compiled({ ownKey: 1, layers, startingMapName: null });
  const expected = moduleOf({
    ownKey: 1,
    layers: [{ ...layers[0], url: '/data/a/tileset.json' }, layers[1], layers[2], layers[3]],
    startingMapName: null,
  });
  assert.equal(JSON.stringify(result), JSON.stringify(expected));
});

test('the address of a tiled layer goes into its tile provider', () => {
  const layers = [
    { type: 'VectorTileLayer', datasourceId: 'a', tileProvider: { type: 'MVTTileProvider' }, name: 'a' },
    { type: 'VectorTileLayer', tileProvider: { type: 'MVTTileProvider', datasourceId: 'b' } },
    {
      type: 'VectorTileLayer',
      datasourceId: 'c',
      tileProvider: { type: 'FlatGeobufTileProvider', levels: [{ level: 3 }] },
    },
    { type: 'VectorTileLayer', datasourceId: 'd' },
  ];
  const { layers: result } = compiled({ layers }) as Module;
  assert.equal(
    JSON.stringify(result),
    JSON.stringify([
      {
        type: 'VectorTileLayer',
        datasourceId: 'a',
        tileProvider: { type: 'MVTTileProvider', url: '/data/a/tileset.json' },
        name: 'a',
      },
      {
        type: 'VectorTileLayer',
        tileProvider: { type: 'MVTTileProvider', datasourceId: 'b', url: '/data/b/tileset.json' },
      },
      {
        type: 'VectorTileLayer',
        datasourceId: 'c',
        tileProvider: {
          type: 'FlatGeobufTileProvider',
          levels: [{ level: 3, url: '/data/c/tileset.json' }],
        },
      },
      {
        type: 'VectorTileLayer',
        datasourceId: 'd',
        tileProvider: { type: 'MVTTileProvider', url: '/data/d/tileset.json' },
      },
    ]),
  );
});

test('oblique collections and their terrain get addresses too', () => {
  const obliqueCollections = [
    { name: 'a', datasourceId: 'a' },
    { name: 'b', datasourceId: 'b', dataSets: [{ projection: {} }, { datasourceId: 'c' }] },
    { name: 'd', dataSets: [{ url: '/d/image.json', terrainProvider: { datasourceId: 'e' } }] },
  ];
  assert.deepEqual((compiled({ obliqueCollections }) as Module).obliqueCollections, [
    { name: 'a', datasourceId: 'a', dataSets: [{ url: '/data/a/tileset.json' }] },
    {
      name: 'b',
      datasourceId: 'b',
      dataSets: [
        { projection: {}, url: '/data/b/tileset.json' },
        { datasourceId: 'c', url: '/data/c/tileset.json' },
      ],
    },
    {
      name: 'd',
      dataSets: [
        { url: '/d/image.json', terrainProvider: { datasourceId: 'e', url: '/data/e/tileset.json' } },
      ],
    },
  ]);
});

test('a configuration that was compiled before gets the same addresses, of other revisions', () => {
  const pinned =
    (revision: number): AddressOf =>
    (id) => ({
      base: `/data/${id}`,
      servedAt: `/data/${id}/~${revision}`,
      url: `/data/${id}/~${revision}/{z}/{x}/{y}.pbf`,
      defaults: undefined,
    });
  const layers = [
    { type: 'VectorTileLayer', datasourceId: 'a', tileProvider: { type: 'MVTTileProvider' } },
    { type: 'CesiumTilesetLayer', datasourceId: 'b', url: '/data/b/part/tileset.json' },
  ];
  const first = compileModule(moduleOf({ layers }), pinned(1));
  assert.deepEqual(compileModule(first, pinned(1)), first);
  assert.match(
    JSON.stringify(compileModule(first, pinned(2))),
    /"\/data\/a\/~2\/\{z\}.*"\/data\/b\/~2\/part/,
  );
});

test('keys in the data of users are not references', () => {
  const features = [{ type: 'Feature', properties: { datasourceId: 'a' }, datasourceId: 'a' }];
  const layers = [{ type: 'GeoJSONLayer', features, properties: { datasourceId: 'a' } }];
  assert.deepEqual((compiled({ layers }) as Module).layers, layers);
});

test('a module that names no datasource is compiled to itself, and is never changed', () => {
  const anything = fc.object({ maxDepth: 4, key: fc.string().filter((key) => key !== '__proto__') });
  fc.assert(
    fc.property(fc.array(anything), fc.array(anything), (layers, obliqueCollections) => {
      const module = moduleOf({ layers, obliqueCollections });
      const text = JSON.stringify(module);
      assert.equal(JSON.stringify(compileModule(module, addressOf)), text);
      assert.equal(JSON.stringify(module), text);
    }),
  );
});
