import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { readWkb } from './read-wkb.ts';
import {
  encodeWkb,
  expectedParts,
  mutate,
  plainParts,
  plainWkb,
  type Geometry,
  type WkbStyle,
} from './testing.ts';

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

test('a geometry in any dialect, byte order and dimension is read back', () => {
  fc.assert(
    fc.property(anyGeometry, style, fc.nat(9), (value, as, before) => {
      const bytes = new Uint8Array([...new Uint8Array(before), ...encodeWkb(value, as)]);
      assert.deepEqual(read(bytes, before), expectedParts(value));
    }),
    { numRuns: 500 },
  );
});

const wkb = (value: Geometry, as = plainWkb): Uint8Array => encodeWkb(value, as);

test('empty geometries leave no part, at any position', () => {
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

test('a coordinate that is not a finite number is a problem, except in an empty point', () => {
  for (const coordinates of [
    [1, Number.NaN],
    [Infinity, 1],
  ]) {
    assert.match(String(read(wkb({ type: 'Point', coordinates }))), /not a finite number/);
    assert.match(String(read(wkb({ type: 'LineString', coordinates: [[0, 0], coordinates] }))), /finite/);
  }
});

test('surfaces of triangles and faces become polygons', () => {
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

test('wrong counts are refused before any memory is allocated for them', () => {
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

test('deep nesting, unknown types and members of the wrong type are problems', () => {
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
