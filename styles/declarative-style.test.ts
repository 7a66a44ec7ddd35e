import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColourRule, MapStyle, StyleFilter } from '@platen/contract/map-styles';
import { declarativeStyle } from './declarative-style.ts';
import { evaluate, evaluateColour, type Attributes } from './testing-cesium.ts';

const colourOf = (colour: ColourRule, attributes: Attributes) =>
  evaluateColour(declarativeStyle({ colour }, 'point')['color']!, attributes);
const isShown = (style: MapStyle, attributes: Attributes) => {
  const { show } = declarativeStyle(style, 'point');
  return show === undefined || evaluate(show, attributes);
};

const classes: ColourRule = {
  type: 'classes',
  attribute: 'height',
  breaks: [0, 10, 20, 30],
  colours: ['#111111', '#222222', '#333333'],
  noValue: { colour: '#999999' },
};

test('a break belongs to the class above it, and the outer classes are open', () => {
  const colours = [-5, 0, 9.99, 10, 19, 20, 30, 1000].map((height) => colourOf(classes, { height }));
  const [low, middle, high] = ['#111111', '#222222', '#333333'];
  assert.deepEqual(colours, [low, low, low, middle, middle, high, high, high]);
});

test('what is no number has the colour for that, or is not drawn', () => {
  const without: Attributes[] = [
    {},
    { height: null },
    { height: 'tall' },
    { height: Number.NaN },
    { height: '' },
  ];
  for (const attributes of without) {
    assert.equal(colourOf(classes, attributes), '#999999');
    const { noValue: _, ...drawn } = classes as Extract<ColourRule, { type: 'classes' }>;
    assert.equal(isShown({ colour: drawn }, attributes), false);
  }
  assert.equal(colourOf(classes, { height: '12' }), '#222222', 'numbers in text count');
});

test('colours between two stops are interpolated, and stay beyond the outer ones', () => {
  const rule: ColourRule = {
    type: 'continuous',
    attribute: 'share',
    stops: [
      { value: -1, colour: '#000000' },
      { value: 0, colour: '#808080' },
      { value: 2, colour: '#ffffff' },
    ],
  };
  const colours = [-9, -1, -0.5, 0, 1, 2, 9].map((share) => colourOf(rule, { share }));
  assert.deepEqual(colours, ['#000000', '#000000', '#404040', '#808080', '#c0c0c0', '#ffffff', '#ffffff']);
});

const awkward = [
  "it's",
  'say "so"',
  `it's "so"`,
  'costs ${price}',
  String.raw`back\slash`,
  'ärmel 漢字 ع',
  '',
  '}',
];

test('categories are recognised whatever characters they contain, and others get their own colour', () => {
  const rule: ColourRule = {
    type: 'categories',
    attribute: 'kind',
    categories: [
      ...awkward.map((value, i) => ({ values: [value], colour: `#00000${i}` })),
      { values: [1, true], colour: '#00000f' },
    ],
    others: { colour: '#777777' },
  };
  for (const [i, kind] of awkward.entries()) assert.equal(colourOf(rule, { kind }), `#00000${i}`, kind);
  assert.equal(colourOf(rule, { kind: 1 }), '#00000f');
  assert.equal(colourOf(rule, { kind: true }), '#00000f');
  for (const kind of ['1', 'else', null, undefined, 0]) assert.equal(colourOf(rule, { kind }), '#777777');
});

test('values without a colour are not drawn unless others have one', () => {
  const colour: ColourRule = {
    type: 'categories',
    attribute: 'kind',
    categories: [{ values: ['a', 'b'], colour: '#000000' }],
  };
  assert.equal(isShown({ colour }, { kind: 'b' }), true);
  assert.equal(isShown({ colour }, { kind: 'c' }), false);
  assert.equal(isShown({ colour: { ...colour, categories: [] } }, { kind: 'a' }), false);
});

