import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStyleFile } from './read-style-file.ts';

const se = (rules: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor xmlns="http://www.opengis.net/sld" version="1.1.0" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc">
<NamedLayer><se:Name>x</se:Name><UserStyle><se:Name>x</se:Name><se:FeatureTypeStyle>${rules}</se:FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
const sld = (content: string) =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
<NamedLayer><Name>layer</Name><UserStyle><Title>Cookbook</Title>${content}</UserStyle></NamedLayer></StyledLayerDescriptor>`;
const rule = (content: string) => `<Rule>${content}</Rule>`;
const css = (name: string, value: string | number) => `<CssParameter name="${name}">${value}</CssParameter>`;
const compare = (name: string, attribute: string, value: string | number) =>
  `<ogc:${name}><ogc:PropertyName>${attribute}</ogc:PropertyName><ogc:Literal>${value}</ogc:Literal></ogc:${name}>`;
const filter = (content: string) => `<ogc:Filter>${content}</ogc:Filter>`;
const and = (content: string) => `<ogc:And>${content}</ogc:And>`;
const area = (colour: string) => `<PolygonSymbolizer><Fill>${css('fill', colour)}</Fill></PolygonSymbolizer>`;

async function readOne(text: string) {
  const { styles } = await readStyleFile(text);
  assert.equal(styles.length, 1);
  const { notes, ...read } = styles[0]!;
  return { ...read, notes: notes.map(({ message }) => message) };
}

const svg = (name: string, value: string | number) =>
  `<se:SvgParameter name="${name}">${value}</se:SvgParameter>`;
const qgisArea = (colour: string) =>
  `<se:PolygonSymbolizer><se:Fill>${svg('fill', colour)}${svg('fill-opacity', 0.8)}</se:Fill><se:Stroke>${svg('stroke', '#232323')}${svg('stroke-opacity', 0.8)}${svg('stroke-width', 1)}${svg('stroke-linejoin', 'bevel')}</se:Stroke></se:PolygonSymbolizer>`;
const qgisRule = (name: string, condition: string, colour: string) =>
  `<se:Rule><se:Name>${name}</se:Name><se:Description><se:Title>${name}</se:Title></se:Description>${filter(condition)}${qgisArea(colour)}</se:Rule>`;

test('graduated symbols of QGIS are classes', async () => {
  const range = (lower: string, from: number, to: number, colour: string) =>
    qgisRule(
      `${from} - ${to}`,
      and(compare(lower, 'height', from) + compare('PropertyIsLessThanOrEqualTo', 'height', to)),
      colour,
    );
  const text = se(
    range('PropertyIsGreaterThanOrEqualTo', 0, 10, '#111111') +
      range('PropertyIsGreaterThan', 10, 20, '#222222') +
      range('PropertyIsGreaterThan', 20, 30, '#333333'),
  );
  assert.deepEqual(await readOne(text), {
    name: 'x',
    shape: 'area',
    style: {
      colour: {
        type: 'classes',
        attribute: 'height',
        method: 'own',
        breaks: [0, 10, 20, 30],
        colours: ['#111111', '#222222', '#333333'],
        titles: ['0 - 10', '10 - 20', '20 - 30'],
      },
      opacity: 0.8,
      outline: { colour: '#232323', width: 1 },
    },
    notes: [
      'stroke-linejoin has no equal and is left out.',
      'stroke-opacity has no equal and is left out.',
      'Values beyond the outer classes are drawn like these.',
      'Values exactly at a break belong to the class that begins there.',
    ],
  });
});

test('categorised symbols of QGIS are categories, the empty one is for others', async () => {
  const empty = `<ogc:Or>${compare('PropertyIsEqualTo', 'use', '')}<ogc:PropertyIsNull><ogc:PropertyName>use</ogc:PropertyName></ogc:PropertyIsNull></ogc:Or>`;
  const { style, notes } = await readOne(
    se(
      qgisRule('Homes', compare('PropertyIsEqualTo', 'use', 'home'), '#ff0000') +
        qgisRule('5', compare('PropertyIsEqualTo', 'use', 5), '#00ff00') +
        qgisRule('Rest', empty, '#888888'),
    ),
  );
  assert.deepEqual(style.colour, {
    type: 'categories',
    attribute: 'use',
    categories: [
      { values: ['home'], colour: '#ff0000', title: 'Homes' },
      { values: [5], colour: '#00ff00' },
    ],
    others: { colour: '#888888', title: 'Rest' },
  });
  assert.match(notes.join(), /The rule “Rest” applies to all values that no other rule names/);
});

test('sizes by classes in the form of the cookbook of GeoServer are sizes', async () => {
  const point = (size: number) =>
    `<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill>${css('fill', '#0033CC')}</Fill></Mark><Size>${size}</Size></Graphic></PointSymbolizer>`;
  const rules =
    rule(`<Name>Small</Name>${filter(compare('PropertyIsLessThan', 'pop', 50_000))}${point(8)}`) +
    rule(
      `<Name>Medium</Name>${filter(and(compare('PropertyIsGreaterThanOrEqualTo', 'pop', 50_000) + compare('PropertyIsLessThan', 'pop', 100_000)))}${point(12)}`,
    ) +
    rule(
      `<Name>Large</Name>${filter(compare('PropertyIsGreaterThanOrEqualTo', 'pop', 100_000))}${point(16)}`,
    );
  assert.deepEqual(await readOne(sld(`<FeatureTypeStyle>${rules}</FeatureTypeStyle>`)), {
    name: 'Cookbook',
    shape: 'point',
    style: {
      colour: { type: 'single', colour: '#0033cc' },
      opacity: 1,
      size: { type: 'classes', attribute: 'pop', breaks: [0, 50_000, 100_000, 150_000], sizes: [8, 12, 16] },
      outline: null,
      filter: [{ attribute: 'pop', operator: 'exists' }],
    },
    notes: [],
  });
});

test('zoom-dependent rules, further symbols, patterns and labels by expression are noted', async () => {
  const line = (colour: string, width: number, more = '') =>
    `<LineSymbolizer><Stroke>${css('stroke', colour)}${css('stroke-width', width)}${more}</Stroke></LineSymbolizer>`;
  const rules =
    rule(
      `<MaxScaleDenominator>1000</MaxScaleDenominator>${line('#333333', 5)}${line('#6699FF', 3, css('stroke-dasharray', '5 2'))}`,
    ) +
    rule(
      `<Name>Far</Name><MinScaleDenominator>1000</MinScaleDenominator>${line('#6699FF', 1)}<TextSymbolizer><Label><ogc:Function name="strConcat"/></Label></TextSymbolizer>`,
    );
  const { style, notes } = await readOne(sld(`<FeatureTypeStyle>${rules}</FeatureTypeStyle>`));
  assert.deepEqual(style, {
    colour: { type: 'single', colour: '#6699ff' },
    opacity: 1,
    size: { type: 'single', size: 3 },
  });
  assert.deepEqual(notes, [
    'The limits of scale of the rules are left out: they are settings of a layer.',
    'stroke-dasharray has no equal and is left out.',
    'Symbolizer is left out: a style has one symbol for each feature.',
    'TextSymbolizer/Label has no equal and is left out.',
    'The rule “Far” is left out: its condition cannot be expressed by the values of one attribute.',
  ]);
});

test('rules of other attributes and unknown conditions are left out by name', async () => {
  const like =
    '<ogc:PropertyIsLike><ogc:PropertyName>n</ogc:PropertyName><ogc:Literal>A*</ogc:Literal></ogc:PropertyIsLike>';
  const { style, notes } = await readOne(
    sld(
      `<FeatureTypeStyle>${rule(filter(compare('PropertyIsEqualTo', 'use', 'a')) + area('#111111'))}${rule(
        filter(compare('PropertyIsEqualTo', 'use', 'b')) + area('#222222'),
      )}${rule(`<Title>Tall</Title>${filter(compare('PropertyIsGreaterThan', 'height', 9))}${area('#333333')}`)}${rule(
        `<Title>A</Title>${filter(like)}${area('#444444')}`,
      )}</FeatureTypeStyle>`,
    ),
  );
  assert.deepEqual(
    style.colour.type === 'categories' && style.colour.categories.map(({ values }) => values),
    [['a'], ['b']],
  );
  assert.deepEqual(notes, [
    'The rule “A” is left out: its condition cannot be expressed by the values of one attribute.',
    'The rule “Tall” is left out: its condition cannot be expressed by the values of one attribute.',
  ]);
});

test('functions of GeoServer and of Symbology Encoding are scales and classes', async () => {
  const interpolate =
    '<ogc:Function name="Interpolate"><ogc:PropertyName>p</ogc:PropertyName><ogc:Literal>0</ogc:Literal><ogc:Literal>#fefeee</ogc:Literal><ogc:Literal>9</ogc:Literal><ogc:Literal>#00ff00</ogc:Literal><ogc:Literal>color</ogc:Literal></ogc:Function>';
  const { style } = await readOne(sld(`<FeatureTypeStyle>${rule(area(interpolate))}</FeatureTypeStyle>`));
  assert.deepEqual(style.colour, {
    type: 'continuous',
    attribute: 'p',
    stops: [
      { value: 0, colour: '#fefeee' },
      { value: 9, colour: '#00ff00' },
    ],
  });
  const recode =
    '<se:Recode fallbackValue="#808080"><se:LookupValue><ogc:PropertyName>z</ogc:PropertyName></se:LookupValue><se:MapItem><se:Data>1</se:Data><se:Value>#00FF00</se:Value></se:MapItem></se:Recode>';
  const encoded = await readOne(
    se(
      `<se:Rule><se:PolygonSymbolizer><se:Fill><se:SvgParameter name="fill">${recode}</se:SvgParameter></se:Fill></se:PolygonSymbolizer></se:Rule>`,
    ),
  );
  assert.deepEqual(encoded.style.colour, {
    type: 'categories',
    attribute: 'z',
    categories: [{ values: [1], colour: '#00ff00' }],
    others: { colour: '#808080' },
  });
});
