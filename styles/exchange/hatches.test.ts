import { hatchTypes, MapStyle, type Hatch } from '@platen/contract/map-styles';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { readStyleFile } from './read-style-file.ts';
import { writeStyleFile } from './write-style-file.ts';

const styleWith = (hatch: Hatch): MapStyle => ({
  colour: { type: 'single', colour: '#88aa66' },
  opacity: 0.5,
  outline: { colour: '#224411', width: 2 },
  hatch,
});

test('hatches are written as SLD and QML, and read again', async () => {
  for (const type of hatchTypes)
    for (const format of ['sld-1.0', 'sld-1.1', 'qml'] as const) {
      const style = styleWith({
        type,
        colour: '#112233',
        ...(format !== 'qml' && { width: 2, spacing: 12 }),
      });
      const { text, notes } = writeStyleFile({ style, shape: 'area', name: 'Forest' }, format);
      assert.deepEqual(
        notes.map(({ values }) => values['what']),
        format === 'qml' ? ['Hatch size'] : [],
      );
      const { styles } = await readStyleFile(text);
      assert.deepEqual(styles, [{ ...styles[0], style, shape: 'area', notes: [] }], text);
      assert.deepEqual([...Value.Errors(MapStyle, styles[0]!.style)], []);
    }
});

test('the hatches of categories are written as SLD and QML, and read again', async () => {
  const [slash, dots]: Hatch[] = [
    { type: 'slash', colour: '#112233', width: 2, spacing: 12 },
    { type: 'cross', colour: '#445566', width: 1, spacing: 8 },
  ];
  const categories = [
    { values: ['a'], colour: '#88aa66', hatch: slash! },
    { values: ['b'], colour: '#aa8866', hatch: dots! },
    { values: ['c'], colour: '#6688aa' },
  ];
  const style: MapStyle = { colour: { type: 'categories', attribute: 'use', categories } };
  for (const format of ['sld-1.1', 'qml'] as const) {
    const { text } = writeStyleFile({ style, shape: 'area', name: 'Forest' }, format);
    const { colour } = (await readStyleFile(text)).styles[0]!.style;
    assert.ok(colour.type === 'categories');
    assert.deepEqual(
      colour.categories.map(({ hatch }) => hatch?.type),
      ['slash', 'cross', undefined],
      format,
    );
    assert.equal(colour.categories[0]!.hatch!.colour, '#112233');
  }
});

test('styles of Mapbox leave the hatch out, and say so', () => {
  const { notes } = writeStyleFile(
    { style: styleWith({ type: 'cross' }), shape: 'area', name: 'Forest' },
    'mapbox',
  );
  assert.deepEqual(
    notes.map(({ message }) => message),
    ['Hatch has no equal and is left out.'],
  );
});

test('a hatch alone has no fill, and each category keeps its own', async () => {
  const fill = (mark: string, value: string) =>
    `<Rule><Filter><PropertyIsEqualTo><PropertyName>use</PropertyName><Literal>${value}</Literal></PropertyIsEqualTo></Filter><PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>${mark}</WellKnownName><Stroke><CssParameter name="stroke">#112233</CssParameter></Stroke></Mark><Size>400</Size></Graphic></GraphicFill></Fill></PolygonSymbolizer></Rule>`;
  const sld = (rules: string) =>
    `<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  const [one] = (await readStyleFile(sld(fill('shape://slash', 'wood')))).styles;
  assert.deepEqual(
    [one!.style.hatch, one!.style.opacity],
    [{ type: 'slash', colour: '#112233', width: 1, spacing: 100 }, 0],
  );
  const [two] = (await readStyleFile(sld(fill('shape://slash', 'a') + fill('shape://plus', 'b')))).styles;
  const { colour, hatch } = two!.style;
  assert.ok(colour.type === 'categories');
  assert.deepEqual(
    [hatch, two!.notes, colour.categories.map((category) => category.hatch?.type)],
    [undefined, [], ['slash', 'cross']],
  );
  const [three] = (await readStyleFile(sld(fill('star', 'a')))).styles;
  assert.deepEqual(
    three!.notes.map(({ values }) => values['what']),
    ['Fill/GraphicFill'],
  );
});
