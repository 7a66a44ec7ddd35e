import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { styleItem } from '../style-item.ts';
import { compileForPoints, evaluate, evaluateColour } from '../testing-cesium.ts';
import { declarativeStyle } from '../declarative-style.ts';
import { pointAttributes } from './point-attributes.ts';
import { readPointStyle } from './read-point-style.ts';

const legend = (rows: readonly (readonly [title: string, colour: string])[]) => ({
  legend: [
    {
      type: 'StyleLegendItem',
      rows: rows.map(([title, color]) => ({ type: 'FillLegendRow', title, fill: { color } })),
    },
  ],
});

/** As jobs write them. */
const classes = {
  type: 'DeclarativeStyleItem',
  name: 'Classification',
  declarativeStyle: {
    color: {
      conditions: [
        ['${CLASSIFICATION} === 2', "color('#a5713c')"],
        ['${CLASSIFICATION} === 7', "color('#ff00ff')"],
        ['true', "color('#b8b8b8')"],
      ],
    },
    show: '${CLASSIFICATION} !== 7',
  },
  properties: legend([['Ground', '#a5713c']]),
};
const change = {
  type: 'DeclarativeStyleItem',
  name: 'Change',
  declarativeStyle: {
    color: {
      conditions: [
        ['${DISTANCE} < 0.05', "color('#c9ced6')"],
        ['${DISTANCE} < 2', "color('#fee391')"],
        ['true', "color('#8c2d04')"],
      ],
    },
  },
  properties: legend([
    ['< 0.05 m', '#c9ced6'],
    ['< 2 m', '#fee391'],
    ['≥ 2 m', '#8c2d04'],
  ]),
};
const grey = 'clamp((${INTENSITY} - 96.0) / 4000.0, 0.1, 1.0) * 255.0';
const intensity = {
  type: 'DeclarativeStyleItem',
  name: 'Intensity',
  declarativeStyle: { color: `rgb(${grey}, ${grey}, ${grey})` },
};
const own = { type: 'DeclarativeStyleItem', name: 'Colour', declarativeStyle: { color: '${COLOR}' } };

test('styles that jobs give to points are read as rules that draw the same', () => {
  const examples = [
    { CLASSIFICATION: 2, DISTANCE: 0.01, INTENSITY: 0 },
    { CLASSIFICATION: 7, DISTANCE: 0.05, INTENSITY: 2096 },
    { CLASSIFICATION: 9, DISTANCE: 3, INTENSITY: 65_535 },
  ];
  for (const item of [classes, change, intensity]) {
    const read = readPointStyle(item)!;
    const drawn = declarativeStyle(read, 'cloud');
    for (const point of examples) {
      const { color, show } = item.declarativeStyle as typeof classes.declarativeStyle;
      assert.equal(evaluateColour(drawn['color']!, point), evaluateColour(color as never, point), item.name);
      if (show !== undefined) assert.equal(evaluate(drawn['show']!, point), evaluate(show, point));
    }
  }
  assert.deepEqual(readPointStyle(own)!.colour, { type: 'single', colour: '#888888', isOwn: true });
  const { colour } = readPointStyle(classes)!;
  assert.deepEqual(colour.type === 'categories' && colour.categories.map(({ title }) => title), [
    'Ground',
    undefined,
  ]);
});

test('a style that was saved is read as it was made, and other expressions are not read', () => {
  const style: MapStyle = {
    colour: { type: 'single', colour: '#888888', isOwn: true },
    size: { type: 'single', size: 3 },
  };
  const item = styleItem(style, 'cloud', { locale: 'en', others: '', noValue: '' });
  assert.deepEqual(readPointStyle(item), style);
  const others = [
    { color: "color('red')" },
    {
      color: {
        conditions: [
          ['${A} > 2', "color('#000000')"],
          ['true', "color('#ffffff')"],
        ],
      },
    },
    { color: { conditions: [['true', "color('#ffffff')"]] } },
    { color: '${COLOR}', show: '${A} > 2' },
    { color: '${COLOR}', pointSize: '5' },
  ];
  for (const declarativeStyle of others)
    assert.equal(readPointStyle({ type: 'DeclarativeStyleItem', declarativeStyle }), undefined);
});

test('every style of points can be drawn by the shader of the engine', () => {
  const attribute = 'HEIGHT';
  const colours: MapStyle['colour'][] = [
    { type: 'single', colour: '#336699' },
    { type: 'single', colour: '#888888', isOwn: true },
    { type: 'categories', attribute, categories: [{ values: [1, 2], colour: '#112233' }] },
    { type: 'classes', attribute, breaks: [0, 1, 2], colours: ['#111111', '#222222'] },
    {
      type: 'continuous',
      attribute,
      stops: [
        { value: -1, colour: '#000000' },
        { value: 2, colour: '#ffffff' },
      ],
      noValue: { colour: '#999999' },
    },
  ];
  const filter: MapStyle['filter'] = [
    { attribute, operator: '>=', values: [-2] },
    { attribute, operator: '=', values: [2] },
    { attribute, operator: '!=', values: [7] },
    { attribute, operator: 'in', values: [2, 6] },
    { attribute, operator: 'notIn', values: [7, 18] },
    { attribute, operator: 'exists' },
    { attribute, operator: 'missing' },
  ];
  for (const colour of colours)
    for (const opacity of [1, 0.5]) {
      const style: MapStyle = { colour, opacity, filter, size: { type: 'single', size: 2 } };
      const drawing = declarativeStyle(style, 'cloud');
      assert.doesNotThrow(() => compileForPoints(drawing), colour.type);
      assert.deepEqual(Object.keys(drawing).toSorted(), ['color', 'pointSize', 'show']);
    }
});

test('attributes of points are known by the styles that the job made, and by their kind', () => {
  const fields = ['CLASSIFICATION', 'INTENSITY', 'HEIGHT', 'SCAN_ANGLE', 'GPS_TIME'].map((name) => ({
    name,
    type: 'number',
  }));
  const [code, strength, height, angle, time] = pointAttributes(fields, [classes, intensity], [300, 340]);
  assert.deepEqual(code!.values, [2, 7]);
  assert.equal(code!.usualColours?.type, 'categories');
  assert.deepEqual([strength!.min, strength!.max], [496, 4096]);
  assert.deepEqual([height!.min, height!.max], [300, 340]);
  assert.deepEqual([angle!.min, angle!.max], [-90, 90]);
  assert.deepEqual([time!.min, time!.count], [undefined, 100]);
});
