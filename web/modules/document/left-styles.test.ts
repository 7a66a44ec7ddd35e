import { styleItem } from '@platen/styles/style-item';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from './content.ts';
import { kindOf, leaveStyle, takeStyle, withoutLeftStyles, type StyleKind } from './left-styles.ts';

const words = { locale: 'en', others: 'Other', noValue: 'No value' };
const byAttributes = styleItem(
  {
    colour: {
      type: 'categories',
      attribute: 'use',
      categories: [{ values: ['home'], colour: '#112233', title: 'Homes' }],
    },
  },
  'area',
  words,
);
const plain = { type: 'VectorStyleItem', fill: { color: '#445566' } };
const styleOf = (layer: Item) => layer['style'] as Item;
const never = (): Item => assert.fail('the style that was left is taken');

test('a style by attributes comes back after the default of the viewer', () => {
  const layer = {
    name: 'Roads',
    type: 'VectorTileLayer',
    style: byAttributes,
    properties: { title: 'Roads' },
  };
  const bare = leaveStyle(layer);
  assert.equal(bare['style'], undefined);
  assert.deepEqual(takeStyle(bare, 'attributes', never), layer);
  assert.deepEqual(takeStyle(leaveStyle(leaveStyle(layer)), 'attributes', never), layer);
});

test('styles of all kinds come back in any order', () => {
  const steps: readonly (StyleKind | undefined)[] = [
    undefined,
    'own VectorStyleItem',
    'attributes',
    undefined,
    'own DeclarativeStyleItem',
    'own VectorStyleItem',
    undefined,
    'attributes',
  ];
  let layer: Item = { name: 'Roads', style: byAttributes };
  for (const kind of steps)
    layer =
      kind === undefined
        ? leaveStyle(layer)
        : takeStyle(layer, kind, () =>
            kind === 'own VectorStyleItem' ? plain : { type: 'DeclarativeStyleItem' },
          );
  assert.deepEqual(withoutLeftStyles(styleOf(layer)), byAttributes);
  assert.equal(layer['properties'], undefined);
  assert.deepEqual(withoutLeftStyles(styleOf(takeStyle(layer, 'own VectorStyleItem', never))), plain);
});

test('a layer that names a style of the module keeps its own, and begins with a new one of another kind', () => {
  const named = { ...leaveStyle({ name: 'Roads', style: byAttributes }), style: 'calm' };
  const layer = takeStyle(named, 'own VectorStyleItem', () => plain);
  assert.equal(kindOf(styleOf(layer)), 'own VectorStyleItem');
  assert.deepEqual(styleOf(takeStyle(leaveStyle(named), 'attributes', never)), byAttributes);
});
