import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MapStyle } from '@platen/contract/map-styles';
import { StyleImport } from '@platen/contract/style-files';
import { validateStyleMin, type StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { readStyleFile } from './read-style-file.ts';
import { commonStyle, seen } from './testing-styles.ts';
import { writeStyleFile } from './write-style-file.ts';

const read = async (json: unknown) => {
  const { styles } = await readStyleFile(JSON.stringify(json));
  return styles.map((one) => Object.assign(one, { notes: one.notes.map(({ message }) => message) }));
};

test('a style that was written for Mapbox is valid there, and is read as one that draws the same', async () => {
  await fc.assert(
    fc.asyncProperty(commonStyle(), async ({ style, shape }) => {
      const { text } = writeStyleFile({ style, shape, name: 'Buildings' }, 'mapbox');
      assert.deepEqual(validateStyleMin(JSON.parse(text) as StyleSpecification), [], text);
      const { styles } = await readStyleFile(text);
      const [first] = styles;
      assert.deepEqual([...Value.Errors(MapStyle, first!.style)], []);
      assert.deepEqual(seen(first as never).drawn, seen({ style, shape }).drawn, text);
      assert.deepEqual(first?.notes, []);
    }),
  );
});

test('points, lines and areas of one style are three layers', async () => {
  const style: MapStyle = {
    colour: { type: 'single', colour: '#0e6b78' },
    opacity: 0.5,
    size: { type: 'single', size: 8 },
    outline: { colour: '#ffffff', width: 2 },
  };
  const { text } = writeStyleFile({ style, shape: 'mixed', name: 'All' }, 'mapbox');
  assert.deepEqual(
    (JSON.parse(text) as { layers: { id: string }[] }).layers.map(({ id }) => id),
    ['fill-Polygon', 'line-LineString', 'circle-Point'],
  );
  assert.deepEqual(await read(JSON.parse(text)), [{ name: 'data', shape: 'mixed', style, notes: [] }]);
});

test('layers of one type are rules by their filters, one style for each layer of the source', async () => {
  const road = (id: string, kind: string, colour: string) => ({
    id,
    type: 'line',
    source: 'osm',
    'source-layer': 'roads',
    filter: ['all', ['==', '$type', 'LineString'], ['==', 'class', kind]],
    paint: {
      'line-color': colour,
      'line-width': {
        base: 1.4,
        stops: [
          [6, 0.5],
          [20, 30],
        ],
      },
    },
  });
  const layers = [
    { id: 'land', type: 'background', paint: { 'background-color': '#fff' } },
    {
      id: 'water',
      type: 'fill',
      source: 'osm',
      'source-layer': 'water',
      paint: { 'fill-color': 'hsl(240, 100%, 50%)' },
    },
    road('Motorways', 'motorway', '#f00'),
    road('Streets', 'street', 'rgba(0, 128, 0, 1)'),
  ];
  assert.deepEqual(await read({ version: 8, layers }), [
    {
      name: 'water',
      shape: 'area',
      style: { colour: { type: 'single', colour: '#0000ff' }, opacity: 1, outline: null },
      notes: [],
    },
    {
      name: 'roads',
      shape: 'line',
      style: {
        colour: {
          type: 'categories',
          attribute: 'class',
          categories: [
            { values: ['motorway'], colour: '#ff0000', title: 'Motorways' },
            { values: ['street'], colour: '#008000', title: 'Streets' },
          ],
        },
        opacity: 1,
        size: { type: 'single', size: 30 },
      },
      notes: ['line-width changes with the zoom level: its value at the highest one applies to all.'],
    },
  ]);
});

test('sizes that change with the zoom are read and written, in zooms of tiles of 256 pixels', async () => {
  const width = (value: unknown) => [
    { id: 'a', type: 'line', paint: { 'line-color': '#ff0000', 'line-width': value } },
  ];
  const linear = ['interpolate', ['linear'], ['zoom'], 5, 1, 11, 4];
  const [style] = await read(width(linear));
  assert.deepEqual(style!.style.size, { type: 'single', size: 4 });
  assert.deepEqual(style!.style.zoomSize, { far: 6, near: 12, share: 0.25 });
  assert.deepEqual(style!.notes, []);
  const { layers } = JSON.parse(writeStyleFile({ ...style!, name: 'a' }, 'mapbox').text) as {
    layers: { paint: object }[];
  };
  assert.deepEqual((layers[0]!.paint as { 'line-width': unknown })['line-width'], linear);
  assert.deepEqual(
    writeStyleFile({ ...style!, name: 'a' }, 'sld-1.1').notes.map(({ message }) => message),
    ['Sizes change with the zoom level: those of near zooms are written.'],
  );

  const byAttribute = {
    type: 'continuous',
    attribute: 'lanes',
    from: { value: 1, size: 2 },
    to: { value: 4, size: 8 },
  };
  const sized = { ...style!.style, size: byAttribute, zoomSize: { far: 3, near: 9, share: 0.5 } } as MapStyle;
  const written = JSON.parse(
    writeStyleFile({ style: sized, shape: 'line', name: 'b' }, 'mapbox').text,
  ) as never;
  assert.deepEqual(validateStyleMin(written), []);
  const [again] = await read(written);
  assert.deepEqual([again!.style.size, again!.style.zoomSize], [byAttribute, sized.zoomSize]);

  const former = {
    base: 1.5,
    stops: [
      [4, 2],
      [8, 3],
      [10, 8],
    ],
  };
  const [steep] = await read(width(former));
  assert.deepEqual(steep!.style.zoomSize, { far: 5, near: 11, share: 0.25 });
  assert.deepEqual(steep!.notes, [
    'line-width changes with the zoom level: steadily from its first value to its last one.',
  ]);
  for (const other of [
    ['interpolate', ['linear'], ['zoom'], 5, 0, 11, 4],
    ['step', ['zoom'], 1, 9, 4],
  ]) {
    const [plain] = await read(width(other));
    assert.deepEqual([plain!.style.size, plain!.style.zoomSize], [{ type: 'single', size: 4 }, undefined]);
    assert.match(plain!.notes[0]!, /its value at the highest one applies to all/);
  }
});

test('functions of former versions, outlines and labels are read, other options are noted', async () => {
  const filter = ['has', 'height'];
  const [style] = await read([
    {
      id: 'a',
      type: 'fill',
      filter,
      paint: {
        'fill-color': {
          property: 'height',
          type: 'interval',
          stops: [
            [0, '#aaaaaa'],
            [10, '#bbbbbb'],
            [20, '#cccccc'],
          ],
        },
        'fill-pattern': 'dots',
      },
    },
    { id: 'b', type: 'line', filter, paint: { 'line-color': 'black', 'line-width': 2 } },
    {
      id: 'c',
      type: 'symbol',
      layout: { 'text-field': '{name}', 'text-size': 12, 'text-anchor': 'top', 'text-offset': [0, 1] },
    },
    { id: 'd', type: 'heatmap' },
  ]);
  assert.deepEqual(style, {
    shape: 'area',
    style: {
      colour: {
        type: 'classes',
        attribute: 'height',
        method: 'own',
        breaks: [0, 10, 20, 30],
        colours: ['#aaaaaa', '#bbbbbb', '#cccccc'],
      },
      opacity: 1,
      outline: { colour: '#000000', width: 2 },
      label: { attribute: 'name', size: 12, colour: '#000000', placement: 'below' },
    },
    notes: [
      'heatmap d has no equal and is left out.',
      'fill-pattern has no equal and is left out.',
      'text-offset has no equal and is left out.',
      'Labels have a halo of 1.5 pixels; the file says 0.',
    ],
  });
});

test('what no style can say of attributes and values is left out, so that each style can be stored', async () => {
  const fill = (colour: unknown, filter?: unknown) => ({
    layers: [{ id: 'a', type: 'fill', filter, paint: { 'fill-color': colour } }],
  });
  const long = 'x'.repeat(1001);
  const match = (attribute: string, values: unknown) =>
    fill(['match', ['get', attribute], values, '#ff0000', '#00ff00']);
  const files = [
    match('', 'a'),
    match('x'.repeat(201), 'a'),
    match('a', []),
    match('a', long),
    match('a', [{}]),
    fill('red', ['==', '', 1]),
    fill('red', ['==', 'a', long]),
    fill({ property: '', stops: [[1, 'red']] }),
    fill({ property: 'a', type: 'categorical', stops: [[{}, 'red']] }),
    fill({ stops: [1, null] }),
    fill(['step', ['get', 'a'], 'red', -1.7e308, 'green', 1.7e308, 'blue']),
    {
      layers: [
        { id: `${'x'.repeat(199)}😀`, type: 'fill', source: 's'.repeat(1000), paint: { 'fill-color': {} } },
      ],
    },
  ];
  for (const file of files)
    try {
      const found = await readStyleFile(JSON.stringify(file));
      const asJson = JSON.parse(JSON.stringify(found)) as unknown;
      assert.deepEqual([...Value.Errors(StyleImport, asJson)], [], JSON.stringify(file).slice(0, 200));
      for (const { name = '', notes } of found.styles)
        assert.ok(name.length <= 200 && notes.every(({ message }) => message.isWellFormed()));
    } catch (error) {
      assert.equal((error as Error).name, 'StyleFileError', JSON.stringify(file).slice(0, 200));
    }
});

test('values nested without end are refused with their line and column', async () => {
  const nested = (start: string, inner: string) => start.repeat(100_000) + inner + ']'.repeat(100_000);
  for (const filter of [nested('["!",', '["has","a"]'), nested('["literal",', '"red"'), nested('[', '')])
    await assert.rejects(
      readStyleFile(`{"layers": [\n{"id": "[a\\"", "type": "fill", "filter": ${filter}}]}`),
      /^StyleFileError: Line 2, column \d+: Values are nested more than 64 deep/,
    );
});

test('broken JSON is refused with its line and column', async () => {
  await assert.rejects(readStyleFile('{\n "layers": [}'), /^StyleFileError: Line 2, column 13: /);
  await assert.rejects(readStyleFile('{"layers": ['), /^StyleFileError: Line 1, column 13: /);
  await assert.rejects(readStyleFile('{"type": "FeatureCollection"}'), /no “layers”/);
});
