import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { legendOf } from './legend.ts';

const english = { locale: 'en', others: 'Other', noValue: 'No value' };
const german = { locale: 'de', others: 'Andere', noValue: 'Ohne Wert' };
const titlesOf = (style: MapStyle, words = english) =>
  legendOf(style, 'area', words).flatMap(({ rows }) => rows.map(({ title }) => title));

const byUse: MapStyle = {
  colour: {
    type: 'categories',
    attribute: 'use',
    categories: [
      { values: ['housing', 'mixed'], colour: '#ff0000' },
      { values: [1], colour: '#00ff00', title: 'Work' },
    ],
    others: { colour: '#888888' },
  },
};

test('one colour needs no legend', () => {
  assert.deepEqual(legendOf({ colour: { type: 'single', colour: '#123456' } }, 'point', english), []);
});

test('categories are named by their title or values, others in the language of the map', () => {
  assert.deepEqual(titlesOf(byUse), ['housing, mixed', 'Work', 'Other']);
  assert.equal(titlesOf(byUse, german).at(-1), 'Andere');
});

test('classes name their ends in the notation of the language', () => {
  const style: MapStyle = {
    colour: {
      type: 'classes',
      attribute: 'density',
      breaks: [0, 12.5, 25_000],
      colours: ['#000000', '#ffffff'],
      titles: ['', 'dense'],
      noValue: { colour: '#888888' },
    },
  };
  assert.deepEqual(titlesOf(style), ['0 – 13', 'dense', 'No value']);
  assert.deepEqual(titlesOf({ colour: { ...style.colour, titles: [] } as MapStyle['colour'] }, german), [
    '0 – 13',
    '13 – 25.000',
    'Ohne Wert',
  ]);
});

test('years have no separators', () => {
  const stops = [1890, 2025].map((value) => ({ value, colour: '#000000' }));
  assert.deepEqual(titlesOf({ colour: { type: 'continuous', attribute: 'year', stops } }), ['1890', '2025']);
});

test('samples have the colour that a map of land shows through, where areas or styles let it', () => {
  const coloursAt = (shape: 'point' | 'area', opacity?: number) => {
    const colour = { type: 'single', title: 'x', colour: '#4e79a7' } as const;
    const [row] = legendOf({ colour, ...(opacity !== undefined && { opacity }) }, shape, english)[0]!.rows;
    const { fill, image } = row as { fill?: { color: string }; image?: { fill: { color: string } } };
    return (fill ?? image!.fill).color;
  };
  assert.deepEqual(
    [coloursAt('area'), coloursAt('area', 0.2), coloursAt('area', 1)],
    ['#7897b7', '#d3d8d9', '#4e79a7'],
  );
  assert.deepEqual([coloursAt('point'), coloursAt('point', 0.5)], ['#4e79a7', '#a1b5c6']);
});

test('rows show what is drawn: circles, lines and areas, by size where sizes differ', () => {
  const types = (['point', 'line', 'area', 'object'] as const).map(
    (shape) => legendOf(byUse, shape, english)[0]!.rows[0]!.type,
  );
  assert.deepEqual(types, ['CircleLegendRow', 'StrokeLegendRow', 'FillLegendRow', 'FillLegendRow']);
  const sized: MapStyle = {
    colour: { type: 'single', colour: '#123456' },
    size: { type: 'continuous', attribute: 'n', from: { value: 0, size: 4 }, to: { value: 100, size: 24 } },
  };
  const [legend] = legendOf(sized, 'point', english);
  assert.deepEqual(
    legend!.rows.map(({ title, image }) => [title, (image as { radius: number }).radius]),
    [
      ['0', 2],
      ['50', 7],
      ['100', 12],
    ],
  );
});
