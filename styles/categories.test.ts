import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MapStyle } from '@platen/contract/map-styles';
import Value from 'typebox/value';
import {
  addCategory,
  canMerge,
  categoryName,
  mergeCategories,
  moveCategories,
  otherValues,
  removeCategories,
  splitCategory,
  type CategoryRule,
} from './categories.ts';
import { categoryColours, knowsEachValue, type AttributeSummary } from './style-attribute.ts';

const use: AttributeSummary = { name: 'use', type: 'string', count: 4, values: ['a', 'b', 'c', 'd'] };
const floors: AttributeSummary = { name: 'floors', type: 'number', count: 3, values: [1, 2, 3] };
const rule = categoryColours(use) as CategoryRule;
const valuesOf = ({ categories }: CategoryRule) => categories.map(({ values }) => values);
const requireValid = (colour: CategoryRule) => assert.deepEqual([...Value.Errors(MapStyle, { colour })], []);

test('a typed value becomes a category of the type that the data have, in a colour of its own', () => {
  const added = addCategory(rule, ' e ', use) as CategoryRule;
  assert.deepEqual(valuesOf(added).at(-1), ['e']);
  assert.equal(new Set(added.categories.map(({ colour }) => colour)).size, 5);
  const numbers = categoryColours(floors) as CategoryRule;
  assert.deepEqual(valuesOf(addCategory(numbers, '4.5', floors) as CategoryRule).at(-1), [4.5]);
  assert.equal(addCategory(numbers, 'four', floors), 'noNumber');
  assert.equal(addCategory(rule, 'a', use), 'listed');
  assert.equal(addCategory(rule, ' ', use), 'empty');
});

test('a hundred categories fit, in as many colours as palettes have', () => {
  let filled = rule;
  for (let i = 0; filled.categories.length < 100; i++)
    filled = addCategory(filled, `v${i}`, use) as CategoryRule;
  requireValid(filled);
  assert.equal(addCategory(filled, 'one more', use), 'full');
  const colours = filled.categories.map(({ colour }) => colour);
  assert.equal(new Set(colours.slice(0, 40)).size, 40);
  const all = new Set(filled.categories.keys());
  const merged = mergeCategories(filled, all);
  assert.equal(merged.categories.length, 1);
  requireValid(merged);
  assert.ok(categoryName(merged.categories[0]!).length <= 200);
  const split = splitCategory(merged, 0);
  assert.deepEqual(valuesOf(split), valuesOf(filled));
  requireValid(split);
  const twice = { ...merged, categories: [...merged.categories, { values: ['z'], colour: '#000000' }] };
  assert.equal(canMerge(twice, new Set([0, 1])), false);
  assert.equal(mergeCategories(twice, new Set([0, 1])), twice);
  assert.equal(splitCategory(twice, 0), twice);
});

test('merged categories are one, with the colour of the first and the titles of all', () => {
  const titled: CategoryRule = {
    ...rule,
    categories: rule.categories.with(3, { ...rule.categories[3]!, title: 'Dwelling' }),
  };
  const merged = mergeCategories(titled, new Set([3, 1]));
  assert.deepEqual(merged.categories[1], {
    values: ['b', 'd'],
    colour: rule.categories[1]!.colour,
    title: 'b, Dwelling',
  });
  assert.equal(merged.categories.length, 3);
  assert.equal(mergeCategories(rule, new Set([0, 1])).categories[0]!.title, undefined);
  assert.equal(canMerge(rule, new Set([2])), false);
});

test('removed categories leave their values to the others', () => {
  const left = removeCategories(rule, new Set([0, 2]));
  assert.deepEqual(valuesOf(left), [['b'], ['d']]);
  assert.deepEqual(otherValues(left, use), ['a', 'c']);
  assert.deepEqual(left.others, rule.others);
});

test('categories move up and down together, and stay at the ends', () => {
  const up = moveCategories(rule, new Set([1, 2]), -1);
  assert.deepEqual(valuesOf(up.rule).flat(), ['b', 'c', 'a', 'd']);
  assert.deepEqual(up.chosen, new Set([0, 1]));
  const again = moveCategories(up.rule, up.chosen, -1);
  assert.deepEqual(valuesOf(again.rule).flat(), ['b', 'c', 'a', 'd']);
  const down = moveCategories(rule, new Set([2, 3, 0]), 1);
  assert.deepEqual(valuesOf(down.rule).flat(), ['b', 'a', 'c', 'd']);
  assert.deepEqual(down.chosen, new Set([1, 2, 3]));
});

test('an attribute is known in full only if all of its values are listed', () => {
  assert.equal(knowsEachValue(use), true);
  assert.equal(knowsEachValue({ ...use, count: 5 }), false);
  const many = Array.from({ length: 100 }, (_, i) => i);
  assert.equal(knowsEachValue({ ...floors, count: 100, values: many }), false);
});
