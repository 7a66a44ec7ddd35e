import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { findingCodes, type Content } from './findings.ts';
import { knownBy, validateModule } from './validate.ts';

const known = knownBy('6.3.11');

const errorsOf = (content: Content) =>
  validateModule(content, known)
    .errors.map(({ pointer, code }) => `${pointer} ${code}`)
    .toSorted();
const warningsOf = (content: Content) => {
  const { errors, warnings } = validateModule(content, known);
  assert.deepEqual(errors, []);
  return warnings.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
};
const layer = (fields: object) => ({ type: 'GeoJSONLayer', name: 'a', url: '/a.json', ...fields });
const item = (fields: object) => ({ type: 'NodeContentTreeItem', name: 'a', ...fields });

test('what would end the start of the whole app is an error at its place', () => {
  const errors = errorsOf({
    projection: { epsg: 'a place' },
    plugins: [{ name: 'p', entry: 'http://[' }],
    flights: [
      { name: 'f', anchors: {} },
      { name: 'g', anchors: [{ type: 'Feature' }, null] },
    ],
    clippingPolygons: [
      { name: 'c', coordinates: [[1, 2]] },
      { name: 'd', coordinates: [[1, 2], [3], 'x'] },
      {
        name: 'e',
        coordinates: [
          [1, 2],
          [1, 3],
          [2, 3],
        ],
        layerNames: 'every',
      },
    ],
    obliqueCollections: [{ name: 'o', dataSets: [{ url: 5 }, null] }],
    layers: [layer({ featureProvider: { type: 'CompositeFeatureProvider', featureProviders: {} } })],
  });
  assert.deepEqual(errors, [
    '/clippingPolygons/0/coordinates required',
    '/clippingPolygons/1/coordinates required',
    '/clippingPolygons/2/layerNames type',
    '/flights/0/anchors type',
    '/flights/1/anchors/0/geometry required',
    '/flights/1/anchors/1/geometry required',
    '/layers/0/featureProvider/attributeProviders required',
    '/layers/0/featureProvider/featureProviders required',
    '/obliqueCollections/0/dataSets/0/url required',
    '/obliqueCollections/0/dataSets/1/url required',
    '/plugins/0/entry type',
    '/projection/epsg required',
  ]);
});

test('viewpoints off the Earth are dropped by the map viewer, and refused', () => {
  const errors = errorsOf({
    viewpoints: [
      { name: 'a', groundPosition: [52.5, 113.4], distance: 5 },
      { name: 'b', groundPosition: [392_000, 5_820_000], distance: 5 },
      { name: 'c', cameraPosition: [13, 52] },
      { name: 'd', cameraPosition: [13, 52, 100, 7] },
      { name: 'e', groundPosition: [13, 52, 1, 1] },
      { name: 'f', extent: { coordinates: [1, 2, 3, 4] } },
      { name: 'g', groundPosition: ['13', 52] },
      { name: 'fine', cameraPosition: [-180, 90, 1e9], heading: null, groundPosition: null },
    ],
  });
  assert.deepEqual(errors, [
    '/viewpoints/0/groundPosition type',
    '/viewpoints/1/groundPosition type',
    '/viewpoints/2/cameraPosition type',
    '/viewpoints/3/cameraPosition type',
    '/viewpoints/4/groundPosition type',
    '/viewpoints/5 incomplete',
    '/viewpoints/6/groundPosition type',
  ]);
  const swapped = validateModule({ viewpoints: [{ name: 'a', groundPosition: [52.5, 113.4] }] }, known);
  assert.match(swapped.errors[0]!.detail, /longitude and latitude swapped/);
});

test('a viewpoint whose coordinates seem swapped is told from the extents of the layers', () => {
  const berlin = { coordinates: [13.1, 52.3, 13.7, 52.7], projection: { epsg: 4326 } };
  const content = (groundPosition: number[], extent: object = berlin) => ({
    layers: [layer({ extent })],
    viewpoints: [{ name: 'v', groundPosition, distance: 500 }],
  });
  assert.deepEqual(warningsOf(content([52.5, 13.4])), ['/viewpoints/0/groundPosition swapped']);
  assert.deepEqual(warningsOf(content([13.4, 52.5])), []);
  assert.deepEqual(warningsOf(content([2.3, 48.9])), []);
  const world = { coordinates: [-180, -90, 180, 90] };
  assert.deepEqual(warningsOf(content([52.5, 13.4], world)), []);
  const utm = { coordinates: [13, 52, 14, 53], projection: { epsg: 32633 } };
  assert.deepEqual(warningsOf(content([52.5, 13.4], utm)), []);
});

