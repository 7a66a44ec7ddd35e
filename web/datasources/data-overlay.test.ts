import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { baseStyle, mapTokens, type MapColours } from '../map/base-style.ts';
import { flatSourceOf, tilesOverlay } from './data-overlay.ts';

const colours = Object.fromEntries(mapTokens.map((name) => [name, '#123456'])) as MapColours;
const origin = 'https://maps.example';
const internal = { type: 'internal', dataBucketId: 'b', dataBucketKey: 'k' } as const;
const link = (kind: string, url: string) => ({ kind, url, title: '' }) as never;

test('a flat map draws what this service serves as tiles or GeoJSON, from its own origin', () => {
  const links = [
    link('page', 'https://out.example/open/1/'),
    link('tilejson', 'https://out.example/data/1/tiles.json'),
  ];
  const tiles = flatSourceOf({ type: 'vectortiles', sourceProperties: internal }, links);
  assert.deepEqual(tiles, { kind: 'tiles', url: '/data/1/tiles.json' });
  assert.equal(flatSourceOf({ type: 'tileset', sourceProperties: internal }, links), undefined);
  const external = { type: 'external', url: 'https://elsewhere.example/{z}/{x}/{y}.pbf' } as const;
  assert.equal(flatSourceOf({ type: 'vectortiles', sourceProperties: external }, links), undefined);
});

test('tiles of all layers are drawn, with a valid style', () => {
  const tileJson = {
    tiles: ['https://out.example/data/1/{z}/{x}/{y}.pbf'],
    minzoom: 2,
    maxzoom: 9,
    vector_layers: [{ id: 'a b' }, { id: 'c' }],
  };
  for (const isVector of [true, false]) {
    const overlay = tilesOverlay(tileJson, { colours, isVector, origin });
    const style = baseStyle({ colours, language: 'en', isGlobe: false, origin }, overlay);
    assert.deepEqual(validateStyleMin(style as never), []);
    assert.deepEqual((style.sources['data'] as { tiles: string[] }).tiles, [
      'https://maps.example/data/1/{z}/{x}/{y}.pbf',
    ]);
    assert.equal(overlay.layers.length, isVector ? 6 : 1);
  }
});
