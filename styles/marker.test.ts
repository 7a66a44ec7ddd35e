import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { declarativeStyle } from './declarative-style.ts';
import { legendOf } from './legend.ts';
import { evaluate, type Attributes } from './testing-cesium.ts';

const square = { name: 'square', path: 'M2 2H13V13H2Z' };
const star = { name: 'star', path: 'M1 1L14 14' };
const words = { locale: 'en', others: 'Other', noValue: 'No value' };

/** The SVG picture that a style gives a point with these attributes. */
function pictureOf(style: MapStyle, attributes: Attributes): string {
  const image = String(evaluate(declarativeStyle(style, 'point')['image']!, attributes));
  assert.match(image, /^data:image\/svg\+xml,[^'<"]*$/);
  return decodeURIComponent(image.replace(/^[^,]*,/, ''));
}

test('points are markers in the colour and with the icon of their category', () => {
  const style: MapStyle = {
    colour: {
      type: 'categories',
      attribute: 'use',
      categories: [
        { values: ['school'], colour: '#112233', icon: star },
        { values: ["o'clock"], colour: '#ffee88' },
      ],
      others: { colour: '#445566' },
    },
    icon: square,
    outline: null,
  };
  assert.match(pictureOf(style, { use: 'school' }), /fill="#112233".*fill="#ffffff" d="M1 1L14 14"/);
  assert.match(pictureOf(style, { use: "o'clock" }), /fill="#ffee88".*fill="#24323a" d="M2 2H13V13H2Z"/);
  assert.match(pictureOf(style, {}), /fill="#445566".*d="M2 2H13V13H2Z"/);
  assert.doesNotMatch(pictureOf(style, {}), /stroke/);
  assert.deepEqual(
    legendOf(style, 'point', words)[0]!.rows.map(({ type, title }) => [type, title]),
    [
      ['IconLegendRow', 'school'],
      ['IconLegendRow', "o'clock"],
      ['IconLegendRow', 'Other'],
    ],
  );
});

test('a continuous scale gives markers the colour of the nearest stop, and an outline', () => {
  const style: MapStyle = {
    colour: {
      type: 'continuous',
      attribute: 'height',
      stops: [
        { value: 0, colour: '#000000' },
        { value: 10, colour: '#888888' },
        { value: 20, colour: '#ffffff' },
      ],
      noValue: { colour: '#123456' },
    },
    icon: square,
  };
  const colours = [-5, 4, 6, 14, 16, 90, 'x'].map(
    (height) => /fill="(#\w+)"/.exec(pictureOf(style, { height }))?.[1],
  );
  assert.deepEqual(colours, ['#000000', '#000000', '#888888', '#888888', '#ffffff', '#ffffff', '#123456']);
  assert.match(pictureOf(style, {}), /stroke="#ffffff" stroke-width="1.5"/);
});

test('markers are as large as the style says, and lines and areas have none', () => {
  const style: MapStyle = {
    colour: { type: 'single', colour: '#0e6b78' },
    icon: square,
    size: {
      type: 'continuous',
      attribute: 'n',
      from: { value: 0, size: 16 },
      to: { value: 10, size: 48 },
    },
  };
  const { scale } = declarativeStyle(style, 'point');
  const sizes = [0, 5, 99, null].map((n) => Number(evaluate(scale!, { n })) * 64);
  assert.deepEqual(sizes, [16, 32, 48, 16]);
  const { size: _, ...plain } = style;
  assert.equal(Number(evaluate(declarativeStyle(plain, 'mixed')['scale']!, {})) * 64, 24);
  for (const shape of ['line', 'area', 'object'] as const)
    assert.deepEqual(Object.keys(declarativeStyle(style, shape)).includes('image'), false, shape);
});
