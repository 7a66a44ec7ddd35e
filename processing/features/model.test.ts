import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileModel, unknownSources } from './compile-model.ts';
import type { ModelOptions } from './model-options.ts';
import { addPart, makeFeature, modelFeatures } from './testing.ts';

const square = [[[8, 47], [9, 47], [9, 48], [8, 48], [8, 47]]] as const; // prettier-ignore
const road = makeFeature({ class: 'road', name: 'A1', lanes: 2, open: true });

test('without options a feature is unchanged, in the layer of its source', async () => {
  const { made, warnings } = await modelFeatures({}, [road]);
  assert.deepEqual(made, [
    {
      layer: 'roads',
      id: undefined,
      zooms: [0, 31],
      types: ['Point'],
      attributes: { class: 'road', name: 'A1', lanes: 2, open: true },
    },
  ]);
  assert.deepEqual(warnings, []);
});

test('a layer is named after layerName, else the source layer, else the file without folders and extensions', async () => {
  const nameIn = async (options: ModelOptions, file: string, layer?: string) =>
    (await modelFeatures(options, [road], { file, layer })).made[0]!.layer;
  assert.equal(await nameIn({ layerName: 'mine' }, 'a.gpkg', 'streets'), 'mine');
  assert.equal(await nameIn({}, 'a.gpkg', 'streets'), 'streets');
  assert.equal(await nameIn({}, 'x/y/streets.shp.zip'), 'streets');
  assert.equal(await nameIn({}, 'streets.v2.geojsonl.gz'), 'streets.v2');
  assert.equal(await nameIn({}, '.json'), 'layer');
});

test('a feature goes into every layer that selects it, with the attributes of each layer', async () => {
  const options: ModelOptions = {
    filter: ['!=', ['get', 'class'], 'secret'],
    exclude: ['note'],
    layers: [
      {
        name: 'roads',
        filter: ['==', 'class', 'road'],
        attributes: { label: ['concat', ['get', 'ref'], '!'] },
      },
      { name: 'all', include: ['class'], minZoom: 3, maxZoom: 9 },
    ],
  };
  const { made } = await modelFeatures(options, [
    makeFeature({ class: 'road', ref: 'A1', note: 'x' }),
    makeFeature({ class: 'river', ref: 'B2' }),
    makeFeature({ class: 'secret' }),
  ]);
  assert.deepEqual(
    made.map(({ layer, zooms, attributes }) => [layer, zooms, attributes]),
    [
      ['roads', [0, 31], { class: 'road', ref: 'A1', label: 'A1!' }],
      ['all', [3, 9], { class: 'road' }],
      ['all', [3, 9], { class: 'river' }],
    ],
  );
});

test('layers select their sources by the name of the layer or the file, with wildcards', async () => {
  const layers = [
    { name: 'a', source: 'roads' },
    { name: 'b', source: '*.gpkg' },
    { name: 'c', source: 'str??ts' },
    { name: 'd' },
  ];
  const model = await compileModel({ layers }, { warn() {} });
  const namesFor = (file: string, layer?: string) =>
    model.layersFor({ file, layer }).layers.map(({ name }) => name);
  assert.deepEqual(namesFor('x/roads.geojson'), ['a', 'd']);
  assert.deepEqual(namesFor('city.gpkg', 'streets'), ['b', 'c', 'd']);
  assert.deepEqual(namesFor('city.gpkg', 'roads'), ['a', 'b', 'd']);
  const sources = [{ file: 'city.gpkg', layer: 'streets' }];
  assert.deepEqual(unknownSources({ layers }, sources), ['roads']);
});

test('a pattern of many asterisks takes little time', async () => {
  const layers = [{ name: 'x', source: `${'*a'.repeat(99)}b` }];
  const model = await compileModel({ layers }, { warn() {} });
  assert.deepEqual(model.layersFor({ file: 'a'.repeat(100_000), layer: undefined }).layers, []);
});

test('the ID comes from the ID attribute if the feature has it', async () => {
  const features = [makeFeature({ osm: 5 }), makeFeature({})];
  for (const feature of features) feature.id = 'own';
  const { made } = await modelFeatures(
    { idProperty: 'name', layers: [{ name: 'x', idProperty: 'osm' }] },
    features,
  );
  assert.deepEqual(
    made.map(({ id }) => id),
    [5, 'own'],
  );
});

test('an expression gives the first zoom, rounded up and within the zooms of the layer', async () => {
  const layers = [{ name: 'x', minZoom: 4, maxZoom: 12, zoomBy: ['-', 10, ['get', 'rank']] }];
  const features = [1.5, 9, -5, null].map((rank) => makeFeature({ rank }));
  const { made, warnings } = await modelFeatures({ layers }, features);
  // With rank -5, the first zoom would be 15, beyond the last zoom of the layer.
  assert.deepEqual(
    made.map(({ zooms }) => zooms),
    [
      [9, 12],
      [4, 12],
      [4, 12],
    ],
  );
  assert.deepEqual(
    warnings.map(({ code, example }) => [code, example!['feature']]),
    [['expressionFailed', 4]],
  );
});

test('zooms of a layer that contradict each other are refused', async () => {
  const layers = [{ name: 'x', minZoom: 9, maxZoom: 3 }];
  await assert.rejects(compileModel({ layers }, { warn() {} }), {
    code: 'zoomRange',
    message: '/modelOptions/layers/0/minZoom: 9 is above maxZoom (3).',
  });
});

test('only the selected geometry types of a collection are used', async () => {
  const mixed = makeFeature({ a: 1 }, 'MultiPoint', [[[[1, 1]]], [[[2, 2]]]]);
  addPart(mixed, 'Polygon', [square]);
  const typesFor = async (geometryTypes: ('Point' | 'LineString' | 'Polygon')[]) => {
    const { made } = await modelFeatures({ layers: [{ name: 'x', geometryTypes }] }, [mixed]);
    return made.map(({ types }) => types);
  };
  assert.deepEqual(await typesFor(['Polygon']), [['Polygon']]);
  assert.deepEqual(await typesFor(['Polygon', 'Point']), [['MultiPoint', 'Polygon']]);
  assert.deepEqual(await typesFor(['LineString']), []);
});

test('label points are in a separate layer, with the attributes of their polygon', async () => {
  const features = [makeFeature({ name: 'Lake' }, 'Polygon', [square]), road];
  const layersFor = async (labelPoints: boolean | { layer: string }) => {
    const { made } = await modelFeatures(
      { layers: [{ name: 'water', include: ['name'], labelPoints }] },
      features,
    );
    return made.map(({ layer, types, attributes }) => [layer, types[0], attributes['name']]);
  };
  const lake = ['water', 'Polygon', 'Lake'];
  const line = ['water', 'Point', 'A1'];
  assert.deepEqual(await layersFor(false), [lake, line]);
  assert.deepEqual(await layersFor(true), [lake, ['water_labels', 'Point', 'Lake'], line]);
  assert.deepEqual(await layersFor({ layer: 'names' }), [lake, ['names', 'Point', 'Lake'], line]);
});
