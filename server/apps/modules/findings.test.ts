import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { findingCodes } from './findings.ts';
import { knownBy, validateModule } from './validate.ts';
import { errorsOf, warningsOf, layer, item } from './testing-findings.ts';

test('a mistake that would stop the whole app from starting is an error at its pointer', () => {
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

test('names in the content tree are paths with dots, without missing or empty segments', () => {
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
        // Each is below the other, so that neither is visible.
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

test('fallback maps that form a cycle are refused', () => {
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

test('every reference is looked up, and one that another module must provide is a warning', () => {
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

test('options without effect cause warnings, and are kept', () => {
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
      layer({ name: 'j', extent: { coordinates: [3, 0, 3, 1] } }),
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
    '/layers/9/extent/coordinates noArea',
    '/obliqueCollections/0/dataSets/0/url unusableUrl',
    '/plugins/1 pluginEntry',
    '/plugins/2 pluginVersion',
    '/viewpoints/0 noDistance',
  ]);
});

test('a version range of a megabyte is not read', () => {
  assert.deepEqual(warningsOf({ plugins: [{ name: 'p', version: '1 - '.repeat(250_000) + '1' }] }), [
    '/plugins/0 pluginVersion',
  ]);
});

test('tile providers need their required properties', () => {
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

test('types are checked against those that the version of the engine knows', () => {
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

test('docs/modules.md lists exactly the codes that exist', async () => {
  const page = await readFile(new URL('../../../docs/modules.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const codes = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, code]) => code!));
  assert.deepEqual(codes.toSorted(), [...findingCodes].toSorted());
});

test('types named like members of every object are treated like other types', () => {
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
