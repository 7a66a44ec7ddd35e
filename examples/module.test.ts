import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { supportedTypes } from '@platen/viewer/supported-types';
import { demoModule } from './module.ts';

const known = supportedTypes('6.3.11');

test('the demo uses only types that the engine has, and names that exist', () => {
  const module = demoModule({
    countriesDatasourceId: 'c',
    placesDatasourceId: 'p',
    riversDatasourceId: 'r',
    levels: [4, 0, 2],
  });
  assert.deepEqual(
    module.layers.map(({ datasourceId }) => datasourceId),
    ['c', 'r', 'p', 'p', 'p'],
  );
  for (const { type, tileProvider, style } of module.layers) {
    assert(known.layers.includes(type));
    assert(known.tileProviders.includes(tileProvider.type));
    assert(known.styles.includes(style.type));
    assert.deepEqual(tileProvider.baseLevels, [0, 2, 4]);
  }
  for (const { type } of module.maps) assert(known.maps.includes(type));
  for (const { type } of module.contentTree) assert(known.contentTree.includes(type));
  assert(module.maps.some(({ name }) => name === module.startingMapName));
  assert(module.viewpoints.some(({ name }) => name === module.startingViewpointName));
});

test('without places and rivers the demo shows the countries alone', () => {
  const module = demoModule({ countriesDatasourceId: 'c', levels: [0] });
  assert.deepEqual(
    module.layers.map(({ name }) => name),
    ['countries'],
  );
});

test('the style reads only attributes that the example data has', () => {
  const files = { c: 'countries.geojson', r: 'rivers.geojson', p: 'places.geojsonl' };
  const module = demoModule({
    countriesDatasourceId: 'c',
    placesDatasourceId: 'p',
    riversDatasourceId: 'r',
    levels: [0],
  });
  for (const { name, style, datasourceId } of module.layers) {
    const file = files[datasourceId as keyof typeof files];
    const text = readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8');
    const used = [...JSON.stringify(style).matchAll(/\$\{(\w+)\}/g)].map((match) => match[1]);
    assert(used.length > 0, name);
    for (const attribute of used) assert(text.includes(`"${attribute}":`), `${name}: ${attribute}`);
  }
});

test('every text that the map shows exists in both languages', () => {
  const module = demoModule({
    countriesDatasourceId: 'c',
    placesDatasourceId: 'p',
    riversDatasourceId: 'r',
    levels: [0],
  });
  const [texts] = module.i18n;
  for (const language of ['en', 'de'] as const) {
    const { demo, ...attributes } = texts![language];
    const keys = [...JSON.stringify(module.layers).matchAll(/"demo\.([\w-]+)"/g)].map(([, key]) => key!);
    assert(keys.length > 10);
    for (const key of keys) assert.ok(Object.hasOwn(demo, key), `${language}: ${key}`);
    for (const { attributeKeys } of module.featureInfo)
      for (const key of attributeKeys) assert.ok(Object.hasOwn(attributes, key), `${language}: ${key}`);
  }
});

test('the capitals of rank 0 are on all continents, and fewer than the others', () => {
  const lines = readFileSync(new URL('data/places.geojsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const ranks = lines.flatMap((line) => {
    const { properties } = JSON.parse(line) as { properties: { name: string; rank?: number } };
    return properties.rank === undefined ? [] : [[properties.name, properties.rank] as const];
  });
  const first = ranks.filter(([, rank]) => rank === 0).map(([name]) => name);
  for (const name of ['Brasília', 'Ottawa', 'Beijing', 'Moscow', 'Canberra', 'Algiers'])
    assert(first.includes(name), name);
  assert(first.length < ranks.length / 2, `${first.length} of ${ranks.length}`);
});

test('every position of the countries is on the globe and every ring is closed', () => {
  const text = readFileSync(new URL('data/countries.geojson', import.meta.url), 'utf8');
  const { features } = JSON.parse(text) as {
    features: { geometry: { type: string; coordinates: number[][][] | number[][][][] } }[];
  };
  assert.equal(features.length, 241);
  let rings = 0;
  for (const { geometry } of features) {
    const polygons = (
      geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    ) as number[][][][];
    for (const ring of polygons.flat()) {
      rings++;
      assert(ring.length >= 4);
      assert.deepEqual(ring[0], ring.at(-1));
      for (const [longitude = NaN, latitude = NaN] of ring) {
        assert(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90);
      }
    }
  }
  assert(rings > 1000);
});
