import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noise } from '../testing-town.ts';
import { coarsestTiles } from './coarse-points.ts';
import { groundsOf } from './find-ground.ts';

/** A hillside of one degree: 50 m from west to east. */
const hill = (lon: number) => 50 * lon;

/** @param errors the share of points that are 100 to 200 m below the ground @param trees the share up to 30 m above it */
function scan(count: number, { errors = 0, trees = 0 }) {
  const random = noise(5);
  const places = new Float64Array(2 * count);
  const heights = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [lon, lat, kind] = [random(), random(), random()];
    places.set([lon, lat], 2 * i);
    const above =
      kind < errors ? -100 - random() * 100 : kind < errors + trees ? random() * 30 : random() * 0.2;
    heights[i] = hill(lon) + above;
  }
  return { places, heights };
}

test('ground is found below trees and above errors that are many among thinned points', () => {
  const { places, heights } = scan(58_000, { errors: 0.01, trees: 0.7 });
  const grounds = groundsOf(places, heights).toSorted((a, b) => a - b);
  assert.equal(grounds.length, 256);
  // the lower edge of each of the sixteen columns
  const expected = Array.from({ length: 256 }, (_, i) => hill(Math.floor(i / 16) / 16));
  for (const [i, ground] of grounds.entries())
    assert.ok(Math.abs(ground - expected[i]!) < 3.5, `part ${i}: ${ground}, not ${expected[i]}`);
});

test('few points are one part, points without a height are left out, and too few have no ground', () => {
  const { places, heights } = scan(100, {});
  assert.equal(groundsOf(places, heights).length, 1);
  heights.fill(Number.NaN, 3);
  assert.deepEqual(groundsOf(places, heights), []);
});

const tile = (level: number, x: number, count: number, content: object | undefined = {}) =>
  ({ cell: { level, x, y: 0, z: 0 }, count, content }) as never as Parameters<
    typeof coarsestTiles
  >[0][number];
const size = { min: 50, max: 300 };

test('tiles are taken level by level until there are enough points', () => {
  const tiles = [tile(2, 1, 100), tile(1, 0, 40), tile(1, 1, 20), tile(0, 0, 10), tile(0, 0, 0, undefined)];
  tiles[4] = { ...tiles[4]!, content: undefined };
  assert.deepEqual(
    coarsestTiles(tiles, size).map(({ count }) => count),
    [10, 40, 20],
  );
});

test('of a level with too many points every so many tiles are taken, however many there are', () => {
  const many = Array.from({ length: 200_000 }, (_, x) => tile(3, x, 10));
  const taken = coarsestTiles(many.toReversed(), size);
  assert.deepEqual(
    taken.map(({ cell }) => cell.x),
    Array.from({ length: 30 }, (_, i) => i * 6667),
  );
  const [root, ...others] = coarsestTiles(
    [tile(0, 0, 16), ...Array.from({ length: 40 }, (_, x) => tile(1, x, 10))],
    size,
  );
  assert.equal(root!.count, 16);
  assert.equal(others.length, 20, 'the next level is thinned, rather than left out');
});
