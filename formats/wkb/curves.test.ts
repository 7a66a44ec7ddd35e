import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { linearArc } from './linearise-arc.ts';
import { readWkb } from './read-wkb.ts';
import { encodeWkb, plainParts, plainWkb, type Geometry } from './testing.ts';

/** Returns the parts of the encoded geometry, or its problem. */
function read(value: Geometry): unknown {
  const geometry = createGeometryBuffer();
  return readWkb(encodeWkb(value, plainWkb), 0, geometry) ?? plainParts(geometry);
}

test('curves become chords whose vertices are on the circle and include the given points', () => {
  const arc: Geometry = {
    type: 'CircularString',
    coordinates: [
      [1, 0],
      [0, 1],
      [-1, 0],
    ],
  };
  const [[type, [[ring]]]] = read(arc) as [[string, [[[number, number][]]]]];
  assert.equal(type, 'LineString');
  assert.equal(ring.length, 51);
  assert.deepEqual(
    [ring[0], ring[25], ring[50]],
    [
      [1, 0],
      [0, 1],
      [-1, 0],
    ],
  );
  for (const [x, y] of ring) assert.ok(Math.abs(Math.hypot(x, y) - 1) < 1e-12 && y > -1e-12);
});

test('the segments of a CompoundCurve join without a repeated position', () => {
  const compound: Geometry = {
    type: 'CompoundCurve',
    geometries: [
      {
        type: 'LineString',
        coordinates: [
          [-5, 0],
          [1, 0],
        ],
      },
      {
        type: 'CircularString',
        coordinates: [
          [1, 0],
          [2, 1],
          [3, 0],
        ],
      },
      {
        type: 'LineString',
        coordinates: [
          [3, 0],
          [-5, 0],
        ],
      },
    ],
  };
  const ring = (read(compound) as [[string, number[][][][]]])[0][1][0]![0]!;
  assert.equal(ring.length, 1 + 1 + 50 + 1);
  assert.equal(new Set(ring.slice(1).map(String)).size, ring.length - 1);
  for (const [type, inner, expected] of [
    ['CurvePolygon', compound, 'Polygon'],
    ['MultiCurve', compound, 'MultiLineString'],
    ['MultiSurface', { type: 'CurvePolygon', geometries: [compound] }, 'MultiPolygon'],
  ] as const) {
    assert.deepEqual(read({ type, geometries: [inner] }), [[expected, [[ring]]]]);
  }
});

test('arcs that would become too many positions are refused', () => {
  const coordinates = Array.from({ length: 100_001 }, (_, i) => (i % 2 === 0 ? [0, 0] : [1, 1]));
  assert.match(String(read({ type: 'CircularString', coordinates })), /need more than/);
});

function arc(...numbers: [number, number, number, number, number, number]): [number, number][] {
  const points: [number, number][] = [];
  linearArc(...numbers, (x, y) => points.push([x, y]));
  return points;
}

test('an arc is at most 1/2026 of its radius away from its chords, in either direction', () => {
  const angle = fc.integer({ min: 0, max: 719 }).map((halves) => (halves * Math.PI) / 360);
  const radius = fc.integer({ min: 1, max: 1e8 }).map((centimetres) => centimetres / 100);
  fc.assert(
    fc.property(angle, angle, angle, radius, (one, two, three, r) => {
      const on = (t: number): [number, number] => [500_000 + r * Math.cos(t), 5e6 + r * Math.sin(t)];
      const gap = (s: number, t: number): number => Math.abs(Math.sin((s - t) / 2));
      fc.pre(gap(one, two) > 0.01 && gap(two, three) > 0.01 && gap(one, three) > 0.01);
      const points = [on(one), ...arc(...on(one), ...on(two), ...on(three))];
      assert.deepEqual(points.at(-1), on(three));
      assert.ok(points.some(([x, y]) => x === on(two)[0] && y === on(two)[1]));
      const error = r * 1e-6 + 1e-6;
      for (const [i, [x, y]] of points.entries()) {
        assert.ok(Math.abs(Math.hypot(x - 500_000, y - 5e6) - r) < error);
        if (i === 0) continue;
        const [px, py] = points[i - 1]!;
        const sagitta = r - Math.hypot((x + px) / 2 - 500_000, (y + py) / 2 - 5e6);
        assert.ok(sagitta < r / 2026 + error, `${sagitta / r}`);
      }
    }),
  );
});

test('an arc that ends at its start is a full circle, and a straight arc is a line', () => {
  const circle = arc(2, 1, 0, 1, 2, 1);
  assert.equal(circle.length, 100);
  assert.deepEqual(circle.at(-1), [2, 1]);
  assert.ok(circle[24]![0] > 0.99 && circle[24]![0] < 1.01 && circle[24]![1] > 1.99, 'counter-clockwise');
  assert.deepEqual(arc(0, 0, 1, 1, 2, 2), [
    [1, 1],
    [2, 2],
  ]);
  assert.deepEqual(arc(3, 3, 3, 3, 3, 3), [
    [3, 3],
    [3, 3],
  ]);
  assert.deepEqual(arc(0, 0, 1e300, 1e300, -1e300, 1), [
    [1e300, 1e300],
    [-1e300, 1],
  ]);
});
