import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlainPart } from '../wkb/testing.ts';
import { assignRings } from './assign-rings.ts';
import { encodeShp } from './testing.ts';
import { read, geometries, square, hole } from './testing-reading.ts';

test('holes are assigned to their outer ring, whatever the order of the rings', async () => {
  const outer = square(0, 0, 100);
  const lake = hole(10, 10, 50);
  const island = square(20, 20, 20);
  const pond = hole(25, 25, 5);
  const other = square(200, 0, 10);
  const touching = hole(0, 60, 40);
  const expected = new Set([
    JSON.stringify([outer, lake, touching]),
    JSON.stringify([island, pond]),
    JSON.stringify([other]),
  ]);
  for (const rings of [
    [outer, lake, touching, island, pond, other],
    [pond, lake, touching, other, island, outer],
    [other, pond, island, lake, outer, touching],
  ]) {
    const [[[type, polygons]]] = (await geometries([{ type: 5, parts: rings }])) as [[PlainPart]];
    assert.equal(type, 'MultiPolygon');
    assert.deepEqual(new Set(polygons.map((polygon) => JSON.stringify(polygon))), expected);
  }
});

test('a hole outside all outer rings becomes an outer ring, and rings that all turn the wrong way are accepted', async () => {
  const lost = hole(500, 500, 10);
  assert.deepEqual(await geometries([{ type: 5, parts: [square(0, 0, 10), lost] }]), [
    [['MultiPolygon', [[square(0, 0, 10)], [lost]]]],
  ]);
  // The hole is in the bounding box of the outer ring, but not in the ring.
  const corner = [
    [0, 0],
    [0, 100],
    [100, 100],
    [0, 0],
  ];
  assert.deepEqual(await geometries([{ type: 5, parts: [corner, hole(80, 10, 5)] }]), [
    [['MultiPolygon', [[corner], [hole(80, 10, 5)]]]],
  ]);
  assert.deepEqual(await geometries([{ type: 5, parts: [hole(0, 0, 10)] }]), [
    [['Polygon', [[hole(0, 0, 10)]]]],
  ]);
  assert.deepEqual(await geometries([{ type: 5, parts: [hole(0, 0, 10), square(2, 2, 3)] }]), [
    [['Polygon', [[hole(0, 0, 10), square(2, 2, 3)]]]],
  ]);
});

test('10,000 rings are assigned within 0.2 s, and 60,000 entangled rings are refused', async () => {
  const parts: number[][][] = [];
  for (let x = 0; x < 100; x++)
    for (let y = 0; y < 50; y++) parts.push(square(x * 10, y * 10, 9), hole(x * 10 + 1, y * 10 + 1, 5));
  parts.sort(
    (a, b) =>
      ((a[1]![0]! * 7919 + a[1]![1]! * 104729) % 997) - ((b[1]![0]! * 7919 + b[1]![1]! * 104729) % 997),
  );
  const [[[, polygons]]] = (await geometries([{ type: 5, parts }])) as [[PlainPart]];
  assert.equal(polygons.length, 5000);
  assert.ok(polygons.every((rings) => rings.length === 2));
  const coordinates = Float64Array.from(parts.flat(2));
  const before = process.cpuUsage();
  assignRings(
    coordinates,
    parts.map((_, i) => (i + 1) * 5),
  );
  const { user } = process.cpuUsage(before);
  assert.ok(user < 200_000, `${user} µs`);

  const nested = Array.from({ length: 60_000 }, (_, i) =>
    (i % 2 === 0 ? square : hole)(i / 2, i / 2, 100_000 - i),
  );
  const refusing = process.cpuUsage();
  const { seen } = await read({ shp: encodeShp([{ type: 5, parts: nested }, { type: 0 }]).shp });
  assert.match(seen[0]!.problem!, /overlap so much/);
  assert.equal(seen[1]!.problem, undefined);
  const cpu = process.cpuUsage(refusing).user;
  assert.ok(cpu < 6e6, `${cpu} µs`);
});

test('a MultiPatch becomes its triangles and rings as seen from above', async () => {
  const strip = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const [[[type, polygons]]] = (await geometries([
    {
      type: 31,
      parts: [strip, strip, square(10, 0, 5), hole(11, 1, 2), square(20, 0, 5), square(21, 1, 1)],
      partTypes: [0, 1, 2, 3, 4, 5],
    },
  ])) as [[PlainPart]];
  assert.equal(type, 'MultiPolygon');
  assert.deepEqual(polygons, [
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
        [0, 1],
        [1, 1],
        [1, 0],
      ],
    ],
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
        [0, 0],
        [0, 1],
        [1, 1],
        [0, 0],
      ],
    ],
    [square(10, 0, 5), hole(11, 1, 2)],
    [square(20, 0, 5), square(21, 1, 1)],
  ]);
});