test('projections need a definition unless the engine knows them, or the module defined them', () => {
  const proj4 = '+proj=utm +zone=33 +ellps=GRS80 +units=m +no_defs';
  const of = (projection: unknown) => ({ layers: [layer({ projection })] });
  assert.deepEqual(warningsOf(of({ epsg: 25833 })), ['/layers/0/projection/epsg unknownProjection']);
  assert.deepEqual(warningsOf(of({ epsg: 'epsg:25833', proj4 })), []);
  assert.deepEqual(warningsOf(of({ epsg: 'EPSG:32633' })), []);
  assert.deepEqual(warningsOf({ ...of({ epsg: 25833 }), projection: { epsg: 25833, proj4 } }), []);
  assert.deepEqual(warningsOf({ projection: { epsg: 25833 } }), ['/projection/epsg unknownProjection']);
  // the module's own comes first, so a layer that defines it comes too late
  assert.deepEqual(warningsOf({ ...of({ epsg: 25833, proj4 }), projection: { epsg: 25833 } }), [
    '/projection/epsg unknownProjection',
  ]);
  assert.deepEqual(errorsOf(of('EPSG:25833')), ['/layers/0/projection type']);
  assert.deepEqual(errorsOf(of({ epsg: 25833, proj4: 'utm 33' })), ['/layers/0/projection/proj4 type']);
  assert.deepEqual(errorsOf(of({ epsg: {} })), ['/layers/0/projection/epsg required']);
  const old = validateModule(of({ epsg: 32633 }), knownBy('5.0.2'));
  assert.deepEqual(
    old.warnings.map(({ code }) => code),
    ['unknownType', 'unknownProjection'].slice(1),
  );
});

test('colours are those that the map viewer reads, which are fewer than those of CSS', () => {
  const of = (color: unknown) =>
    warningsOf({ styles: [{ type: 'VectorStyleItem', name: 's', fill: { color } }] });
  const unread = ['/styles/0/fill/color unknownColour'];
  for (const colour of [
    '#fff',
    '#FF8800',
    'rgb(1, 2, 3)',
    'rgba(0,0,255,0.5)',
    'rgba(0, 0, 255, 1)',
    [1, 2, 3],
    [1, 2, 3, 0.5],
    null,
  ])
    assert.deepEqual(of(colour), [], JSON.stringify(colour));
  for (const colour of [
    'rgba(0,0,255,.5)',
    'red',
    '#12',
    '#gggggg',
    'hsl(1,2%,3%)',
    '',
    7,
    [1, 2],
    ['a', 1, 2],
  ])
    assert.deepEqual(of(colour), unread, JSON.stringify(colour));
  const inLayers = warningsOf({
    layers: [
      layer({
        style: {
          type: 'VectorStyleItem',
          stroke: { color: 'red', width: 1 },
          image: { radius: 5, fill: { color: 'red' }, stroke: { color: 'red' } },
          text: { fill: { color: 'red' } },
        },
        highlightStyle: { type: 'VectorStyleItem', fill: { color: 'red' }, image: { scale: 2 } },
      }),
      layer({
        name: 'b',
        style: { type: 'DeclarativeStyleItem', declarativeStyle: { color: "color('red')" } },
      }),
    ],
    vectorClusterGroups: [{ name: 'g', style: { fill: { color: 'red' } } }],
  });
  assert.deepEqual(inLayers, [
    '/layers/0/highlightStyle/fill/color unknownColour',
    '/layers/0/highlightStyle/image noSource',
    '/layers/0/style/image/fill/color unknownColour',
    '/layers/0/style/image/stroke/color unknownColour',
    '/layers/0/style/stroke/color unknownColour',
    '/vectorClusterGroups/0/style/fill/color unknownColour',
  ]);
  assert.deepEqual(errorsOf({ layers: [layer({ style: 5 }), layer({ name: 'b', style: {} })] }), [
    '/layers/0/style type',
    '/layers/1/style/type required',
  ]);
});

