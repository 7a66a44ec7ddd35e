import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOf, type SurfaceSet } from '@platen/formats/city-object/surface-set';
import fc from 'fast-check';
import { triangulate } from '../shape/triangulate.ts';
import { buildingHeights, metres } from './building-heights.ts';
import { extrudeFootprints } from './extrude.ts';
import { roofShapes } from './roofs.ts';

const looks = { walls: -1, roof: -1 };
const [lon, lat] = [8, 50];
const perLat = 111_320;
const perLon = perLat * Math.cos((lat * Math.PI) / 180);

/** Metres around the place as longitude and latitude. */
const placed = (ring: readonly (readonly [number, number])[]) =>
  ring.map(([x, y]) => [lon + x / perLon, lat + y / perLat] as const);

/** Metres of all positions. */
const localOf = (set: SurfaceSet): Float64Array =>
  set.positions
    .slice(0, set.positionCount * 3)
    .map((value, i) => (i % 3 === 0 ? (value - lon) * perLon : i % 3 === 1 ? (value - lat) * perLat : value));

/** Cubic metres within surfaces that look outwards. */
function volumeOf(set: SurfaceSet): number {
  const positions = localOf(set);
  let volume = 0;
  for (let surface = 0; surface < set.surfaceEnds.length; surface++) {
    const made = triangulate(set, surface, positions);
    if (made === undefined) continue;
    const { positions: p, triangles } = made;
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [triangles[i]! * 3, triangles[i + 1]! * 3, triangles[i + 2]! * 3];
      volume +=
        (p[a]! * (p[b + 1]! * p[c + 2]! - p[b + 2]! * p[c + 1]!) +
          p[a + 1]! * (p[b + 2]! * p[c]! - p[b]! * p[c + 2]!) +
          p[a + 2]! * (p[b]! * p[c + 1]! - p[b + 1]! * p[c]!)) /
        6;
    }
  }
  return volume;
}

/** Every edge is used once in each direction. */
function isClosed(set: SurfaceSet): boolean {
  const positions = localOf(set);
  const key = (i: number): string =>
    [0, 1, 2].map((axis) => Math.round(positions[i * 3 + axis]! * 1000)).join();
  const edges = new Map<string, number>();
  for (let ring = 0; ring < set.ringEnds.length; ring++) {
    const [start, end] = [startOf(set.ringEnds, ring), set.ringEnds[ring]!];
    for (let i = start; i < end; i++) {
      const [from, to] = [key(i), key(i + 1 === end ? start : i + 1)];
      if (from === to) continue;
      const [edge, sign] = from < to ? [`${from} ${to}`, 1] : [`${to} ${from}`, -1];
      edges.set(edge, (edges.get(edge) ?? 0) + sign);
    }
  }
  return [...edges.values()].every((sum) => sum === 0);
}

const rectangle = [
  [0, 0],
  [20, 0],
  [20, 10],
  [0, 10],
] as const;

const volumes: Readonly<Record<(typeof roofShapes)[number], number>> = {
  flat: 20 * 10 * 10,
  gabled: 20 * 10 * 7 + (20 * 10 * 3) / 2,
  skillion: 20 * 10 * 7 + (20 * 10 * 3) / 2,
  pyramidal: 20 * 10 * 7 + (20 * 10 * 3) / 3,
  hipped: 20 * 10 * 7 + (10 * 10 * 3) / 2 + (10 * 10 * 3) / 3,
  dome: 0,
  onion: 0,
};

for (const roof of roofShapes) {
  test(`a house with a roof of the shape ${roof} is closed, looks outwards, and is as large as it should be`, () => {
    for (const ring of [rectangle, rectangle.toReversed()]) {
      const heights = { bottom: 0, top: 10, roof, roofHeight: 3 };
      const set = extrudeFootprints([[placed(ring)]], heights, { looks, groundHeight: 0 });
      assert.ok(isClosed(set));
      const volume = volumeOf(set);
      if (volumes[roof] > 0) assert.ok(Math.abs(volume - volumes[roof]) < 1, `${volume} m³`);
      else assert.ok(volume > 20 * 10 * 7 && volume < 20 * 10 * 10, `${volume} m³`);
      const levels = [...localOf(set)].filter((_, i) => i % 3 === 2);
      assert.ok(Math.abs(Math.max(...levels) - 10) < 1e-9 && Math.min(...levels) === 0);
    }
  });
}

test('any convex footprint has a closed house under any roof, turned in any direction', () => {
  const angles = fc.uniqueArray(fc.integer({ min: 0, max: 71 }), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(
      angles,
      fc.constantFrom(...roofShapes),
      fc.double({ min: 3, max: 60, noNaN: true }),
      fc.double({ min: 0, max: 6.28, noNaN: true }),
      (all, roof, radius, turn) => {
        const ring = all
          .toSorted((a, b) => a - b)
          .map((step) => {
            const angle = (step / 72) * 2 * Math.PI;
            const [x, y] = [radius * 2 * Math.cos(angle), radius * Math.sin(angle)];
            return [
              x * Math.cos(turn) - y * Math.sin(turn),
              x * Math.sin(turn) + y * Math.cos(turn),
            ] as const;
          });
        const heights = { bottom: 2, top: 14, roof, roofHeight: 5 };
        const set = extrudeFootprints([[placed(ring)]], heights, { looks, groundHeight: 100 });
        assert.ok(isClosed(set));
        assert.ok(volumeOf(set) > 0);
      },
    ),
  );
});

test('courtyards stay open', () => {
  const hole = [
    [5, 2],
    [15, 2],
    [15, 8],
    [5, 8],
  ] as const;
  const heights = { bottom: 0, top: 10, roof: 'gabled', roofHeight: 3 } as const;
  const set = extrudeFootprints([[placed(rectangle), placed(hole)]], heights, { looks, groundHeight: 0 });
  assert.ok(isClosed(set));
  assert.ok(Math.abs(volumeOf(set) - (20 * 10 - 10 * 6) * 10) < 1);
});

test('heights come from the tags that there are', () => {
  const options = {
    height: undefined,
    base: undefined,
    levels: undefined,
    levelHeight: 3,
    defaultHeight: 6,
    roof: 'flat',
  } as const;
  const of = (values: Record<string, unknown>, more = {}) => {
    const { bottom, top, roof, roofHeight } = buildingHeights(values, { ...options, ...more });
    return [bottom, top, roof, roofHeight];
  };
  assert.deepEqual(of({}), [0, 6, 'flat', undefined]);
  assert.deepEqual(of({ 'building:levels': '4', 'roof:levels': 1, 'roof:shape': 'gabled' }), [
    0,
    15,
    'gabled',
    3,
  ]);
  assert.deepEqual(of({ height: '40 ft', min_height: 3 }), [3, 40 * 0.3048, 'flat', undefined]);
  assert.deepEqual(of({ HOEHE: '12,5', height: 3 }, { height: 'HOEHE' }), [0, 12.5, 'flat', undefined]);
  assert.deepEqual(of({ GESCHOSSE: 5, SOCKEL: 2 }, { levels: 'GESCHOSSE', base: 'SOCKEL' }), [
    2,
    15,
    'flat',
    undefined,
  ]);
  assert.deepEqual(of({ height: 2, min_height: 5, 'building:min_level': 9 }), [5, 5.1, 'flat', undefined]);
  assert.deepEqual(['1e9', 'high', '', '12 km', NaN, null].map(metres), Array.from({ length: 6 }));
});
