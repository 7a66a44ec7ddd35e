import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGeometryBuffer, pushPosition } from '@platen/formats/feature/geometry-buffer';
import { createFeatureSketch } from './feature-sketch.ts';
import { pixelsOf } from './testing.ts';

const ground = [243, 245, 247];

function polygonOf(ring: readonly (readonly [number, number])[]) {
  const geometry = createGeometryBuffer();
  for (const [x, y] of ring) pushPosition(geometry, x, y);
  geometry.ringEnds.push(ring.length);
  geometry.polygonEnds.push(1);
  geometry.parts.push({ type: 'Polygon', polygonStart: 0, polygonEnd: 1 });
  return geometry;
}

test('features are drawn at their position, filling the picture', () => {
  const sketch = createFeatureSketch();
  const west = [
    [9, 47],
    [9.4, 47],
    [9.4, 47.5],
    [9, 47.5],
    [9, 47],
  ] as const;
  sketch.add(polygonOf(west));
  sketch.add(polygonOf(west.map(([x, y]) => [x + 0.6, y])));
  const pixelAt = pixelsOf(sketch.draw('lakes', [9, 47, 10, 47.5]));
  for (const x of [100, 200, 400, 500]) assert.notDeepEqual(pixelAt(x, 200), ground, `at ${x}`);
  for (const x of [5, 300, 595]) assert.deepEqual(pixelAt(x, 200), ground, `at ${x}`);
});

test('enough of a million positions is kept to show where they are', () => {
  const sketch = createFeatureSketch();
  const circle = Array.from({ length: 30_001 }, (_, i): [number, number] => [
    20 + Math.cos((i / 15_000) * Math.PI),
    Math.sin((i / 15_000) * Math.PI),
  ]);
  for (let i = 0; i < 300; i++) sketch.add(polygonOf(circle));
  const pixelAt = pixelsOf(sketch.draw('lakes', [19, -1, 21, 1]));
  assert.notDeepEqual(pixelAt(300, 200), ground);
  assert.deepEqual(pixelAt(100, 200), ground);
});

test('a single position and positions beyond the antimeridian and the poles are harmless', () => {
  const sketch = createFeatureSketch();
  const point = createGeometryBuffer();
  pushPosition(point, 540, 90);
  point.ringEnds.push(1);
  point.polygonEnds.push(1);
  point.parts.push({ type: 'Point', polygonStart: 0, polygonEnd: 1 });
  sketch.add(point);
  assert.deepEqual(pixelsOf(sketch.draw('one', [540, 90, 540, 90]))(0, 0), ground);
});

test('a million points are sketched in 16 MB, not in hundreds', () => {
  const sketch = createFeatureSketch();
  const point = createGeometryBuffer();
  pushPosition(point, 0, 0);
  point.ringEnds.push(1);
  point.polygonEnds.push(1);
  point.parts.push({ type: 'Point', polygonStart: 0, polygonEnd: 1 });
  const heldBytes = () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = heldBytes();
  for (let i = 0; i < 1_000_000; i++) {
    point.coordinates.set([Math.sin(i) * 170, Math.cos(i * 1.7) * 80]);
    sketch.add(point);
  }
  const megabytes = (heldBytes() - before) / 2 ** 20;
  assert.ok(megabytes < 40, `${megabytes} MB`);
  assert.notDeepEqual(pixelsOf(sketch.draw('points', [-170, -80, 170, 80]))(300, 200), ground);
});
