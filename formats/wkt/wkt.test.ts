import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { expectedParts, mutate, plainParts, type Geometry } from '../wkb/testing.ts';
import { ewktSrid, readWkt } from './read-wkt.ts';

const geometry = createGeometryBuffer();
const read = (text: string): unknown => readWkt(text, geometry) ?? plainParts(geometry);

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
const style = fc.record({
  dimensions: fc.constantFrom('', ' Z', 'Z', ' m', ' ZM', 'zm'),
  space: fc.constantFrom('', ' ', '\n\t'),
  srid: fc.constantFrom('', 'SRID=4326;', ' srid = 31468 ; '),
  brackets: fc.boolean(),
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

function write(value: Geometry, { dimensions, space, srid, brackets }: Style): string {
  const more = ' 7'.repeat(dimensions.trim().length);
  const list = (items: readonly string[]): string =>
    items.length === 0
      ? ` EMPTY${space}`
      : `${space}(${space}${items.join(`${space},${space}`)}${space})${space}`;
  const text = (coordinates: unknown, inMultiPoint = false): string => {
    const [first] = coordinates as unknown[];
    if (typeof first !== 'number') return list((coordinates as unknown[]).map((item) => text(item, false)));
    const numbers = (coordinates as number[]).join(' ') + more;
    return inMultiPoint && brackets ? list([numbers]) : numbers;
  };
  const one = ({ type, coordinates, geometries }: Geometry): string => {
    const name = brackets ? type : type.toUpperCase();
    if (geometries !== undefined) return `${name}${dimensions}${list(geometries.map(one))}`;
    if (type === 'Point') return `${name}${dimensions}${list([text(coordinates)])}`;
    if (type !== 'MultiPoint') return `${name}${dimensions}${text(coordinates)}`;
    return `${name}${dimensions}${list((coordinates as unknown[]).map((item) => text(item, true)))}`;
  };
  return srid + one(value);
}

test('geometries are read in any dimension, case, spacing and bracketing', () => {
  fc.assert(
    fc.property(anyGeometry, style, (value, as) => {
      const zeros = (parts: unknown): unknown => JSON.parse(JSON.stringify(parts));
      assert.deepEqual(zeros(read(write(value, as))), zeros(expectedParts(value)));
    }),
    { numRuns: 500 },
  );
});

test('empty geometries leave no part, in any position', () => {
  for (const text of [
    'POINT EMPTY',
    'POINT Z EMPTY',
    'POINT(NaN nan)',
    'POLYGON EMPTY',
    'GEOMETRYCOLLECTION EMPTY',
    'GEOMETRYCOLLECTION(POINT EMPTY, MULTIPOLYGON EMPTY)',
    'MULTIPOLYGON(EMPTY)',
    'POLYGON(EMPTY, (0 0, 1 1, 0 1))',
    'CURVEPOLYGON EMPTY',
    'COMPOUNDCURVE(EMPTY)',
  ])
    assert.deepEqual(read(text), [], text);
  assert.deepEqual(read('MULTIPOINT(EMPTY, 1 2)'), [['MultiPoint', [[[[1, 2]]]]]]);
});

test('curves become chords through the given points, and segments join', () => {
  const [[type, [[ring]]]] = read(
    'COMPOUNDCURVE((-5 0, 1 0), CIRCULARSTRING(1 0, 2 1, 3 0), (3 0, -5 0))',
  ) as [[string, [[number[][]]]]];
  assert.equal(type, 'LineString');
  assert.equal(ring.length, 1 + 1 + 50 + 1);
  assert.deepEqual(ring[26], [2, 1]);
  const curve = 'COMPOUNDCURVE((-5 0, 1 0), CIRCULARSTRING(1 0, 2 1, 3 0), (3 0, -5 0))';
  assert.deepEqual(read(`CURVEPOLYGON(${curve})`), [['Polygon', [[ring]]]]);
  assert.deepEqual(read(`MULTICURVE(${curve}, (0 0, 1 1))`), [
    [
      'MultiLineString',
      [
        [
          ring,
          [
            [0, 0],
            [1, 1],
          ],
        ],
      ],
    ],
  ]);
  assert.deepEqual(read(`MULTISURFACE(CURVEPOLYGON(${curve}), ((0 0, 1 1, 0 1)))`), [
    [
      'MultiPolygon',
      [
        [ring],
        [
          [
            [0, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      ],
    ],
  ]);
});

test('surfaces of triangles and faces are polygons', () => {
  const faces = '((0 0 1, 1 0 1, 0 1 1, 0 0 1)), ((1 0 1, 1 1 1, 0 1 1, 1 0 1))';
  const polygons = [
    [
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      [
        [1, 0],
        [1, 1],
        [0, 1],
        [1, 0],
      ],
    ],
  ];
  assert.deepEqual(read(`TIN Z (${faces})`), [['MultiPolygon', polygons]]);
  assert.deepEqual(read(`POLYHEDRALSURFACE Z (${faces})`), [['MultiPolygon', polygons]]);
  assert.deepEqual(read('TRIANGLE((0 0, 1 0, 0 1, 0 0))'), [['Polygon', [polygons[0]]]]);
});

test('faults are reported with their character', () => {
  for (const [text, problem] of [
    ['', /geometry type at character 1, but the text ends/],
    ['POINT(1 2', /expected "\)" at character 10, but the text ends/],
    ['POINT(1, 2)', /expected a number at character 8/],
    ['POINT(1 2) x', /expected the end at character 12, but found "x"/],
    ['LINESTRING(1 2, 3 x)', /expected a number at character 19/],
    ['LINESTRING(1 2 3 4 5)', /at character 20/],
    ['BOX(1 2)', /geometry type at character 1, but found "BOX/],
    ['POINT(1e999 2)', /not a finite number/],
    ['LINESTRING(NaN NaN, 1 1)', /not a finite number/],
    ['CIRCULARSTRING(0 0, 1 1)', /2 positions, but needs an odd number/],
    ['COMPOUNDCURVE(POINT(1 2))', /a CompoundCurve contains a Point/],
    ['PÖINT(1 2)', /at character 1/],
  ] as const)
    assert.match(String(read(text)), problem, text);
  assert.deepEqual([geometry.parts.length, geometry.positionCount], [0, 0]);
});

test('collections nested deeply are refused, however many brackets there are', () => {
  const nested = (depth: number): string =>
    `${'GEOMETRYCOLLECTION('.repeat(depth)}POINT(1 2)${')'.repeat(depth)}`;
  assert.deepEqual(read(nested(64)), [['Point', [[[[1, 2]]]]]]);
  assert.match(String(read(nested(65))), /nested more than 64 deep/);
  assert.match(String(read(nested(100_000))), /nested more than 64 deep/);
  assert.match(String(read(`POLYGON${'('.repeat(100_000)}`)), /expected a number/);
});

test('the SRID of EWKT is read', () => {
  assert.equal(ewktSrid(' srid=31468;POINT(1 2)'), 31468);
  assert.equal(ewktSrid('POINT(1 2)'), undefined);
});

test('2,000 mutated texts are read or refused', () => {
  const whole = new TextEncoder().encode(
    'SRID=4326;GEOMETRYCOLLECTION Z(MULTIPOLYGON(((0 0,1 0,1 1.5e0,0 0),(.1 .1,.2 .2,.1 .2,.1 .1))),' +
      'CURVEPOLYGON(COMPOUNDCURVE((-5 0,1 0),CIRCULARSTRING(1 0,2 1,3 0))),MULTIPOINT((1 2),3 4,EMPTY))',
  );
  let refused = 0;
  for (let seed = 0; seed < 2000; seed++)
    if (readWkt(Buffer.from(mutate(whole, seed)).toString('latin1'), geometry) !== undefined) refused++;
  assert.ok(refused > 500 && refused < 1990, `${refused}`);
});
