import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from './settings.ts';
import { suggestTiling, type TilingFacts } from './suggest-tiling.ts';

const mixed = { Point: 100, LineString: 300, Polygon: 600 };
const osm: TilingFacts = {
  geometryTypes: mixed,
  featureCount: 1_000_000,
  bytes: 323e6,
  isBinary: false,
  bbox: [9.4, 46.4, 17.2, 49.1],
  layers: 1,
};

test('the estimate for a million OSM features matches the measurement: about 150 MB and 10 s on two cores', () => {
  const { preset, minZoom, maxZoom, expectedBytes, expectedSeconds } = suggestTiling(osm, 2);
  assert.deepEqual([preset, minZoom, maxZoom], ['country', 0, 14]);
  assert.ok(Math.abs(expectedBytes / 150e6 - 1) < 0.15, `${expectedBytes}`);
  assert.ok(Math.abs(expectedSeconds / 10 - 1) < 0.15, `${expectedSeconds}`);
});

test('presets fit the kind of data', () => {
  const presetFor = (facts: Partial<TilingFacts>) => suggestTiling({ ...osm, ...facts }, 2).preset;
  assert.equal(presetFor({ featureCount: 300, bytes: 100_000 }), 'small');
  assert.equal(presetFor({ featureCount: 300, bytes: 100_000_000 }), 'country');
  assert.equal(presetFor({ geometryTypes: { Point: 1, LineString: 0, Polygon: 0 } }), 'points');
  assert.equal(presetFor({ bbox: [13.3, 52.4, 13.6, 52.6] }), 'city');
  assert.equal(presetFor({ bbox: undefined }), 'country');
  assert.equal(
    presetFor({ geometryTypes: { Point: 0, LineString: 0, Polygon: 1 }, featureCount: 8000, bytes: 60e6 }),
    'boundaries',
  );
});

test('finer data is shown deeper, within the bounds of the preset', () => {
  const zoomFor = (facts: Partial<TilingFacts>) => suggestTiling({ ...osm, ...facts }, 2).maxZoom;
  const lines = { Point: 0, LineString: 1, Polygon: 0 };
  assert.equal(zoomFor({ geometryTypes: lines, detailMetres: 10_000 }), 6);
  assert.equal(zoomFor({ geometryTypes: lines, detailMetres: 1000 }), 10);
  assert.equal(zoomFor({ detailMetres: 10_000 }), 10, 'points lie within 10 m of where they belong');
  assert.equal(zoomFor({ detailMetres: 0.5 }), 14);
  assert.equal(zoomFor({ detailMetres: 0.5, bbox: [13.3, 52.4, 13.6, 52.6] }), 16);
});

test('without facts, or with absurd ones, the figures are still usable', () => {
  const nothing: TilingFacts = {
    geometryTypes: { Point: 0, LineString: 0, Polygon: 0 },
    featureCount: undefined,
    bytes: 0,
    isBinary: true,
    bbox: undefined,
    layers: 0,
  };
  const odd = [
    nothing,
    { ...nothing, featureCount: 0, bbox: [0, 0, 0, 0] as const },
    { ...nothing, bbox: [170, -90, -170, 90] as const, bytes: 1e13 },
    { ...nothing, bbox: [NaN, NaN, NaN, NaN] as const, bytes: 1e6 },
    { ...nothing, detailMetres: 0 },
    { ...nothing, detailMetres: NaN },
  ];
  for (const facts of odd) {
    const { minZoom, maxZoom, expectedBytes, expectedSeconds, preset, reason } = suggestTiling(facts, 0);
    assert.ok(minZoom >= 0 && minZoom <= maxZoom && maxZoom <= 18);
    assert.ok(Number.isFinite(expectedBytes) && expectedBytes > 0, `${expectedBytes}`);
    assert.ok(Number.isFinite(expectedSeconds) && expectedSeconds > 0);
    assert.ok(!/NaN|Infinity/.test(reason), reason);
    assert.equal(readSettings({ tiling: { preset, minZoom, maxZoom } }).maxZoom, maxZoom);
  }
});

test('the reason names the facts used', () => {
  assert.equal(
    suggestTiling({ ...osm, layers: 3, detailMetres: 12.4 }, 2).reason,
    '1,000,000 features in 3 layers, over 584 km, with details of about 10 m: preset "country", zoom 0 to 14.',
  );
});
