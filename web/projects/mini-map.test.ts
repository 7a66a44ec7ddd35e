import assert from 'node:assert/strict';
import { test } from 'node:test';
import { miniMapOf } from './mini-map.ts';

test('the box of a city is in the middle of the nearest available picture', () => {
  const { tiles, box } = miniMapOf([11.5, 49.9, 11.6, 50], 360, 120);
  assert.ok(tiles.every(({ address }) => address.startsWith('/basemap/world/4/')));
  assert.ok(Math.abs(box.x + box.width / 2 - 180) < 0.001 && Math.abs(box.y + box.height / 2 - 60) < 0.001);
});

test('a box over the antimeridian is one box, and its pictures are from both ends of the world', () => {
  const { tiles, box } = miniMapOf([170, -20, -170, 20], 360, 120);
  assert.ok(box.width > 0 && box.width < 360);
  const columns = new Set(tiles.map(({ address }) => address.split('/')[4]));
  assert.ok(columns.has('0') && columns.size > 1, [...columns].join());
});

test('pictures cover the whole map, whatever the box', () => {
  for (const bbox of [
    [-180, -85, 180, 85],
    [0, 0, 0, 0],
    [-180, 80, -179, 85],
  ]) {
    const { tiles, box } = miniMapOf(bbox, 360, 120);
    assert.ok(Math.min(...tiles.map(({ x }) => x)) <= 0 && Math.max(...tiles.map(({ x }) => x + 256)) >= 360);
    assert.ok(Math.min(...tiles.map(({ y }) => y)) <= 0 && Math.max(...tiles.map(({ y }) => y + 256)) >= 120);
    assert.ok(Object.values(box).every(Number.isFinite));
  }
});
