import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeModules } from './place-modules.ts';
import type { BundleSource } from './sources.ts';

const source: BundleSource = {
  _id: 'trees',
  name: 'Trees',
  revision: 3,
  type: 'geojson',
  sourceProperties: { type: 'internal', dataBucketId: 'b', dataBucketKey: 'trees.geojson' },
  bucketId: 'b',
  bucketKey: 'trees.geojson',
  servedFolder: null,
  typeProperties: {},
  properties: {},
  bbox: null,
  facts: null,
  style: undefined,
};

test('our addresses are distinguished from texts of users, however many look like them, quickly', () => {
  const texts = Array.from({ length: 150_000 }, (_, n) => `bundle-${n}:data/trees/~3/trees.geojson`);
  const layers = [{ type: 'GeoJSONLayer', name: 'trees', datasourceId: 'trees' }];
  const from = performance.now();
  const { modules, addresses } = placeModules([{ name: 'A', layers, properties: { texts } }], [source]);
  assert.ok(performance.now() - from < 10_000);
  assert.deepEqual(addresses, ['/modules/0/layers/0/url']);
  const [module] = modules as unknown as { layers: { url: string }[]; properties: { texts: string[] } }[];
  assert.equal(module!.layers[0]!.url, 'data/trees/~3/trees.geojson');
  assert.deepEqual(module!.properties.texts, texts);
});

test('pictures of a story are in the bundle, unless their datasource is gone', () => {
  const steps = ['trees', 'gone'].map((datasourceId) => ({ title: datasourceId, picture: { datasourceId } }));
  const { modules, addresses, notes } = placeModules([{ name: 'A', layers: [], story: { steps } }] as never, [
    source,
  ]);
  const [{ story }] = modules as unknown as [{ story: { steps: object[] } }];
  assert.deepEqual(story.steps, [
    { title: 'trees', picture: { datasourceId: 'trees', url: 'data/trees/~3/trees.geojson' } },
    { title: 'gone' },
  ]);
  assert.deepEqual(addresses, ['/modules/0/story/steps/0/picture/url']);
  assert.equal(notes.length, 1);
  assert.match(notes[0]!, /“gone” of the module “A” is left out\./);
});

test('layers of archives of vector tiles that are searched lead to a list of names in the bundle, one for an attribute', () => {
  const tiles: BundleSource = { ...source, _id: 'tiles', type: 'vectortiles', bucketKey: 'tiles.pmtiles' };
  const searchedBy = (searchBy: string, datasourceId = 'tiles') => ({
    type: 'VectorTileLayer',
    name: searchBy,
    datasourceId,
    properties: { searchBy },
  });
  const layers = [
    searchedBy('name'),
    searchedBy('name'),
    searchedBy('street/<no>'),
    searchedBy('name', 'trees'),
  ];
  const { modules, addresses, names } = placeModules([{ name: 'A', layers }], [source, tiles]);
  assert.deepEqual(
    [...names.values()],
    [
      { source: tiles, attribute: 'name' },
      { source: tiles, attribute: 'street/<no>' },
    ],
  );
  const [module] = modules as unknown as { layers: { properties: { namesUrl?: string } }[] }[];
  const urls = module!.layers.map(({ properties }) => properties.namesUrl);
  const [first, second] = names.keys();
  assert.deepEqual(urls, [first, first, second, undefined]);
  assert.match(second!, /^data\/tiles\/~3\/names-[\da-f]{16}\.json$/);
  assert.ok(addresses.includes('/modules/0/layers/2/properties/namesUrl'));
});
