import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileModel, unknownSources } from './compile-model.ts';
import type { ModelOptions } from './model-options.ts';
import { addPart, makeFeature, modelFeatures } from './testing.ts';

const square = [[[8, 47], [9, 47], [9, 48], [8, 48], [8, 47]]] as const; // prettier-ignore
const road = makeFeature({ class: 'road', name: 'A1', lanes: 2, open: true });

async function attributesOf(options: ModelOptions, properties: Record<string, unknown>) {
  const { made } = await modelFeatures(options, [makeFeature(properties)]);
  return made[0]?.attributes;
}

test('without options a feature passes as it is, in the layer of its source', async () => {
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

test('a layer is called after layerName, else the source layer, else the file without folders and endings', async () => {
  const nameIn = async (options: ModelOptions, file: string, layer?: string) =>
    (await modelFeatures(options, [road], { file, layer })).made[0]!.layer;
  assert.equal(await nameIn({ layerName: 'mine' }, 'a.gpkg', 'streets'), 'mine');
  assert.equal(await nameIn({}, 'a.gpkg', 'streets'), 'streets');
  assert.equal(await nameIn({}, 'x/y/streets.shp.zip'), 'streets');
  assert.equal(await nameIn({}, 'streets.v2.geojsonl.gz'), 'streets.v2');
  assert.equal(await nameIn({}, '.json'), 'layer');
});

test('values become what tiles can hold', async () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const { text } = (await attributesOf({}, { text: deep }))!;
  assert.equal(text, `${'['.repeat(100_000)}1${']'.repeat(100_000)}`);
  assert.deepEqual(
    await attributesOf(
      {},
      {
        list: [1, 'a'],
        object: { a: null },
        nothing: null,
        missing: undefined,
        nan: NaN,
        infinite: -Infinity,
        big: 12n,
        bigger: 2n ** 64n,
        bytes: new Uint8Array(3),
        call: () => 1,
        empty: '',
        zero: -0,
      },
    ),
    { list: '[1,"a"]', object: '{"a":null}', big: 12, bigger: '18446744073709551616', empty: '', zero: -0 },
  );
});

test('attributes are chosen by their names in the file, and renamed', async () => {
  const properties = { a: 1, b: 2, c: 3 };
  assert.deepEqual(await attributesOf({ include: ['a', 'b'] }, properties), { a: 1, b: 2 });
  assert.deepEqual(await attributesOf({ exclude: ['a'] }, properties), { b: 2, c: 3 });
  assert.deepEqual(await attributesOf({ include: ['a', 'b'], exclude: ['a'] }, properties), { b: 2 });
  const inLayer = (layer: object) =>
    attributesOf({ include: ['a', 'b'], layers: [{ name: 'x', ...layer }] }, properties);
  assert.deepEqual(await inLayer({ include: ['b', 'c'] }), { b: 2 });
  assert.deepEqual(await inLayer({ rename: { a: 'b' } }), { b: 1 });
  assert.deepEqual(await inLayer({ rename: { a: 'b', b: 'a' } }), { b: 1, a: 2 });
  assert.deepEqual(await inLayer({ rename: { a: '__proto__' } }).then((it) => Object.entries(it!)), [
    ['__proto__', 1],
    ['b', 2],
  ]);
});

test('two attributes cannot be renamed to the same name', async () => {
  const layers = [{ name: 'x', rename: { a: 'c', 'b/~': 'c' } }];
  await assert.rejects(compileModel({ layers }, { warn() {} }), {
    code: 'invalidOption',
    message: '/modelOptions/layers/0/rename/b~1~0: "a" and "b/~" cannot both be called "c".',
  });
});

test('types are imposed, by the name in the layer, and what has no such value is counted', async () => {
  const options: ModelOptions = {
    layers: [
      {
        name: 'x',
        rename: { w: 'width' },
        types: { width: 'number', lanes: 'integer', open: 'boolean', ref: 'string', list: 'string' },
      },
    ],
  };
  const { made, warnings } = await modelFeatures(options, [
    makeFeature({ w: ' 3.5 ', lanes: '-2.5', open: 'Yes', ref: 7, list: [1] }),
    makeFeature({ w: '3,5', lanes: true, open: 0, ref: true }),
    makeFeature({ w: '', lanes: '1e999', open: 'perhaps', ref: '' }),
  ]);
  assert.deepEqual(
    made.map(({ attributes }) => attributes),
    [
      { width: 3.5, lanes: -3, open: true, ref: '7', list: '[1]' },
      { lanes: 1, open: false, ref: 'true' },
      { ref: '' },
    ],
  );
  assert.deepEqual(
    warnings.map(({ code, example }) => [
      code,
      example!['attribute'],
      example!['value'],
      example!['feature'],
    ]),
    [
      ['typeMismatch', 'width', '3,5', 2],
      ['typeMismatch', 'width', '', 3],
      ['typeMismatch', 'lanes', '1e999', 3],
      ['typeMismatch', 'open', 'perhaps', 3],
    ],
  );
});

test('only the first failures are told with their place, and all are counted', async () => {
  const features = Array.from({ length: 100 }, () => makeFeature({ a: 'x' }));
  const { warnings } = await modelFeatures({ types: { a: 'number' } }, features);
  assert.equal(warnings.length, 100);
  assert.equal(warnings.filter(({ example }) => example !== undefined).length, 20);
});

test('a feature goes into every layer that takes it, with what each wants of it', async () => {
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

test('layers choose their sources by the name of the layer or the file, with wildcards', async () => {
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

test('a pattern of many stars takes no time', async () => {
  const layers = [{ name: 'x', source: `${'*a'.repeat(99)}b` }];
  const model = await compileModel({ layers }, { warn() {} });
  assert.deepEqual(model.layersFor({ file: 'a'.repeat(100_000), layer: undefined }).layers, []);
});

test('the id comes from the id attribute where the feature has one', async () => {
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

test('an attribute that is added obeys the options, and never doubles one that is there', async () => {
  const keys = async (options: ModelOptions, properties: object) => {
    const model = await compileModel(options, { warn() {} });
    let names: string[] = [];
    const feature = makeFeature({ ...properties });
    const source = model.layersFor({ file: 'a', layer: undefined });
    const addId = () =>
      source.apply(
        feature,
        () => ({ feature: 1 }),
        (made) => {
          made.add('id', 'text');
          names = made.slots.slice(0, made.attributeCount).map(({ name }) => name);
        },
      );
    addId();
    addId();
    return names;
  };
  assert.deepEqual(await keys({}, { a: 1 }), ['a', 'id']);
  assert.deepEqual(await keys({}, { id: 1 }), ['id']);
  assert.deepEqual(await keys({ exclude: ['id'] }, { a: 1 }), ['a']);
  assert.deepEqual(await keys({ attributes: { id: 7 } }, { a: 1 }), ['a', 'id']);
});

test('an expression tells the first zoom, rounded up and within those of the layer', async () => {
  const layers = [{ name: 'x', minZoom: 4, maxZoom: 12, zoomBy: ['-', 10, ['get', 'rank']] }];
  const features = [1.5, 9, -5, null].map((rank) => makeFeature({ rank }));
  const { made, warnings } = await modelFeatures({ layers }, features);
  // Of rank -5, the first zoom would be 15, where the layer is over.
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

test('of a collection, only the wanted types of geometry are used', async () => {
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

test('label points come in a layer of their own, with the attributes of their polygon', async () => {
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

test('a computed attribute replaces one of the file, and is left out where it cannot be computed', async () => {
  const options: ModelOptions = {
    attributes: { height: ['*', ['get', 'height'], 3] },
    types: { height: 'integer' },
  };
  const { made, warnings } = await modelFeatures(options, [
    makeFeature({ height: 2.5, a: 1 }),
    makeFeature({ height: 'tall', a: 1 }),
  ]);
  assert.deepEqual(
    made.map(({ attributes }) => attributes),
    [{ height: 8, a: 1 }, { a: 1 }],
  );
  assert.equal(warnings.length, 1);
  assert.deepEqual(warnings[0]!.example, {
    file: 'data/roads.geojson',
    layer: 'roads',
    expression: 'height',
    reason: 'Expected value to be of type number, but found string instead.',
    feature: 2,
  });
});

test('a layer has no more than 10,000 attributes, however many features bring more', async () => {
  const wide = (from: number) =>
    makeFeature(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`a${from + i}`, i])));
  const features = [wide(0), wide(50_000), wide(0)];
  const { made, warnings } = await modelFeatures({}, features);
  assert.deepEqual(
    made.map(({ attributes }) => Object.keys(attributes).length),
    [10_000, 0, 10_000],
  );
  assert.deepEqual(
    warnings.map(({ code, times }) => [code, times]),
    [
      ['tooManyAttributes', 90_000],
      ['tooManyAttributes', 100_000],
      ['tooManyAttributes', 90_000],
    ],
  );
});
