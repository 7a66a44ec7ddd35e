import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { baseStyle, mapTokens, type MapColours } from './base-style.ts';
import { extentOverlay } from './overlays.ts';

const colours = Object.fromEntries(mapTokens.map((name) => [name, '#123456'])) as MapColours;
const options = { colours, language: 'de', isGlobe: true, origin: 'https://maps.example' } as const;

test('the style is valid, asks no other host and needs no glyphs of a server', () => {
  const style = baseStyle(options, extentOverlay([[1, 2, 3, 4]], colours));
  assert.deepEqual(validateStyleMin(style as never), []);
  assert.equal(style.glyphs, undefined);
  assert.equal(style.sprite, undefined);
  const hosts = JSON.stringify(style).match(/https?:\/\/[^/"]+/g);
  assert.deepEqual([...new Set(hosts)], ['https://maps.example']);
});

test('the overlay is above the land and below the names, which are in the language of the user', () => {
  const overlay = extentOverlay([[1, 2, 3, 4]], colours);
  const { layers } = baseStyle(options, overlay);
  const ids = layers.map(({ id }) => id);
  assert.ok(ids.indexOf('world-coasts') < ids.indexOf(overlay.layers[0]!.id));
  assert.ok(ids.indexOf(overlay.layers.at(-1)!.id) < ids.indexOf('world-countries'));
  assert.match(JSON.stringify(layers.find(({ id }) => id === 'world-countries')), /\["get","de"\]/);
});
