import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import type { DescribedField, DescribedLayer, DescribedTileset } from './described-tileset.ts';
import { maplibreStyle, type MaplibreStyle } from './maplibre-style.ts';
import { tilesetProperties } from './tileset-properties.ts';
import { vcMapStyle } from './vc-map-style.ts';

const field = (
  name: string,
  values: (string | number)[],
  more: Partial<DescribedField> = {},
): DescribedField => ({
  name,
  types: 4,
  valueCount: 3,
  hasLongTexts: false,
  values: new Set(values),
  min: Infinity,
  max: -Infinity,
  ...more,
});

function layer(
  name: string,
  geometries: Partial<DescribedLayer['geometries']>,
  fields: DescribedField[] = [],
): DescribedLayer {
  return {
    name,
    features: 3,
    geometries: { Point: 0, LineString: 0, Polygon: 0, ...geometries },
    attributes: new Map(fields.map((one) => [one.name, one])),
  };
}

const tileset = (layers: DescribedLayer[]): DescribedTileset => ({
  name: 'Town',
  attribution: '© somebody',
  minZoom: 2,
  maxZoom: 14,
  bounds: [9, 47, 10, 48],
  layers,
});

const town = tileset([
  layer('pois', { Point: 3 }),
  layer('mixed', { Point: 1, LineString: 1, Polygon: 1 }),
  layer('water', { Polygon: 3 }),
]);

const isValid = (style: unknown) => assert.deepEqual(validateStyleMin(style as never), []);

test('the MapLibre style is valid and lays polygons below lines below points', () => {
  const style = maplibreStyle(town, 'tiles.json');
  isValid(style);
  assert.deepEqual(
    style.layers.map(({ id, filter }) => [id, filter !== undefined]),
    [
      ['mixed-fill', true],
      ['mixed-outline', true],
      ['water-fill', false],
      ['water-outline', false],
      ['mixed-line', true],
      ['pois-point', false],
      ['mixed-point', true],
    ],
  );
  assert.ok(!JSON.stringify(style).includes('http'), 'nothing comes from another host');
  assert.deepEqual(style.center, [9.5, 47.5]);
  assert.ok(style.zoom > 7 && style.zoom < 10, `zoom ${style.zoom}`);
});

test('names of any kind, no layer, and data of one point or across the antimeridian give valid styles', () => {
  for (const name of ["it's", '"', '日本', '__proto__', 'a'.repeat(300)])
    isValid(maplibreStyle(tileset([layer(name, { Polygon: 1 })]), 'tiles.json'));
  isValid(maplibreStyle(tileset([]), 'tiles.json'));
  isValid(maplibreStyle({ ...town, bounds: [5, 5, 5, 5] }, 'tiles.json'));
  const across = maplibreStyle({ ...town, bounds: [170, -20, -160, -10] }, 'tiles.json');
  isValid(across);
  assert.deepEqual(across.center, [-175, -15]);
});

test('each layer has its own colour', () => {
  const names = ['roads', 'streets', 'water', 'lakes', 'a', 'b', 'c'];
  const style = maplibreStyle(tileset(names.map((name) => layer(name, { LineString: 1 }))), 'tiles.json');
  const colours = style.layers.map(({ paint }) => (paint as Record<string, unknown>)['line-color']);
  assert.equal(new Set(colours).size, names.length);
});

test('VC Map gets one style for one layer, and conditions where there are several', () => {
  const one = vcMapStyle([layer('water', { Polygon: 3 })]);
  assert.equal(one['type'], 'VectorStyleItem');
  assert.match(JSON.stringify(one), /"fill":\{"color":"rgba\(\d+,\d+,\d+,0\.55\)"\}/);
  const several = vcMapStyle([...town.layers, layer("it's", { Point: 1 })]);
  assert.equal(several['type'], 'DeclarativeStyleItem');
  const text = JSON.stringify(several);
  assert.match(text, /\$\{layer\} === 'water'/);
  assert.ok(!text.includes("it's"), 'a quote would end the string in the expression');
});

test('fields have a type, a range and up to 20 values', () => {
  const heights = Array.from({ length: 50 }, (_, i) => i);
  const properties = tilesetProperties(
    tileset([
      layer('trees', { Point: 3 }, [
        field('height', heights, { types: 1, min: 0, max: 49 }),
        field('kind', ['oak', 'x'.repeat(250)], { valueCount: 1 }),
        field('odd', [1, 'a'], { types: 5, min: 1, max: 1 }),
      ]),
      { ...layer('nothing', {}), features: 0 },
    ]),
  );
  assert.equal(properties['featureCount'], 3);
  assert.equal(properties['attribution'], '© somebody');
  assert.deepEqual(properties['geometryTypes'], ['Point']);
  assert.deepEqual(properties['vectorLayers'], [
    { id: 'trees', minzoom: 2, maxzoom: 14, featureCount: 3, geometryTypes: ['Point'] },
  ]);
  const common = { layer: 'trees' };
  assert.deepEqual(properties['fields'], [
    {
      ...common,
      name: 'height',
      type: 'number',
      min: 0,
      max: 49,
      completeness: 1,
      count: 50,
      values: heights.slice(0, 20),
    },
    { ...common, name: 'kind', type: 'string', completeness: 0.333, count: 2, values: ['oak'] },
    { ...common, name: 'odd', type: 'mixed', min: 1, max: 1, completeness: 1, count: 2, values: [1, 'a'] },
  ]);
  assert.ok(!('isShortened' in properties));
});

test('however many layers, fields and long names there are, the properties stay small', () => {
  const long = (text: string, i: number) => text.repeat(190) + String(i);
  const values = Array.from({ length: 20 }, (_, i) => long('v', i));
  const fields = Array.from({ length: 3000 }, (_, i) => field(long('日', i), values));
  const layers = Array.from({ length: 300 }, (_, i) =>
    layer(long('本', i), { Polygon: 1, Point: 1 }, fields),
  );
  const properties = tilesetProperties(tileset(layers));
  assert.ok(Buffer.byteLength(JSON.stringify(properties)) <= 256 * 1024);
  assert.equal(properties['isShortened'], true);
  assert.equal(properties['featureCount'], 900, 'counts are of everything');
  isValid(properties['style'] as MaplibreStyle);
});
