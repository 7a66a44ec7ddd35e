import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseColour } from '@platen/geo/canvas/colour';
import { classBreaks, roundBreaks } from './classify.ts';
import { paletteColours, paletteSize, palettes } from './palettes.ts';
import {
  categoryColours,
  classColours,
  colourBy,
  continuousColours,
  defaultAttribute,
  isIdentifier,
  isReversedPalette,
  suggestedAttributes,
  withPalette,
  type AttributeSummary,
} from './style-attribute.ts';

const skewed = [
  ...Array.from({ length: 90 }, (_, i) => i / 10),
  ...Array.from({ length: 10 }, (_, i) => 500 + i),
];
const population: AttributeSummary = {
  name: 'population',
  type: 'number',
  min: 0,
  max: 509,
  count: 100,
  values: [0, 0.1],
  quantiles: skewed,
};

test('equal classes are as wide, quantiles hold as many, natural breaks lie in the gaps', () => {
  assert.deepEqual(classBreaks([0, 10], 5, 'equal'), [0, 2, 4, 6, 8, 10]);
  const quartiles = classBreaks(skewed, 4, 'quantile');
  for (const [i, from] of quartiles.slice(0, -1).entries()) {
    const held = skewed.filter((value) => value >= from && value < quartiles[i + 1]!).length;
    assert.ok(Math.abs(held - 25) <= 1, `class ${i} holds ${held}`);
  }
  assert.deepEqual(classBreaks(skewed, 2, 'natural'), [0, 500, 509]);
});

test('there are no more classes than distinct values, and always two breaks', () => {
  const few = classBreaks([1, 1, 1, 2], 5, 'quantile');
  assert.deepEqual(
    few,
    [...new Set(few)].toSorted((one, other) => one - other),
  );
  assert.deepEqual(classBreaks([1, 2, 3], 5, 'natural'), [1, 2, 3]);
  for (const method of ['equal', 'quantile', 'natural'] as const)
    assert.deepEqual(classBreaks([7, 7, Number.NaN], 5, method), [7, 7]);
  assert.deepEqual(classBreaks([], 5, 'natural'), []);
});

test('many values are classified quickly by a sample of them', () => {
  const many = Array.from({ length: 200_000 }, (_, i) => i);
  assert.equal(classBreaks(many, 4, 'natural').length, 5);
});

test('breaks are rounded to the digits that keep them apart, and the ends stay outside', () => {
  assert.deepEqual(roundBreaks([0.123, 37.2, 118.9, 9876]), [0.12, 37, 120, 9900]);
  assert.deepEqual(roundBreaks([1001, 1002, 1003]), [1001, 1002, 1003]);
  assert.deepEqual(roundBreaks([-0.5, 0, 1 / 3]), [-0.5, 0, 0.34]);
});

