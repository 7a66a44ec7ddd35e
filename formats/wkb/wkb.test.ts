import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { linearArc } from './linearise-arc.ts';
import { readWkb } from './read-wkb.ts';
import { encodeWkb, expectedParts, mutate, plainParts, type Geometry, type WkbStyle } from './testing.ts';

const geometry = createGeometryBuffer();

function read(bytes: Uint8Array, start = 0): unknown {
  const problem = readWkb(bytes, start, geometry);
  return problem ?? plainParts(geometry);
}

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const position = fc.tuple(number, number);
const line = fc.array(position, { minLength: 1, maxLength: 5 });
const rings = fc.array(line, { minLength: 1, maxLength: 3 });
const simple: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates) => ({ type: 'Point', coordinates })),
  line.map((coordinates) => ({ type: 'LineString', coordinates })),
  line.map((coordinates) => ({ type: 'MultiPoint', coordinates })),
  rings.map((coordinates) => ({ type: 'Polygon', coordinates })),
  rings.map((coordinates) => ({ type: 'MultiLineString', coordinates })),
  fc
    .array(rings, { minLength: 1, maxLength: 3 })
    .map((coordinates) => ({ type: 'MultiPolygon', coordinates })),
);
const anyGeometry: fc.Arbitrary<Geometry> = fc.oneof(
  simple,
  fc.array(simple, { maxLength: 3 }).map((geometries) => ({ type: 'GeometryCollection', geometries })),
);
const style: fc.Arbitrary<WkbStyle> = fc.record({
  extended: fc.boolean(),
  z: fc.boolean(),
  m: fc.boolean(),
  srid: fc.boolean(),
  orders: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
});

test('what is encoded in any dialect, byte order and dimension is read back', () => {
  fc.assert(
    fc.property(anyGeometry, style, fc.nat(9), (value, as, before) => {
      const bytes = new Uint8Array([...new Uint8Array(before), ...encodeWkb(value, as)]);
      assert.deepEqual(read(bytes, before), expectedParts(value));
    }),
    { numRuns: 500 },
  );
});

const plain: WkbStyle = { extended: false, z: false, m: false, srid: false, orders: [true] };
const wkb = (value: Geometry, as = plain): Uint8Array => encodeWkb(value, as);

test('empty geometries leave no part, wherever they stand', () => {
  for (const type of ['LineString', 'Polygon', 'MultiPoint', 'MultiPolygon', 'CompoundCurve', 'TIN']) {
    assert.deepEqual(read(wkb({ type, coordinates: [] })), [], type);
  }
  assert.deepEqual(read(wkb({ type: 'Point', coordinates: [Number.NaN, Number.NaN] })), []);
  assert.deepEqual(
    read(
      wkb({
        type: 'MultiPoint',
        coordinates: [
          [Number.NaN, Number.NaN],
          [1, 2],
        ],
      }),
    ),
    [['MultiPoint', [[[[1, 2]]]]]],
  );
  const hole = [
    [0, 0],
    [1, 1],
    [0, 1],
  ];
  assert.deepEqual(
    read(
      wkb({
        type: 'MultiPolygon',
        coordinates: [
          [[], hole],
          [
            [
              [5, 5],
              [6, 6],
            ],
            [],
            hole,
          ],
        ],
      }),
    ),
    [
      [
        'MultiPolygon',
        [
          [
            [
              [5, 5],
              [6, 6],
            ],
            hole,
          ],
        ],
      ],
    ],
  );
});

test('a coordinate that is no finite number is a problem, except in the empty point', () => {
  for (const coordinates of [
    [1, Number.NaN],
    [Infinity, 1],
  ]) {
    assert.match(String(read(wkb({ type: 'Point', coordinates }))), /not a finite number/);
    assert.match(String(read(wkb({ type: 'LineString', coordinates: [[0, 0], coordinates] }))), /finite/);
  }
});

