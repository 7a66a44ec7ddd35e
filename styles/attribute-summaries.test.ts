import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldSummaries, inspectedSummaries, shapeOf, summariseAttributes } from './attribute-summaries.ts';
import { colourBy, knowsEachValue } from './style-attribute.ts';

test('attributes of features are summarised by what they hold', () => {
  const features = Array.from({ length: 1000 }, (_, i) => ({
    height: i % 7 === 0 ? null : i,
    use: ['home', 'work'][i % 2],
    note: i === 3 ? 'high' : i,
    isOpen: i % 2 === 0,
    empty: null,
    nested: {},
    share: i === 5 ? Number.NaN : 1,
  }));
  const by = Object.fromEntries(summariseAttributes(features).map((one) => [one.name, one]));
  assert.deepEqual(Object.keys(by), ['height', 'use', 'note', 'isOpen', 'share']);
  assert.deepEqual([by['height']!.type, by['height']!.min, by['height']!.max], ['number', 1, 999]);
  assert.equal(by['height']!.quantiles!.length, 101);
  assert.equal(by['height']!.values.length, 100);
  assert.deepEqual([by['use']!.type, by['use']!.values], ['string', ['home', 'work']]);
  assert.deepEqual([by['note']!.type, by['isOpen']!.type], ['mixed', 'boolean']);
  assert.deepEqual(by['share']!.values, [1]);
  assert.equal(by['height']!.completeness, 0.857);
});

test('a long text counts as another value than those listed', () => {
  const [summary] = summariseAttributes([{ use: 'home' }, { use: 'x'.repeat(300) }]);
  assert.deepEqual([summary!.count, summary!.values], [2, ['home']]);
  assert.equal(knowsEachValue(summary!), false);
});

test('fields of a datasource are read, those of one name in several layers as one', () => {
  const summaries = fieldSummaries([
    {
      layer: 'a',
      name: 'size',
      type: 'number',
      min: 2,
      max: 9,
      count: 3,
      values: [2, 5, 9],
      quantiles: [2, 5, 9],
    },
    { layer: 'b', name: 'size', type: 'number', min: 1, max: 4, count: 2, values: [1, 4], quantiles: [1, 4] },
    { layer: 'a', name: 'kind', type: 'string', count: 1, values: ['x'] },
    { layer: 'b', name: 'kind', type: 'number', count: 1, min: 1, max: 1, values: [1] },
  ]);
  assert.deepEqual(summaries[0], {
    name: 'size',
    type: 'number',
    min: 1,
    max: 9,
    count: 5,
    values: [2, 5, 9, 1, 4],
    quantiles: [1, 2, 4, 5, 9],
  });
  assert.equal(summaries[1]!.type, 'mixed');
});

test('properties that other clients have written are no fields', () => {
  for (const fields of [
    undefined,
    null,
    'x',
    {},
    [null, 1, {}, { name: 1, type: 'number' }, { name: 'x', type: 'y' }],
  ])
    assert.deepEqual(fieldSummaries(fields), []);
});

test('several kinds of geometry are mixed, single and multiple ones are the same', () => {
  assert.equal(shapeOf(['Point', 'MultiPoint']), 'point');
  assert.equal(shapeOf(['MultiLineString', undefined]), 'line');
  assert.equal(shapeOf(['Polygon']), 'area');
  assert.equal(shapeOf(['Polygon', 'Point']), 'mixed');
  assert.equal(shapeOf([]), 'mixed');
});

test('fields of an inspection are summarised by their examples and ranges', () => {
  const summaries = inspectedSummaries([
    { name: 'use', type: 'string', examples: ['home', 'work'] },
    { name: 'height', type: 'number', examples: [], range: { min: 3, max: 90 } },
    { name: 'storeys', type: 'integer', examples: [4, 2] },
    { name: 'isOpen', type: 'boolean', examples: [true] },
    { name: 'unknown', type: 'json', examples: [] },
    { name: 'empty', type: 'string', examples: [] },
  ]);
  assert.deepEqual(summaries, [
    { name: 'use', type: 'string', count: 100, values: ['home', 'work'] },
    { name: 'height', type: 'number', min: 3, max: 90, count: 100, values: [] },
    { name: 'storeys', type: 'number', min: 2, max: 4, count: 100, values: [4, 2] },
    { name: 'isOpen', type: 'boolean', count: 100, values: [false, true] },
  ]);
  const colour = colourBy(summaries[1]!);
  assert.deepEqual(colour.type === 'classes' && [colour.breaks[0], colour.breaks.at(-1)], [3, 90]);
});

test('whole numbers of 3D objects are numbers, and unknown types are left out', () => {
  const fields = [
    { name: 'storeys', type: 'integer' },
    { name: 'use', type: 'string' },
    { name: 'shape', type: 'geometry' },
    { name: 'odd', type: 'toString' },
  ];
  assert.deepEqual(
    fieldSummaries(fields).map(({ name, type }) => [name, type]),
    [
      ['storeys', 'number'],
      ['use', 'string'],
    ],
  );
});

test('attributes that some layers or features lack, and those of samples, are known in part', () => {
  const field = (layer: string, name: string, completeness = 1) => ({
    layer,
    name,
    type: 'string',
    count: 1,
    values: ['a'],
    completeness,
  });
  const partial = (fields: object[], layerCount?: number) =>
    fieldSummaries(fields, layerCount).map(({ name, isPartial = false }) => [name, isPartial]);
  const both = [field('one', 'use'), field('two', 'use')];
  assert.deepEqual(partial(both), [['use', false]]);
  assert.deepEqual(partial(both, 3), [['use', true]]);
  assert.deepEqual(partial([...both, field('two', 'kind')]), [
    ['use', false],
    ['kind', true],
  ]);
  assert.deepEqual(partial([field('one', 'use'), field('two', 'use', 0.5)]), [['use', true]]);
  const third = field('three', 'use');
  assert.deepEqual(partial([field('one', 'use'), field('two', 'use', 0.5), third]), [['use', true]]);
  assert.deepEqual(
    partial([
      { ...field('one', 'use'), count: 2 },
      { ...third, values: ['b'] },
    ]),
    [['use', true]],
  );
  const [sampled] = summariseAttributes([{ use: 'a' }], true);
  assert.equal(sampled!.isPartial, true);
  const [titled] = fieldSummaries([{ ...field('one', 'height'), title: 'Height', unit: 'm' }]);
  assert.deepEqual([titled!.title, titled!.unit], ['Height', 'm']);
});
