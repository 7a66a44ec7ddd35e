import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { readStyleFile } from './read-style-file.ts';
import { writeStyleFile } from './write-style-file.ts';

const sld = (styles: string) =>
  `<StyledLayerDescriptor version="1.0.0"><NamedLayer>${styles}</NamedLayer></StyledLayerDescriptor>`;
const style = (rules: string) => `<UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle>`;
const fill =
  '<PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></PolygonSymbolizer>';
const rule = (title: string, condition: string, symbol = fill) =>
  `<Rule><Title>${title}</Title>${condition}${symbol}</Rule>`;
const filter = (tests: string) => `<Filter>${tests}</Filter>`;
const compare = (name: string, value: string | number) =>
  `<PropertyIs${name}><PropertyName>a</PropertyName><Literal>${value}</Literal></PropertyIs${name}>`;
const equalTo = (value: string) => filter(compare('EqualTo', value));

async function notesOf(text: string): Promise<string[]> {
  const { styles } = await readStyleFile(text);
  return styles[0]!.notes.map(({ message }) => message);
}
const fillColour = (expression: unknown, further: object = {}) =>
  JSON.stringify({ layers: [{ id: 'a', type: 'fill', paint: { 'fill-color': expression }, ...further }] });

test('a rule for the rest is noted unless it is exactly for what no other rule names', async () => {
  const notesWith = (rest: string) =>
    notesOf(sld(style(rule('x', equalTo('x')) + rule('y', equalTo('y')) + rule('Rest', rest))));
  const noted = [
    'The rule “Rest” applies to all values that no other rule names, although its condition says otherwise.',
  ];
  const not = (tests: string) => filter(`<Not>${tests}</Not>`);
  const either = `<Or>${compare('EqualTo', 'x')}${compare('EqualTo', 'y')}</Or>`;
  assert.deepEqual(await notesWith('<ElseFilter/>'), []);
  assert.deepEqual(await notesWith(not(either)), []);
  assert.deepEqual(await notesWith(not(compare('EqualTo', 'x'))), noted);
  assert.deepEqual(
    await notesWith(filter('<PropertyIsNull><PropertyName>a</PropertyName></PropertyIsNull>')),
    noted,
  );
  assert.deepEqual(await notesWith(''), noted);
});

test('classes that overlap are noted, and those that nothing is in are left out', async () => {
  const range = (title: string, from: number, to: number) =>
    rule(title, filter(`<And>${compare('GreaterThanOrEqualTo', from)}${compare('LessThan', to)}</And>`));
  const ends = 'Values beyond the outer classes are drawn like these.';
  assert.deepEqual(await notesOf(sld(style(range('a', 0, 10) + range('b', 10, 20)))), [ends]);
  assert.deepEqual(await notesOf(sld(style(range('a', 0, 15) + range('b', 10, 20)))), [
    ends,
    'Classes overlap: a value belongs to the last one that begins before it.',
  ]);
  assert.match(
    (await notesOf(sld(style(range('a', 0, 10) + range('Empty', 20, 15))))).join(),
    /“Empty” is left out/,
  );
});

test('halos, joins of lines, fonts and places of symbols that maps do not have are noted', async () => {
  const label = (more: string) =>
    `${fill}<TextSymbolizer><Label><PropertyName>n</PropertyName></Label>${more}</TextSymbolizer>`;
  const halo = (radius: number) => `<Halo><Radius>${radius}</Radius></Halo>`;
  const notesWith = (more: string) => notesOf(sld(style(rule('x', '', label(more)))));
  const pixels = (width: number) => [`Labels have a halo of 1.5 pixels; the file says ${width}.`];
  assert.deepEqual(await notesWith(halo(1.5)), []);
  assert.deepEqual(await notesWith(halo(2)), pixels(2));
  assert.deepEqual(await notesWith(''), pixels(0));
  assert.deepEqual(
    await notesWith(`${halo(1.5)}<Font><CssParameter name="font-family">Arial</CssParameter></Font>`),
    ['font-family Arial has no equal and is left out.'],
  );
  const line = (join: string) =>
    `<LineSymbolizer><Geometry><Function name="offset"/></Geometry><Stroke><CssParameter name="stroke-linejoin">${join}</CssParameter></Stroke></LineSymbolizer>`;
  assert.deepEqual(await notesOf(sld(style(rule('x', '', line('bevel'))))), [
    'LineSymbolizer/Geometry has no equal and is left out.',
    'stroke-linejoin has no equal and is left out.',
  ]);
  assert.deepEqual(
    await notesOf(fillColour('red', { layout: { 'fill-sort-key': 1, visibility: 'visible' } })),
    ['fill-sort-key has no equal and is left out.'],
  );
  assert.deepEqual(await notesOf(fillColour(['step', ['get', 'a'], 'rgba(1,2,3,0.5)', 5, 'red'])), [
    'fill-color (alpha) has no equal and is left out.',
  ]);
});

test('fonts, places, ranks and zooms of labels are in styles of Mapbox; others note what they lack', async () => {
  const label = {
    attribute: 'name',
    size: 14,
    font: 'serif',
    isBold: true,
    colour: '#112233',
    haloColour: '#ffffff',
    placement: 'left',
    rank: { attribute: 'people', first: 'highest' },
    minZoom: 9,
  } satisfies MapStyle['label'];
  const style = {
    style: { colour: { type: 'single', colour: '#ff0000' }, label },
    shape: 'point',
    name: 'x',
  } as const;
  const mapbox = writeStyleFile(style, 'mapbox');
  assert.deepEqual(mapbox.notes, []);
  const { styles } = await readStyleFile(mapbox.text);
  assert.deepEqual(styles[0]!.style.label, label);
  assert.deepEqual(styles[0]!.notes, []);
  for (const format of ['sld-1.0', 'sld-1.1', 'qml'] as const) {
    const { text, notes } = writeStyleFile(style, format);
    assert.deepEqual(
      notes.map(({ values }) => values['what']),
      ['placement', 'rank', 'minZoom'],
    );
    const read = await readStyleFile(text);
    const { placement: _, rank: __, minZoom: ___, ...shared } = label;
    assert.deepEqual(read.styles[0]!.style.label, shared);
  }
});

test('of more than 50 styles the others are noted', async () => {
  const { styles } = await readStyleFile(sld(style(rule('x', '')).repeat(51)));
  assert.equal(styles.length, 50);
  const layers = Array.from({ length: 51 }, (_, i) => ({ id: 'a', type: 'fill', source: `${i}` }));
  const read = await readStyleFile(JSON.stringify({ layers }));
  for (const { notes } of [...styles, ...read.styles])
    assert.deepEqual(
      notes.map(({ message }) => message),
      ['Only the first 50 of 51 styles are kept.'],
    );
});

test('an export notes names of palettes and methods, and legend texts that the format lacks', () => {
  const colour = {
    type: 'classes',
    attribute: 'a',
    palette: 'viridis',
    method: 'natural',
    breaks: [0, 1],
    colours: ['#ff0000'],
    noValue: { colour: '#888888', title: 'Unknown' },
  } satisfies MapStyle['colour'];
  const codes = (format: 'sld-1.1' | 'mapbox') =>
    writeStyleFile({ style: { colour }, shape: 'area', name: 'x' }, format).notes.map(({ code, values }) => [
      code,
      values['what'],
    ]);
  assert.deepEqual(codes('sld-1.1'), [['palette', undefined]]);
  assert.deepEqual(codes('mapbox'), [
    ['palette', undefined],
    ['leftOut', 'Legend text'],
  ]);
});
