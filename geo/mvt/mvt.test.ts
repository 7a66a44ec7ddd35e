import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { trimShape } from '../clip/trim-shape.ts';
import { buildShape } from '../shape/build-shape.ts';
import { lineType, pointType, polygonType, type ShapeType } from '../shape/shape.ts';
import { createInt32Buffer } from '../shape/int32-buffer.ts';
import { worldBits, worldSize } from '../tile/world-grid.ts';
import { hashOfValue } from './attributes.ts';
import { extent, geometryOf, keys, limits, recordOf, type Point, type TestRecord } from './testing.ts';
import { createTileEncoder } from './tile-encoder.ts';

const maxZoom = 14;

interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

function encode(
  { z, x, y }: Tile,
  { store, record, shape }: TestRecord,
  buffer: number,
): Uint8Array | undefined {
  const encoder = createTileEncoder({
    extent,
    buffer,
    maxZoom,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['test'],
    keys: keys.names,
    maxTileBytes: 1e6,
  });
  encoder.begin(z, x, y);
  encoder.add(store, record, shape);
  return encoder.finish()?.slice();
}

function decode(bytes: Uint8Array | undefined): Point[][] {
  if (bytes === undefined) return [];
  const layer = new VectorTile(new PbfReader(bytes)).layers['test']!;
  assert.equal(layer.version, 2);
  assert.equal(layer.extent, extent);
  return Array.from({ length: layer.length }, (_, i) => layer.feature(i).loadGeometry())
    .flat()
    .map((ring) => ring.map(({ x, y }): Point => [x, y]));
}

const shiftAt = (z: number): number => worldBits - 12 - z;

/** A tile well inside the world, and points around it in units of that tile, some far away. */
const somewhere = fc.record({
  z: fc.integer({ min: 2, max: 14 }),
  spread: fc.constantFrom(60, 400, 3000, 9000, 60_000),
  x: fc.double({ min: 0.3, max: 0.7, noNaN: true }),
  y: fc.double({ min: 0.3, max: 0.7, noNaN: true }),
});

const tileAt = ({ z, x, y }: { z: number; x: number; y: number }): Tile => ({
  z,
  x: Math.floor(x * 2 ** z),
  y: Math.floor(y * 2 ** z),
});

const walk = (minLength: number) =>
  fc.array(
    fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })),
    {
      minLength,
      maxLength: 40,
    },
  );

/** Long strides and small steps, so that different zooms need different vertices. */
const winding = fc
  .array(
    fc.record({
      size: fc.constantFrom(1, 0.3, 0.05, 0.004, 0.0005),
      dx: fc.double({ min: -1, max: 1, noNaN: true }),
      dy: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
    { minLength: 4, maxLength: 80, size: 'max' },
  )
  .map((steps) => {
    let x = 0;
    let y = 0;
    return steps.map(({ size, dx, dy }): [number, number] => [(x += dx * size), (y += dy * size)]);
  });

/** In world units, inside the world. */
function place(points: readonly (readonly [number, number])[], tile: Tile, spread: number): Point[] {
  const unit = 2 ** shiftAt(tile.z);
  const inWorld = (value: number): number => Math.min(worldSize - 1, Math.max(1, Math.round(value)));
  return points.map(([dx, dy]): Point => [
    inWorld((tile.x * extent + 2048 + dx * spread) * unit),
    inWorld((tile.y * extent + 2048 + dy * spread) * unit),
  ]);
}

/** Around the middle of the tile, so that it does not cross itself. */
const star = fc
  .array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 3, maxLength: 24 })
  .map((radii) =>
    radii.map((radius, i): Point => {
      const angle = (i / radii.length) * 2 * Math.PI + 0.1;
      return [Math.cos(angle) * radius, Math.sin(angle) * radius];
    }),
  );

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
    { numRuns: 2000 },
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

