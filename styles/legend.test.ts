import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { legendOf, type LegendWords } from './legend.ts';
import type { AttributeSummary } from './style-attribute.ts';

const english = { locale: 'en', others: 'Other', noValue: 'No value' };
const german = { locale: 'de', others: 'Andere', noValue: 'Ohne Wert' };
const titlesOf = (style: MapStyle, words: LegendWords = english) =>
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

const use: AttributeSummary = {
  name: 'mainUse',
  type: 'mixed',
  count: 3,
  values: ['housing', 'mixed', 1],
  completeness: 1,
};
const ofUse = (summary: AttributeSummary): MapStyle => ({
  colour: { ...byUse.colour, attribute: summary.name } as never,
});
const knowing = (...attributes: AttributeSummary[]): LegendWords => ({ ...english, attributes });

test('a legend names the attribute: as the style says, by its title and unit, or in words for its name', () => {
  const named = (summary: Partial<AttributeSummary>, heading?: string) => {
    const { colour } = ofUse(use);
    const style = { colour: { ...colour, ...(heading !== undefined && { heading }) } as MapStyle['colour'] };
    return titlesOf(style, knowing({ ...use, ...summary }))[0];
  };
  assert.equal(named({}), 'Main use');
  assert.equal(named({ title: 'Use of land' }), 'Use of land');
  assert.equal(named({ title: 'Height', unit: 'm' }), 'Height (m)');
  assert.equal(named({ title: 'Use of land' }, 'What it is for'), 'What it is for');
  assert.equal(named({}, ''), 'housing, mixed');
  // of unknown data, only a heading that somebody wrote
  assert.equal(titlesOf(ofUse(use))[0], 'housing, mixed');
  assert.equal(titlesOf(ofUse(use), knowing())[0], 'Main use');
  const size = {
    type: 'continuous',
    attribute: 'height_m',
    from: { value: 0, size: 4 },
    to: { value: 10, size: 8 },
  } as const;
  const height: AttributeSummary = { name: 'height_m', type: 'number', count: 100, values: [] };
  const rows = legendOf({ ...ofUse(use), size }, 'point', knowing(use, height))[0]!.rows;
  assert.deepEqual(
    rows.map(({ title }) => title),
    ['Main use', 'housing, mixed', 'Work', 'Height (m)', '0', '5', '10'],
  );
  assert.deepEqual(rows[3], {
    type: 'FillLegendRow',
    title: 'Height (m)',
    fill: { color: [255, 255, 255, 0] },
  });
});

test('“Other” is left out only if it is known that there are no other values', () => {
  const hasOther = (summary: Partial<AttributeSummary>) =>
    titlesOf(ofUse(use), knowing({ ...use, ...summary })).includes('Other');
  assert.equal(hasOther({}), false);
  assert.equal(hasOther({ values: ['housing', 'mixed', 1, 'else'], count: 4 }), true);
  assert.equal(hasOther({ count: 4 }), true);
  assert.equal(hasOther({ completeness: 0.999 }), true);
  assert.equal(hasOther({ isPartial: true }), true);
  assert.equal(titlesOf(ofUse({ ...use, name: 'unknown' }), knowing(use)).includes('Other'), true);
});

test('points without an outline have a stroke of no width, which printing asks for', () => {
  const [row] = legendOf({ ...byUse, outline: null }, 'point', english)[0]!.rows;
  assert.deepEqual((row!['image'] as { stroke: unknown }).stroke, { color: '#ff0000', width: 0 });
});