test('the content tree is made by dots: nothing may be missing or empty between them', () => {
  assert.deepEqual(
    errorsOf({
      contentTree: [
        item({ name: 'a..b' }),
        item({ name: '.c' }),
        item({ name: 'd.' }),
        item({ name: 'x.y', type: 'SubContentTreeItem' }),
        { type: 'LayerContentTreeItem', name: 'l' },
        { type: 'LayerGroupContentTreeItem', name: 'g', layerNames: 'all' },
        { type: 'ViewpointContentTreeItem', name: 'v', viewpointName: 5 },
        item({ name: 'e', onClick: { type: 'ActivateMapCallback' } }),
        item({ name: 'f', onActivate: ['ActivateMapCallback'] }),
        item({ name: 'h', title: { de: 'Baum' } }),
      ],
    }),
    [
      '/contentTree/0/name emptySegment',
      '/contentTree/1/name emptySegment',
      '/contentTree/2/name emptySegment',
      '/contentTree/3/name nestedSubTree',
      '/contentTree/4/layerName required',
      '/contentTree/5/layerNames required',
      '/contentTree/6/viewpointName required',
      '/contentTree/7/onClick type',
      '/contentTree/8/onActivate type',
      '/contentTree/9/title type',
    ],
  );
  assert.deepEqual(
    warningsOf({
      contentTree: [
        item({ name: 'a' }),
        item({ name: 'a.b' }),
        // each is below the other, so neither is shown
        item({ name: 'c.d' }),
        item({ name: 'd.c' }),
        item({ name: 'a.b.c', children: [] }),
        item({
          name: 'e',
          onClick: [{ type: 'DanceCallback' }, { type: 'ActivateLayersCallback', layerNames: ['none'] }],
        }),
      ],
    }),
    [
      '/contentTree/2/name elsewhere',
      '/contentTree/3/name elsewhere',
      '/contentTree/4/children ignored',
      '/contentTree/5/onClick/0/type unknownType',
      '/contentTree/5/onClick/1/layerNames/0 elsewhere',
    ],
  );
});

test('maps that stand in for each other in a ring are refused', () => {
  const map = (name: string, fallbackMap?: unknown) => ({ type: 'OpenlayersMap', name, fallbackMap });
  assert.deepEqual(errorsOf({ maps: [map('a', 'a')] }), ['/maps/0/fallbackMap cyclic']);
  assert.deepEqual(errorsOf({ maps: [map('a', 'b'), map('b', 'c'), map('c', 'b')] }), [
    '/maps/2/fallbackMap cyclic',
  ]);
  assert.deepEqual(errorsOf({ maps: [map('a', 'b'), map('b', 'c'), map('c')] }), []);
  assert.deepEqual(errorsOf({ maps: [map('a', 7)] }), ['/maps/0/fallbackMap type']);
  const ring = Array.from({ length: 10_000 }, (_, index) => map(`m${index}`, `m${(index + 1) % 10_000}`));
  assert.deepEqual(errorsOf({ maps: ring }), ['/maps/9999/fallbackMap cyclic']);
});

test('all that is named is looked up, and what another module must bring is said', () => {
  const warnings = warningsOf({
    layers: [
      layer({
        mapNames: ['globe'],
        vectorClusterGroup: 'group',
        properties: { featureInfo: 'table', availableStyles: ['s'], defaultViewpoint: 'v', title: {} },
      }),
    ],
    maps: [{ type: 'OpenlayersMap', name: 'flat', fallbackMap: 'globe' }],
    clippingPolygons: [
      {
        name: 'c',
        coordinates: [
          [1, 2],
          [1, 3],
          [2, 3],
        ],
        layerNames: ['gone'],
      },
    ],
    contentTree: [
      item({ onClick: [{ type: 'ActivateClippingPolygonCallback', names: ['c', 'gone'] }] }),
      item({ name: 'b', onClick: [{ type: 'GoToViewpointCallback', viewpoint: 'gone' }] }),
    ],
  });
  assert.deepEqual(warnings, [
    '/clippingPolygons/0/layerNames/0 elsewhere',
    '/contentTree/0/onClick/0/names/1 elsewhere',
    '/contentTree/1/onClick/0/viewpoint elsewhere',
    '/layers/0/mapNames/0 elsewhere',
    '/layers/0/properties/availableStyles/0 elsewhere',
    '/layers/0/properties/defaultViewpoint elsewhere',
    '/layers/0/properties/featureInfo elsewhere',
    '/layers/0/properties/title type',
    '/layers/0/vectorClusterGroup elsewhere',
    '/maps/0/fallbackMap elsewhere',
  ]);
});