test('at the highest zoom a polygon with a hole covers just what it covered before it was cut', () => {
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

test('at the highest zoom a cut line runs where the line ran, and nowhere else', () => {
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

test('neighbouring tiles meet: what one ends with at the shared edge, the other begins with', () => {
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

test('rings are as MVT 2.1 wants them: outer ones clockwise, holes not, none of them without area', () => {
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

test('a point is in exactly one tile without a buffer, at the place it was', () => {
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

test('attributes and ids come back with their values and types, however many there are', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.nat({ max: 9 }).map((digit) => String(digit).repeat(5000)),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 400 }), (attributes) => {
      const record = recordOf(pointType, [[[[worldSize / 3, worldSize / 3]]]], attributes);
      const bytes = encode({ z: 0, x: 0, y: 0 }, record, 0)!;
      const feature = new VectorTile(new PbfReader(bytes)).layers['test']!.feature(0);
      const wanted = Object.entries(attributes).map(([key, given]) => [
        key,
        Object.is(given, -0) ? 0 : given,
      ]);
      assert.deepEqual({ ...feature.properties }, Object.fromEntries(wanted));
      assert.equal(feature.id, 2 ** 32 + 7);
    }),
    { numRuns: 300 },
  );
});

test('a small tile is, byte for byte, what the specification says', () => {
  const five = [2, 0x28, 5];
  const store = createInt32Buffer(1024);
  store.words.set([0, lineType | 4, 3, 0, 1, 3, 0, 0, hashOfValue(Uint8Array.from(five), 0, 3)]);
  store.bytes.set(five, 9 * 4);
  store.length = 10;
  const middle = worldSize / 2;
  const line = geometryOf([
    [
      [
        [middle, middle],
        [middle + 2 ** 18 * 10, middle + 2 ** 18 * 20],
      ],
    ],
  ]);
  const { shape } = buildShape(store, lineType, line, {
    isMercator: false,
    crossesAntimeridian: false,
    limits,
  });
  const encoder = createTileEncoder({
    extent,
    buffer: 0,
    maxZoom: 0,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['l'],
    keys: ['k'],
    maxTileBytes: 1e6,
  });
  encoder.begin(0, 0, 0);
  assert.equal(encoder.add(store, 0, shape), 'added');
  const golden =
    '1a23' +
    '7802' +
    '0a016c' + // layer of 35 bytes, version 2, name "l"
    '1212' +
    '0803' +
    '12020000' +
    '1802' +
    '2208' +
    '098020' +
    '8020' +
    '0a1428' + // id 3, tags 0 0, line, commands
    '1a016b' +
    '22022805' +
    '288020'; // key "k", value uint 5, extent 4096
  assert.equal(Buffer.from(encoder.finish()!).toString('hex'), golden);
});

test('a tile that has no room left refuses further features and stays whole', () => {
  const encoder = createTileEncoder({
    extent,
    buffer: 0,
    maxZoom,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['test'],
    keys: keys.names,
    maxTileBytes: 300,
  });
  encoder.begin(0, 0, 0);
  const { store, record, shape } = recordOf(pointType, [[[[worldSize / 3, worldSize / 3]]]]);
  const outcomes = Array.from({ length: 100 }, () => encoder.add(store, record, shape));
  assert.ok(outcomes.includes('full'));
  const added = outcomes.filter((outcome) => outcome === 'added').length;
  assert.equal(decode(encoder.finish()).length, added);
});

test('dust adds up: a thousand specks too small to see weigh on the map what they weigh together', () => {
  const z = 5;
  const unit = 2 ** shiftAt(z);
  const encoder = createTileEncoder({
    extent,
    buffer: 0,
    maxZoom,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['test'],
    keys: keys.names,
    maxTileBytes: 1e6,
  });
  const tile = { z, x: 10, y: 10 };
  encoder.begin(z, tile.x, tile.y);
  const side = 2;
  for (let i = 0; i < 1000; i++) {
    const x = (tile.x * extent + 50 + (i % 40) * 100) * unit;
    const y = (tile.y * extent + 50 + Math.floor(i / 40) * 100) * unit;
    const s = side * unit;
    const speck = recordOf(polygonType, [
      [
        [
          [x, y],
          [x + s, y],
          [x + s, y + s],
          [x, y + s],
        ],
      ],
    ]);
    encoder.add(speck.store, speck.record, speck.shape);
  }
  const squares = decode(encoder.finish());
  assert.equal(squares.length * 16, 1000 * side * side);
});

test('at the highest zoom nothing vanishes, however small', () => {
  const at = worldSize / 3;
  const tile = { z: maxZoom, x: Math.floor(2 ** maxZoom / 3), y: Math.floor(2 ** maxZoom / 3) };
  const dot = (type: ShapeType) =>
    recordOf(type, [
      [
        [
          [at, at],
          [at + 1, at],
          [at + 1, at + 1],
          [at, at],
        ],
      ],
    ]);
  assert.equal(decode(encode(tile, dot(polygonType), 0)).length, 1);
  assert.equal(decode(encode(tile, dot(lineType), 0)).length, 1);
});