test('each palette has as many colours as are asked for, in both directions', () => {
  for (const { name } of palettes)
    for (const count of [1, 2, 5, 9, 20]) {
      const colours = paletteColours(name, count)!;
      assert.equal(colours.length, count, name);
      for (const colour of colours) assert.match(colour, /^#[\da-f]{6}$/, name);
      assert.deepEqual(paletteColours(name, count, true), colours.toReversed());
    }
  assert.equal(paletteColours('constructor', 3), undefined);
});

const text = (name: string, values: string[]): AttributeSummary => ({
  name,
  type: 'string',
  count: values.length,
  values,
});

test('identifiers and names are not offered for colours, few values come first', () => {
  const names = Array.from({ length: 100 }, (_, i) => `Street ${i}`);
  const use = text('use', ['housing', 'work']);
  const objectId: AttributeSummary = {
    name: 'OBJECTID',
    type: 'number',
    count: 100,
    min: 1,
    max: 900,
    values: [],
  };
  const constant: AttributeSummary = {
    name: 'year',
    type: 'number',
    count: 1,
    min: 2024,
    max: 2024,
    values: [2024],
  };
  const suggested = suggestedAttributes([objectId, constant, text('street', names), population, use]);
  assert.deepEqual(
    suggested.map(({ name }) => name),
    ['use', 'population'],
  );
  const districts = text('DistrictName', ['Nord', 'Süd', 'West']);
  assert.equal(defaultAttribute([districts, use])?.name, 'use');
  assert.equal(defaultAttribute([districts, population])?.name, 'DistrictName');
  for (const name of ['buildingId', 'Baum-Nr', 'PLZ', 'fid'])
    assert.ok(isIdentifier(text(name, ['1'])), name);
  for (const name of ['paid', 'grid', 'valid', 'Norden']) assert.ok(!isIdentifier(text(name, ['1'])), name);
});

test('few values become categories in their order, many numbers become classes', () => {
  const rule = colourBy(text('floor', ['10', '2', '1']));
  assert.equal(rule.type, 'categories');
  assert.deepEqual(rule.type === 'categories' && rule.categories.map(({ values }) => values[0]), [
    '1',
    '2',
    '10',
  ]);
  assert.equal(colourBy(population).type, 'classes');
});

test('classes of city models have the colours that maps usually give them, unless a palette is chosen', () => {
  const attribute = text('class', ['WaterBody', 'Building', 'PlantCover']);
  const rule = colourBy(attribute);
  assert.ok(rule.type === 'categories');
  assert.deepEqual(
    rule.categories.map(({ values }) => values[0]),
    ['Building', 'PlantCover', 'WaterBody'],
  );
  const [, plants, water] = rule.categories.map(({ colour }) => parseColour(colour));
  assert.ok(plants![1]! > plants![0]! && plants![1]! > plants![2]!, 'plants are green');
  assert.ok(water![2]! > water![0]! + 50, 'water is blue');
  assert.equal((colourBy(attribute, { palette: 'Dark2' }) as { palette?: string }).palette, 'Dark2');
  const other = colourBy(text('class', ['WaterBody', 'constructor']));
  assert.equal((other as { palette?: string }).palette, 'Tableau10');
});

test('ten thousand values keep the first twelve, all others share a colour', () => {
  const rule = colourBy(
    text(
      'street',
      Array.from({ length: 10_000 }, (_, i) => `Street ${i}`),
    ),
  );
  assert.ok(rule.type === 'categories' && rule.categories.length === 12 && rule.others);
});

test('no two categories of a new rule have the same colour, nor that of all others', () => {
  const colours = (count: number, palette?: string) => {
    const values = Array.from({ length: count }, (_, i) => `${i}`);
    const rule = categoryColours(text('use', values), palette === undefined ? {} : { palette });
    assert.ok(rule.type === 'categories');
    return rule.categories.map(({ colour }) => colour);
  };
  for (const count of [1, 9, 10, 12, 13, 20, 100])
    for (const palette of [undefined, ...palettes.map(({ name }) => name)]) {
      const made = colours(count, palette);
      assert.equal(new Set(made).size, made.length, `${count} of ${palette}`);
      assert.ok(made.length >= Math.min(count, 8));
    }
  for (const count of [9, 10, 12, 20])
    for (const colour of colours(count)) {
      const parts = parseColour(colour);
      assert.ok(Math.max(...parts) - Math.min(...parts) > 30, `${colour} is like the grey of all others`);
    }
});

test('palettes know how many different colours they have', () => {
  for (const { name, kind } of palettes) {
    const size = paletteSize(name);
    assert.equal(Number.isFinite(size), kind === 'qualitative', name);
    const count = Math.min(size, 12);
    assert.equal(new Set(paletteColours(name, count)).size, count, name);
  }
  assert.equal(paletteSize('Dark2'), 8);
});

test('outliers do not take up the colours of a continuous scale', () => {
  const rule = continuousColours({
    ...population,
    quantiles: [...Array.from({ length: 99 }, (_, i) => i), 1e9],
  });
  assert.ok(rule.type === 'continuous');
  assert.deepEqual([rule.stops[0]!.value, rule.stops.at(-1)!.value], [2, 97]);
});

test('values on both sides of zero get a diverging palette', () => {
  const rule = classColours({ ...population, min: -5, quantiles: [-5, -1, 0, 2, 509] });
  assert.equal(rule.type === 'classes' && rule.palette, 'RdYlBu');
});

test('another palette changes colours only', () => {
  const rule = classColours(population);
  const changed = withPalette(rule, 'Viridis', true);
  assert.ok(rule.type === 'classes' && changed.type === 'classes');
  assert.deepEqual(changed.breaks, rule.breaks);
  assert.deepEqual(changed.colours, paletteColours('Viridis', rule.colours.length, true));
  assert.equal(withPalette(rule, 'unheard of'), rule);
});

test('a rule shows whether its palette is reversed, also after one colour was changed', () => {
  for (const rule of [classColours(population), continuousColours(population)]) {
    assert.ok(!isReversedPalette(rule));
    assert.ok(isReversedPalette(withPalette(rule, 'Viridis', true)));
    assert.ok(!isReversedPalette(withPalette(rule, 'Viridis')));
  }
  const reversed = withPalette(classColours(population), 'Viridis', true);
  assert.ok(reversed.type === 'classes');
  assert.ok(isReversedPalette({ ...reversed, colours: reversed.colours.with(0, '#000000') }));
  assert.ok(!isReversedPalette({ type: 'single', colour: '#000000' }));
});

test('maps are not coloured by what few features have, unless somebody wants it', () => {
  const text = { type: 'string', count: 3, values: ['a', 'b', 'c'] } as const;
  const rare = { ...text, name: 'crossing', completeness: 0.02 };
  const usual = { ...population, name: 'lanes', count: 4, completeness: 0.9 };
  assert.equal(defaultAttribute([rare, usual])?.name, 'lanes');
  assert.equal(defaultAttribute([rare]), undefined);
  assert.deepEqual(
    suggestedAttributes([rare, usual]).map(({ name }) => name),
    ['lanes', 'crossing'],
  );
});
