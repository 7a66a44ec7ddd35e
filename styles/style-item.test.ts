import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { originOf, styleItem } from './style-item.ts';

const words = { locale: 'en', others: 'Other', noValue: 'No value' };
const style: MapStyle = {
  colour: {
    type: 'categories',
    attribute: 'use',
    categories: [{ values: ['home'], colour: '#ff0000' }],
    others: { colour: '#888888' },
  },
};

test('a style item keeps what it is made from, its legend and its other options', () => {
  const before = { type: 'VectorStyleItem', name: 'mine', colorBlendMode: 1, properties: { title: 'Use' } };
  const item = styleItem(style, 'area', words, before);
  assert.deepEqual(originOf(JSON.parse(JSON.stringify(item))), { style, shape: 'area' });
  assert.deepEqual([item['type'], item['name'], item['colorBlendMode']], ['DeclarativeStyleItem', 'mine', 1]);
  const { title, legend } = item['properties'] as { title: string; legend: { rows: { title: string }[] }[] };
  assert.equal(title, 'Use');
  assert.deepEqual(
    legend[0]!.rows.map((row) => row.title),
    ['home', 'Other'],
  );
});

test('colours of 3D objects are those of the legend, unless another way of mixing was chosen', () => {
  assert.equal(styleItem(style, 'object', words)['colorBlendMode'], 1);
  assert.equal(styleItem(style, 'object', words, { colorBlendMode: 2 })['colorBlendMode'], 2);
  const single: MapStyle = { colour: { type: 'single', colour: '#123456' } };
  assert.equal(styleItem(single, 'object', words)['colorBlendMode'], undefined, 'textures stay');
});

test('a style without classes has no legend, not even a former one', () => {
  const item = styleItem(
    { colour: { type: 'single', colour: '#123456' } },
    'area',
    words,
    styleItem(style, 'area', words),
  );
  assert.deepEqual(Object.keys(item['properties'] as object), ['mapStyle']);
});

test('expressions that were changed by hand are not taken for the style that they came from', () => {
  const item = styleItem(style, 'area', words);
  assert.equal(originOf({ ...item, declarativeStyle: { color: "color('red')" } }), undefined);
});

test('what is no style has no origin', () => {
  const broken = [
    {},
    { style: {} },
    { shape: 'area', style: { colour: { type: 'classes' } } },
    { shape: 'area', style: { colour: { type: 'toString' } } },
  ];
  for (const mapStyle of broken) assert.equal(originOf({ properties: { mapStyle } }), undefined);
  for (const item of [undefined, null, 'name', {}, { properties: null }])
    assert.equal(originOf(item), undefined);
});