test('options that have no effect are said, and kept', () => {
  const warnings = warningsOf({
    layers: [
      layer({ zIndex: 'top', opacity: 2, activeonstartup: true }),
      layer({ name: 'b', url: 'file:///C:/a.json' }),
      layer({ name: 'c', url: { de: '/a', en: 'ftp://a' } }),
      layer({ name: 'd', url: 'C:\\data\\a.json' }),
      layer({ name: 'e', url: '/tiles.pmtiles?x' }),
      { type: 'WMSLayer', name: 'f', url: '/wms', tilingSchema: 'Mercator', minLevel: 9, maxLevel: 3 },
      { type: 'VectorTileLayer', name: 'g', tileProvider: { type: 'MVTTileProvider', url: '/t.pbf' } },
      { type: 'SingleImageLayer', name: 'h', url: '/h.png', extent: null },
      layer({ name: 'i', extent: { coordinates: [3, 0, 1, 0] } }),
    ],
    viewpoints: [{ name: 'v', groundPosition: [1, 2] }],
    featureInfo: [
      { type: 'IframeFeatureInfoView', name: 'x' },
      { type: 'MarkdownFeatureInfoView', name: 'y' },
    ],
    i18n: [{ name: 'i', 'de-AT': {}, de: {} }],
    flights: [{ name: 'f' }, { name: 'g', url: '/f', interpolation: 'wild', anchors: [{ geometry: {} }] }],
    hiddenObjects: [{ id: 'a' }, { id: 'a' }],
    obliqueCollections: [{ name: 'o', dataSets: [{ url: '/image.json?token=a' }] }],
    plugins: [
      { name: 'p' },
      { name: 'q', entry: 'https://plugins.example.org/q.js' },
      { name: 'r', version: 'latest' },
    ],
  });
  assert.deepEqual(warnings, [
    '/featureInfo/0 noSource',
    '/featureInfo/1 noSource',
    '/flights/0 noSource',
    '/flights/1/anchors/0 ignored',
    '/flights/1/interpolation ignored',
    '/hiddenObjects/1/id duplicate',
    '/i18n/0/de-AT ignored',
    '/layers/0/activeonstartup ignored',
    '/layers/0/opacity ignored',
    '/layers/0/zIndex ignored',
    '/layers/1/url unusableUrl',
    '/layers/2/url unusableUrl',
    '/layers/3/url unusableUrl',
    '/layers/4/url unusableUrl',
    '/layers/5/layers noSource',
    '/layers/5/minLevel aboveEachOther',
    '/layers/5/tilingSchema ignored',
    '/layers/6/tileProvider noZooms',
    '/layers/6/tileProvider/url unusableUrl',
    '/layers/7 noExtent',
    '/layers/8/extent/coordinates aboveEachOther',
    '/obliqueCollections/0/dataSets/0/url unusableUrl',
    '/plugins/1 pluginEntry',
    '/plugins/2 pluginVersion',
    '/viewpoints/0 noDistance',
  ]);
});

test('tile providers need what they cannot do without', () => {
  const of = (tileProvider: object) => ({
    layers: [{ type: 'VectorTileLayer', name: 'a', tileProvider }],
  });
  assert.deepEqual(errorsOf(of({ type: 'FlatGeobufTileProvider' })), [
    '/layers/0/tileProvider/levels required',
  ]);
  assert.deepEqual(errorsOf(of({ type: 'FlatGeobufTileProvider', levels: [{ level: 'x' }] })), [
    '/layers/0/tileProvider/levels required',
  ]);
  const mvt = { type: 'MVTTileProvider', url: '/{z}/{x}/{y}.pbf' };
  for (const baseLevels of ['6', [], [1.5], [-1], [31], ['6']])
    assert.deepEqual(errorsOf(of({ ...mvt, baseLevels })), ['/layers/0/tileProvider/baseLevels type']);
  assert.deepEqual(warningsOf(of({ ...mvt, baseLevels: [6, 9] })), []);
  assert.deepEqual(warningsOf(of({ type: 'TomorrowTileProvider', url: '/t' })), [
    '/layers/0/tileProvider/type unknownType',
  ]);
});

test('types are judged by what the engine of a version knows', () => {
  const content = {
    layers: [
      layer({ type: 'I3SLayer' }),
      layer({ name: 'b', attributeProvider: { type: 'CsvAttributeProvider' } }),
      layer({ name: 'c', style: { type: 'constructor' } }),
    ],
    contentTree: [item({ onClick: [{ type: 'ActivateMapCallback', mapName: 'm' }] })],
    maps: [{ type: 'OpenlayersMap', name: 'm' }],
  };
  const unknown = (version: string) =>
    validateModule(content, knownBy(version))
      .warnings.filter(({ code }) => code === 'unknownType')
      .map(({ pointer }) => pointer);
  assert.deepEqual(unknown('6.3.11'), ['/layers/2/style/type']);
  assert.deepEqual(unknown('5.0.2'), [
    '/layers/0/type',
    '/layers/1/attributeProvider/type',
    '/layers/2/style/type',
    '/contentTree/0/onClick/0/type',
  ]);
});

test('docs/modules.md tells of every code, and of no other', async () => {
  const page = await readFile(new URL('../../../docs/modules.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const codes = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, code]) => code!));
  assert.deepEqual(codes.toSorted(), [...findingCodes].toSorted());
});

test('types that are named like what every object has are types like any other', () => {
  for (const type of ['constructor', 'toString', '__proto__'])
    assert.deepEqual(
      warningsOf({ contentTree: [item({ type })] }),
      ['/contentTree/0/type unknownType'],
      type,
    );
  const noText = { toString: 'x', valueOf: 'x' };
  assert.deepEqual(errorsOf({ contentTree: [item({ onClick: [{ type: noText }] })] }), [
    '/contentTree/0/onClick type',
  ]);
});
