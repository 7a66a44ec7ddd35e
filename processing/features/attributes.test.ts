import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileModel } from './compile-model.ts';
import type { ModelOptions } from './model-options.ts';
import { makeFeature, modelFeatures } from './testing.ts';

async function attributesOf(options: ModelOptions, properties: Record<string, unknown>) {
  const { made } = await modelFeatures(options, [makeFeature(properties)]);
  return made[0]?.attributes;
}

test('values are converted to types that tiles can hold', async () => {
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

test('types are enforced by the name in the layer, and values that cannot be converted are counted', async () => {
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

test('only the first failures are reported with their position, and all are counted', async () => {
  const features = Array.from({ length: 100 }, () => makeFeature({ a: 'x' }));
  const { warnings } = await modelFeatures({ types: { a: 'number' } }, features);
  assert.equal(warnings.length, 100);
  assert.equal(warnings.filter(({ example }) => example !== undefined).length, 20);
});

test('an added attribute follows the options, and never duplicates an existing one', async () => {
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

test('a computed attribute replaces one of the file, and is omitted if it cannot be computed', async () => {
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

test('a layer has at most 10,000 attributes, however many the features have', async () => {
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