test('curves become chords that keep to the circle, through the points that are given', () => {
  const arc: Geometry = {
    type: 'CircularString',
    coordinates: [
      [1, 0],
      [0, 1],
      [-1, 0],
    ],
  };
  const [[type, [[ring]]]] = read(wkb(arc)) as [[string, [[[number, number][]]]]];
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
  const ring = (read(wkb(compound)) as [[string, number[][][][]]])[0][1][0]![0]!;
  assert.equal(ring.length, 1 + 1 + 50 + 1);
  assert.equal(new Set(ring.slice(1).map(String)).size, ring.length - 1);
  for (const [type, inner, expected] of [
    ['CurvePolygon', compound, 'Polygon'],
    ['MultiCurve', compound, 'MultiLineString'],
    ['MultiSurface', { type: 'CurvePolygon', geometries: [compound] }, 'MultiPolygon'],
  ] as const) {
    assert.deepEqual(read(wkb({ type, geometries: [inner] })), [[expected, [[ring]]]]);
  }
});

test('surfaces of triangles and faces are polygons', () => {
  const a = [
    [
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  ];
  const b = [
    [
      [1, 0],
      [1, 1],
      [0, 1],
      [1, 0],
    ],
  ];
  assert.deepEqual(read(wkb({ type: 'Triangle', coordinates: a })), [['Polygon', [a]]]);
  for (const type of ['TIN', 'PolyhedralSurface']) {
    assert.deepEqual(read(wkb({ type, coordinates: [a, b] })), [['MultiPolygon', [a, b]]]);
  }
});

test('counts that lie are refused before anything is made for them', () => {
  const lying = wkb({
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  });
  new DataView(lying.buffer).setUint32(5, 0xfffffff0, true);
  const capacity = geometry.coordinates.length;
  assert.match(String(read(lying)), /announces 4294967280 more items, but only 32 bytes follow/);
  assert.equal(geometry.coordinates.length, capacity);
  assert.match(String(read(wkb({ type: 'Point', coordinates: [1, 2] }).subarray(0, 20))), /is cut off/);
});

test('deep nesting, unknown types and foreign members are problems', () => {
  let deep: Geometry = { type: 'Point', coordinates: [0, 0] };
  for (let i = 0; i < 64; i++) deep = { type: 'GeometryCollection', geometries: [deep] };
  assert.deepEqual(read(wkb(deep)), [['Point', [[[[0, 0]]]]]]);
  for (let i = 0; i < 1000; i++) deep = { type: 'GeometryCollection', geometries: [deep] };
  assert.match(String(read(wkb(deep))), /nested more than 64 deep/);
  assert.match(String(read(Uint8Array.of(1, 99, 0, 0, 0, 0, 0, 0, 0))), /type 99 is unknown/);
  assert.match(String(read(Uint8Array.of(7, 1, 0, 0, 0))), /byte order/);
  const foreign: Geometry = {
    type: 'MultiPoint',
    geometries: [{ type: 'LineString', coordinates: [[1, 2]] }],
  };
  assert.match(String(read(wkb(foreign))), /a MultiPoint contains a LineString/);
});

test('arcs that would swell beyond all measure are refused', () => {
  const coordinates = Array.from({ length: 100_001 }, (_, i) => (i % 2 === 0 ? [0, 0] : [1, 1]));
  assert.match(String(read(wkb({ type: 'CircularString', coordinates }))), /need more than/);
});

test('2,000 mutated geometries are read or refused', () => {
  const polygon = Array.from({ length: 30 }, (_, i) => [Math.sin(i), Math.cos(i)]);
  const whole = wkb({
    type: 'GeometryCollection',
    geometries: [
      { type: 'MultiPolygon', coordinates: [[polygon, polygon], [polygon]] },
      { type: 'CircularString', coordinates: polygon.slice(1) },
      { type: 'MultiPoint', coordinates: polygon },
    ],
  });
  let refused = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const problem = readWkb(mutate(whole, seed), 0, geometry);
    if (problem !== undefined) {
      refused++;
      assert.deepEqual([geometry.parts.length, geometry.positionCount], [0, 0]);
    }
  }
  assert.ok(refused > 200 && refused < 1990, `${refused}`);
});

function arc(...numbers: [number, number, number, number, number, number]): [number, number][] {
  const points: [number, number][] = [];
  linearArc(...numbers, (x, y) => points.push([x, y]));
  return points;
}

test('an arc is no further from its chords than 1/2026 of its radius, whichever way it turns', () => {
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

test('an arc that ends where it begins is the whole circle; one that bends nowhere is a line', () => {
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
