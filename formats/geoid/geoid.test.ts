import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blendMetres } from './blend-border.ts';
import { Geoid } from './geoid.ts';
import { createGrid, interpolate } from './geoid-grid.ts';
import { openHeightTransform } from './height-transform.ts';
import { makeGrid } from './testing-grids.ts';

const world = makeGrid(() => 40, { columns: 37, rows: 19, west: -180, north: 90, lonStep: 10, latStep: 10 });

test('undulations are bilinear, reach the last node, and go on across the antimeridian', () => {
  const regional = new Geoid(makeGrid((lon, lat) => lon + 10 * lat));
  assert.equal(regional.undulation(8.25, 50.5), 8.25 + 505);
  assert.deepEqual([regional.undulation(11, 49), regional.undulation(7, 52)], [501, 527]);
  assert.ok(Number.isNaN(regional.undulation(11.001, 49)));
  const frame = { columns: 36, rows: 19, west: -175, north: 90, lonStep: 10, latStep: 10 };
  const { values, ...ring } = makeGrid((lon) => lon / 10, frame);
  const geoid = new Geoid(createGrid(ring, values));
  const at = (lon: number) => geoid.undulation(lon, 0);
  assert.ok(Math.abs(at(-176) - (17.5 - 0.9 * 35)) < 1e-4); // a tenth from the node at 175, over the seam
  for (const turned of [184, 544, -536]) assert.ok(Math.abs(at(turned) - at(-176)) < 1e-9, `${turned}`);
  assert.equal(geoid.undulation(20, 90), geoid.undulation(20, 89.99999999));
});

test('heights of many points are changed in place, there and back, and places that are none become NaN', () => {
  const geoid = new Geoid(
    makeGrid((lon) => lon),
    world,
  );
  const points = Float64Array.of(8.5, 50, 100, 10, 51.5, -3, NaN, 50, 1, 8, 91, 1, 100, 0, 7);
  assert.equal(geoid.toEllipsoid(points, 5), 3);
  assert.deepEqual([...points], [8.5, 50, 108.5, 10, 51.5, 7, NaN, 50, NaN, 8, 91, NaN, 100, 0, 47]);
  geoid.fromEllipsoid(points, 5);
  assert.deepEqual([points[2], points[5], points[14]], [100, -3, 7]);
});

test('outside a national grid EGM96 counts, and the step between them fades out over 20 km without a jump', () => {
  // half a degree is 55 km: the hole is wider than the reach of blending
  const grid = makeGrid((lon, lat) => (lon === 9 && lat === 50 ? NaN : 45), {
    columns: 41,
    rows: 31,
    lonStep: 0.1,
    latStep: 0.1,
  });
  const geoid = new Geoid(grid, world);
  const metresPerDegree = 111_195;
  const north = (metres: number) => geoid.undulation(8, 52 + metres / metresPerDegree);
  assert.equal(north(-1), 45);
  const steps = Array.from({ length: 60 }, (_, i) => north(i * 500));
  for (let i = 1; i < steps.length; i++) {
    assert.ok(steps[i]! <= steps[i - 1]! + 1e-4, `it rises at ${i * 500} m`);
    assert.ok(steps[i - 1]! - steps[i]! < 0.5, `it jumps at ${i * 500} m`);
  }
  assert.ok(Math.abs(north(blendMetres / 2) - 42.5) < 0.3);
  assert.equal(north(35_000), 40);
  assert.ok(geoid.undulation(9, 50) > 40 && geoid.undulation(9, 50) < 45, 'a hole is filled');
});

test('around a dense grid at a pole, whose border would fill the memory, the other grid counts without one', () => {
  const frame = { columns: 3, rows: 2, north: 90, lonStep: 1e-4, latStep: 1e-4 };
  const geoid = new Geoid(
    makeGrid(() => 45, frame),
    world,
  );
  assert.deepEqual([geoid.undulation(7, 90), geoid.undulation(8, 80)], [45, 40]);
  assert.ok(Number.isNaN(geoid.undulation(NaN, 50)) && Number.isNaN(geoid.undulation(8, Infinity)));
});

test('feet, depths and offsets become metres above the ellipsoid, and back', () => {
  const geoid = new Geoid(world);
  for (const [vertical, offset, height, expected] of [
    [{ metresPerUnit: 0.3048, isDepth: false }, 0, 1000, 344.8],
    [{ metresPerUnit: 1, isDepth: true }, 0, 12, 28],
    [{ metresPerUnit: 1, isDepth: false }, -0.5, 12, 51.5],
  ] as const) {
    const transform = openHeightTransform(vertical, geoid, offset);
    const points = Float64Array.of(8, 50, height);
    assert.equal(transform.toEllipsoid(points, 1), 0);
    assert.ok(Math.abs(points[2]! - expected) < 1e-9, `${points[2]}`);
    transform.fromEllipsoid(points, 1);
    assert.ok(Math.abs(points[2]! - height) < 1e-9);
  }
  const points = Float64Array.of(8, 50, 12);
  openHeightTransform({ metresPerUnit: 1, isDepth: false }, undefined).toEllipsoid(points, 1);
  assert.equal(points[2], 12);
});

test('a grid of one value interpolates to it everywhere', () => {
  assert.equal(interpolate(world, -179.999, -89.999), 40);
});
