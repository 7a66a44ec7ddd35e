import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColourRule, MapStyle, SizeRule, StyleFilter } from '@platen/contract/map-styles';
import { declarativeStyle } from './declarative-style.ts';
import { styleDrawer } from './drawn-style.ts';
import { evaluate, evaluateColour, type Attributes } from './testing-cesium.ts';

const rest = { colour: '#999999' };
const colours: ColourRule[] = [
  { type: 'single', colour: '#123456' },
  {
    type: 'categories',
    attribute: 'a',
    categories: [
      { values: ['x', 1], colour: '#ff0000' },
      { values: [true, 'it’s'], colour: '#00ff00' },
    ],
  },
  { type: 'classes', attribute: 'a', breaks: [0, 1, 5, 9], colours: ['#111111', '#222222'], noValue: rest },
  { type: 'classes', attribute: 'a', breaks: [0, 1], colours: ['#111111'] },
  {
    type: 'continuous',
    attribute: 'a',
    stops: [
      { value: -1, colour: '#000000' },
      { value: 1, colour: '#204060' },
      { value: 8, colour: '#ffffff' },
    ],
    noValue: rest,
  },
];
const sizes: (SizeRule | undefined)[] = [
  undefined,
  { type: 'single', size: 7 },
  { type: 'classes', attribute: 'a', breaks: [0, 1, 5], sizes: [2, 12] },
  { type: 'continuous', attribute: 'a', from: { value: 0, size: 4 }, to: { value: 5, size: 24 } },
];
const filters: (StyleFilter[] | undefined)[] = [
  undefined,
  [{ attribute: 'b', operator: 'missing' }],
  [
    { attribute: 'a', operator: 'exists' },
    { attribute: 'a', operator: '>', values: [0] },
  ],
  [{ attribute: 'a', operator: 'in', values: ['x', 5] }],
  [
    { attribute: 'a', operator: '!=', values: ['x'] },
    { attribute: 'b', operator: '<=', values: [3] },
  ],
  [{ attribute: 'a', operator: '=', values: ['1'] }],
];
const values = ['x', '', '1', 'it’s', -3, 0, 1, 2.5, 5, 7, 1000, true, false, null, undefined];

/** What the map viewer draws of a point, by the engine that draws it. */
function drawnByEngine(style: MapStyle, attributes: Attributes) {
  const { show, color, pointSize } = declarativeStyle(style, 'point');
  if (show !== undefined && evaluate(show, attributes) !== true) return undefined;
  return { colour: evaluateColour(color!, attributes), pointSize: Number(evaluate(pointSize!, attributes)) };
}

test('features are drawn in the colours and sizes in which the map viewer draws them', () => {
  let drawn = 0;
  for (const colour of colours)
    for (const size of sizes)
      for (const filter of filters)
        for (const a of values)
          for (const b of [undefined, 2]) {
            const style: MapStyle = { colour, ...(size && { size }), ...(filter && { filter }) };
            const attributes = { a, b };
            const own = styleDrawer(style, 'point')((name) => attributes[name as 'a' | 'b']);
            const expected = drawnByEngine(style, attributes);
            const what = JSON.stringify({ style, a, b });
            assert.equal(own?.colour, expected?.colour, what);
            assert.equal(own?.pointSize.toFixed(3), expected?.pointSize.toFixed(3), what);
            if (own) drawn++;
          }
  assert.ok(drawn > 500);
});

test('areas have an outline of a darker shade, unless the style has another or none', () => {
  const colour = colours[0]!;
  const outline = (style: MapStyle) => styleDrawer(style, 'area')(() => undefined)?.outline;
  const { strokeColor } = declarativeStyle({ colour }, 'area');
  assert.deepEqual(outline({ colour }), { colour: evaluateColour(strokeColor!, {}), width: 1 });
  assert.deepEqual(outline({ colour, outline: { colour: '#000000', width: 3 } }), {
    colour: '#000000',
    width: 3,
  });
  assert.equal(outline({ colour, outline: null }), undefined);
});
