import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { trimShape } from '../clip/trim-shape.ts';
import { lineType, pointType, polygonType } from '../shape/shape.ts';
import { worldBits } from '../tile/world-grid.ts';
import { extent, recordOf, type Point } from './testing.ts';
import {
  type Tile,
  decode,
  encode,
  maxZoom,
  place,
  shiftAt,
  somewhere,
  star,
  tileAt,
  walk,
  winding,
} from './testing-tile.ts';

function boxAround({ z, x, y }: Tile, buffer: number) {
  const side = 2 ** (worldBits - z);
  const margin = ((buffer + 1) / extent) * side;
  return {
    minX: x * side - margin,
    minY: y * side - margin,
    maxX: (x + 1) * side + margin,
    maxY: (y + 1) * side + margin,
  };
}

/** The part inside tile 4/4/4 touches a corner; it began at another vertex once those outside were trimmed. */
const cornerSliver: [number, number][] = [
  [0, 0.23166667683919248],
  [0, 0.23133334350585913],
  [0.22938888549804667, 0.23133334350585913],
  [0.22938888549804667, 0.22927777438693553],
];

test('a shape trimmed from tile to tile gives every tile the same bytes as the whole shape', () => {
  fc.assert(
    fc.property(
      somewhere,
      fc.oneof(walk(4), winding),
      fc.constantFrom(lineType, polygonType, pointType),
      fc.constantFrom(0, 16, 64),
      (spot, points, type, buffer) => {
        const tile = tileAt(spot);
        const whole = recordOf(type, [[place(points, tile, spot.spread)]]);
        let shape = whole.shape;
        for (let z = 0; z <= tile.z && shape >= 0; z++) {
          const ancestor = { z, x: tile.x >> (tile.z - z), y: tile.y >> (tile.z - z) };
          shape = trimShape(whole.store, shape, type, boxAround(ancestor, buffer));
        }
        const wanted = encode(tile, whole, buffer);
        const trimmed = shape < 0 ? undefined : encode(tile, { ...whole, shape }, buffer);
        assert.deepEqual(trimmed, wanted);
      },
    ),
    { numRuns: 2000, examples: [[{ z: 4, spread: 9000, x: 0.3, y: 0.3 }, cornerSliver, polygonType, 16]] },
  );
});

const onGrid = (points: readonly Point[], tile: Tile): Point[] => {
  const shift = shiftAt(tile.z);
  const half = shift === 0 ? 0 : 2 ** (shift - 1);
  return points.map(([x, y]): Point => [
    ((x + half) >> shift) - tile.x * extent,
    ((y + half) >> shift) - tile.y * extent,
  ]);
};

function windingInside(rings: readonly (readonly Point[])[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i]!;
      const [bx, by] = ring[j]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

function distance(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const dx = bx - ax;
  const dy = by - ay;
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / squared));
  return Math.hypot(x - ax - dx * t, y - ay - dy * t);
}

const nearest = (lines: readonly (readonly Point[])[], x: number, y: number): number =>
  Math.min(
    Infinity,
    ...lines.flatMap((line) => line.slice(1).map((point, i) => distance(x, y, line[i]!, point))),
    ...lines.filter((line) => line.length === 1).map((line) => distance(x, y, line[0]!, line[0]!)),
  );