test('attributes may have any name that the language can express', () => {
  for (const name of ['Höhe', 'a b', 'feature', "owner's", 'say "so"', '1st', 'a.b', 'a-b', '${x'])
    assert.equal(colourOf({ ...classes, attribute: name } as ColourRule, { [name]: 15 }), '#222222', name);
  for (const name of ['a}b', `'"`])
    assert.equal(colourOf({ ...classes, attribute: name } as ColourRule, { [name]: 15 }), '#999999', name);
});

test('filters compare numbers with numbers only', () => {
  const passes = (filter: StyleFilter, attributes: Attributes) =>
    isShown({ colour: { type: 'single', colour: '#000000' }, filter: [filter] }, attributes);
  const above: StyleFilter = { attribute: 'x', operator: '>', values: [3] };
  assert.deepEqual(
    [4, 3, 'four', null, undefined].map((x) => passes(above, { x })),
    [true, false, false, false, false],
  );
  assert.equal(passes({ attribute: 'x', operator: '=', values: ['a'] }, { x: 'a' }), true);
  assert.equal(passes({ attribute: 'x', operator: '!=', values: ['a'] }, { x: 'a' }), false);
  assert.equal(passes({ attribute: 'x', operator: 'in', values: ['a', 2] }, { x: 2 }), true);
  assert.equal(passes({ attribute: 'x', operator: 'in', values: [] }, { x: 2 }), false);
  assert.equal(passes({ attribute: 'x', operator: 'exists' }, { x: 0 }), true);
  assert.equal(passes({ attribute: 'x', operator: 'missing' }, { x: null }), true);
});

test('sizes grow with a number, from its lower end to its upper one', () => {
  const style: MapStyle = {
    colour: { type: 'single', colour: '#000000' },
    size: { type: 'continuous', attribute: 'n', from: { value: 10, size: 4 }, to: { value: 20, size: 24 } },
  };
  const { pointSize } = declarativeStyle(style, 'point');
  assert.deepEqual(
    [0, 10, 15, 20, 99, undefined].map((n) => evaluate(pointSize!, { n })),
    [4, 4, 14, 24, 24, 4],
  );
  const { strokeWidth } = declarativeStyle(
    { ...style, size: { type: 'classes', attribute: 'n', breaks: [0, 5, 9], sizes: [1, 3] } },
    'line',
  );
  assert.deepEqual(
    [0, 5, null].map((n) => evaluate(strokeWidth!, { n })),
    [1, 3, 1],
  );
});

test('labels are empty where there is no value', () => {
  const { labelText, font } = declarativeStyle(
    { colour: { type: 'single', colour: '#000000' }, label: { attribute: 'name', isBold: true } },
    'point',
  );
  assert.deepEqual(
    [{ name: 'Ulm' }, { name: 7 }, {}, { name: null }].map((of) => evaluate(labelText!, of)),
    ['Ulm', '7', '', ''],
  );
  assert.equal(evaluate(font!, {}), '600 13px sans-serif');
  const mono = { attribute: 'name', font: 'mono', size: 9 } as const;
  const style = declarativeStyle({ colour: { type: 'single', colour: '#000000' }, label: mono }, 'area');
  assert.equal(evaluate(style['font']!, {}), '9px monospace');
});

test('areas are translucent with a darker outline, objects of 3D tiles have neither', () => {
  const style: MapStyle = { colour: { type: 'single', colour: '#ff8000' } };
  const area = declarativeStyle(style, 'area');
  assert.equal(evaluateColour(area['color']!, {}), '#ff8000 75 %');
  assert.equal(evaluateColour(area['strokeColor']!, {}), '#b15a00');
  assert.deepEqual(declarativeStyle({ ...style, outline: null }, 'area'), {
    color: area['color'],
    strokeColor: "color('#ffffff', 0)",
    strokeWidth: '1',
  });
  assert.deepEqual(Object.keys(declarativeStyle(style, 'object')), ['color']);
});
