import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { baseStyle, mapTokens, type MapColours } from '../map/base-style.ts';
import { flatSourceOf, pictureOf, pictureOverlay, tilesOverlay } from './data-overlay.ts';

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

test('data that no flat map draws have their picture, unless a flat map would bend it', () => {
  const terrain = {
    type: 'qmesh',
    properties: { thumbnail: 'thumbnail.png' },
    sourceProperties: internal,
    bbox: [11, 49, 12, 50],
  } as const;
  const links = [link('page', 'https://out.example/open/1/'), link('terrain', 'https://out.example/data/1/')];
  const picture = pictureOf(terrain as never, links)!;
  assert.deepEqual(picture, { url: '/data/1/thumbnail.png', box: terrain.bbox });
  const overlay = pictureOverlay(origin + picture.url, picture.box);
  const style = baseStyle({ colours, language: 'en', isGlobe: false, origin }, overlay);
  assert.deepEqual(validateStyleMin(style as never), []);
  const cog = [link('cog', 'https://out.example/data/1/photo.tif')];
  assert.equal(pictureOf({ ...terrain, type: 'cog' } as never, cog)?.url, '/data/1/thumbnail.png');
  for (const other of [
    { ...terrain, bbox: [0, 40, 12, 50] },
    { ...terrain, properties: {} },
    { ...terrain, type: 'tileset' },
    { ...terrain, sourceProperties: { type: 'external', url: 'https://elsewhere.example/' } },
  ])
    assert.equal(pictureOf(other as never, links), undefined);
});