test('at the highest zoom a clipped polygon with a hole covers exactly its original area', () => {
  fc.assert(
    fc.property(somewhere, star, fc.constantFrom(0, 16), (spot, outline, buffer) => {
      const tile = tileAt({ ...spot, z: maxZoom });
      const outer = place(outline, tile, spot.spread);
      const hole = place(
        outline.map(([x, y]): Point => [x * 0.5, y * 0.5]),
        tile,
        spot.spread,
      );
      const rings = decode(encode(tile, recordOf(polygonType, [[outer, hole]]), buffer));
      const given = [onGrid(outer, tile), onGrid(hole, tile)];
      const edges = given.map((ring) => [...ring, ring[0]!]);
      for (let x = -buffer + 1.5; x < extent + buffer; x += 170.7) {
        for (let y = -buffer + 1.5; y < extent + buffer; y += 170.7) {
          if (nearest(edges, x, y) < 1) continue;
          assert.equal(windingInside(rings, x, y), windingInside(given, x, y), `${x} ${y}`);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('at the highest zoom a clipped line follows the original line, and nothing else', () => {
  fc.assert(
    fc.property(somewhere, walk(2), fc.constantFrom(0, 16), (spot, points, buffer) => {
      const tile = tileAt({ ...spot, z: maxZoom });
      const line = place(points, tile, spot.spread);
      const given = onGrid(line, tile);
      const parts = decode(encode(tile, recordOf(lineType, [[line]]), buffer));
      for (const part of parts) {
        assert.ok(part.length >= 2);
        for (const [x, y] of part) {
          assert.ok(x >= -buffer && x <= extent + buffer && y >= -buffer && y <= extent + buffer);
          // A line that shrinks to a point is drawn one unit long.
          assert.ok(nearest([given], x, y) <= 1.5);
        }
      }
      for (let i = 1; i < given.length; i++) {
        for (let t = 0; t <= 1; t += 0.05) {
          const x = given[i - 1]![0] + (given[i]![0] - given[i - 1]![0]) * t;
          const y = given[i - 1]![1] + (given[i]![1] - given[i - 1]![1]) * t;
          const inside =
            x > -buffer + 1 && x < extent + buffer - 1 && y > -buffer + 1 && y < extent + buffer - 1;
          if (inside && parts.length > 0) assert.ok(nearest(parts, x, y) <= 1.5);
          if (inside && new Set(given.map(String)).size > 1) assert.ok(parts.length > 0);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('neighbouring tiles agree about geometry on their shared edge', () => {
  const convex = fc.uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(somewhere, convex, (spot, angles) => {
      const west = tileAt(spot);
      const east = { ...west, x: west.x + 1 };
      const circle = angles
        .toSorted((a, b) => a - b)
        .map((angle): Point => [1 + Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]);
      const record = recordOf(polygonType, [[place(circle, west, spot.spread)]]);
      const edge = (tile: Tile, at: number): number[] => {
        const ys = decode(encode(tile, record, 0))
          .flat()
          .filter(([x]) => x === at)
          .map(([, y]) => y);
        return ys.length === 0 ? [] : [Math.min(...ys), Math.max(...ys)];
      };
      const ends = edge(west, extent);
      const begins = edge(east, 0);
      // A polygon that only touches the edge is in one of the two.
      if (ends[0] !== ends[1] && begins[0] !== begins[1]) assert.deepEqual(ends, begins);
    }),
    { numRuns: 1000 },
  );
});

test('rings follow MVT 2.1: outer rings clockwise, holes counter-clockwise, none without area', () => {
  const area = (ring: readonly Point[]): number =>
    ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0] * y - x * ring[i]![1], 0);
  fc.assert(
    fc.property(somewhere, star, fc.boolean(), fc.boolean(), (spot, outline, backwards, bothWays) => {
      const tile = tileAt(spot);
      const outer = place(backwards ? outline.toReversed() : outline, tile, spot.spread);
      const inner = place(
        outline.map(([x, y]): Point => [x * 0.4, y * 0.4]),
        tile,
        spot.spread,
      );
      const rings = decode(
        encode(tile, recordOf(polygonType, [[outer, bothWays ? inner.toReversed() : inner]]), 16),
      );
      for (const [i, ring] of rings.entries()) {
        assert.ok(ring.length >= 4, 'three vertices and the closing one');
        assert.deepEqual(ring[0], ring.at(-1));
        for (let j = 1; j < ring.length; j++) assert.notDeepEqual(ring[j], ring[j - 1]);
        assert.notEqual(area(ring), 0);
        // a hole may leave two pieces of the tile, each with an outer ring of its own
        if (i === 0) assert.ok(area(ring) > 0);
      }
    }),
    { numRuns: 500 },
  );
});

test('without a buffer a point is in exactly one tile, at its original position', () => {
  fc.assert(
    fc.property(somewhere, (spot) => {
      const tile = tileAt(spot);
      const [point] = place([[0.9, -0.9]], tile, spot.spread);
      const own = { z: tile.z, x: point![0] >> (worldBits - tile.z), y: point![1] >> (worldBits - tile.z) };
      const record = recordOf(pointType, [[[point!]]]);
      let found = 0;
      for (let x = own.x - 1; x <= own.x + 1; x++) {
        for (let y = own.y - 1; y <= own.y + 1; y++)
          found += decode(encode({ ...own, x, y }, record, 0)).length;
      }
      assert.equal(found, 1);
      const shift = shiftAt(own.z);
      assert.deepEqual(decode(encode(own, record, 0)), [
        [[(point![0] >> shift) - own.x * extent, (point![1] >> shift) - own.y * extent]],
      ]);
    }),
  );
});
