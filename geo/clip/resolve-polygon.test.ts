import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkPolygon, isSurelySimple } from './check-polygon.ts';
import { noContact } from './edge-contact.ts';
import { createRings, pushRing, type Rings } from './edges.ts';
import { resolvePolygon } from './resolve-polygon.ts';
import { areaOf, assertValid, distanceTo, windingOf, type Point, type Ring } from './testing.ts';

const frame = { low: -1e6, high: 1e6 };

function ringsOf(polygon: readonly Ring[]): Rings {
  const rings = createRings();
  for (const ring of polygon) pushRing(rings, Float64Array.from(ring.flat()), ring.length);
  return rings;
}

const pointsOf = (ring: Float64Array): Ring =>
  Array.from({ length: ring.length / 2 }, (_, i): Point => [ring[i * 2]!, ring[i * 2 + 1]!]);

function resolve(polygon: readonly Ring[]): Ring[][] {
  const resolved = resolvePolygon(ringsOf(polygon));
  assert.ok(resolved !== undefined);
  return resolved.map((rings) => rings.map(pointsOf));
}

const covers = (polygons: readonly (readonly Ring[])[], x: number, y: number): boolean =>
  polygons.some(
    ([outer, ...holes]) =>
      windingOf(outer!, x, y) !== 0 && holes.every((hole) => windingOf(hole, x, y) === 0),
  );

/** Small grids make touching and overlapping edges usual. */
const ring = (size: number, maxPoints: number) =>
  fc.array(fc.tuple(fc.nat({ max: size }), fc.nat({ max: size })), {
    minLength: 3,
    maxLength: maxPoints,
    size: 'max',
  });
const polygon = fc
  .constantFrom([4, 8], [12, 12], [60, 10], [1000, 30])
  .chain(([size, maxPoints]) =>
    fc.tuple(ring(size!, maxPoints!), fc.array(ring(size!, maxPoints!), { maxLength: 2 })),
  )
  .map(([outer, holes]) => [outer].concat(holes));

test('rings that cross and touch at will become valid polygons that cover the same', () => {
  fc.assert(
    fc.property(polygon, (given) => {
      const [outer, ...holes] = given;
      const polygons = resolve(given);
      for (const rings of polygons) assertValid(rings);
      for (const [i, rings] of polygons.entries()) {
        // Polygons of one geometry share no area, and holes lie within their outer ring.
        for (const each of rings.slice(1)) {
          const [[ax, ay], [bx, by]] = each as [Point, Point];
          assert.notEqual(windingOf(rings[0]!, (ax + bx) / 2, (ay + by) / 2), 0);
        }
        for (const other of polygons.slice(0, i)) {
          const [[ax, ay], [bx, by]] = rings[0] as unknown as [Point, Point];
          const middle: Point = [(ax + bx) / 2, (ay + by) / 2];
          assert.ok(!covers([other], ...middle) || distanceTo(other, ...middle) === 0);
        }
      }
      const all = given.flat();
      const right = Math.max(...all.map(([x]) => x));
      const low = Math.max(...all.map(([, y]) => y));
      for (let i = 0; i < 300; i++) {
        const x = ((i * 0.618_034) % 1) * right;
        const y = ((i * 0.754_878) % 1) * low;
        const isCovered =
          windingOf(outer!, x, y) !== 0 && holes.reduce((sum, hole) => sum + windingOf(hole, x, y), 0) === 0;
        if (covers(polygons, x, y) !== isCovered)
          assert.ok(distanceTo(given, x, y) < 1.5, `${x} ${y} is covered wrongly`);
      }
    }),
    { numRuns: 3000 },
  );
});

test('rings are found to be good exactly if comparing every edge with every other finds nothing', () => {
  const isGood = (rings: readonly Ring[]): boolean => {
    try {
      assertValid(rings);
      return true;
    } catch {
      return false;
    }
  };
  const star = fc.array(fc.nat({ max: 50 }), { minLength: 3, maxLength: 60, size: 'max' }).map((radii) =>
    radii.map((radius, i): Point => {
      const angle = (i / radii.length) * 2 * Math.PI;
      return [Math.round(Math.cos(angle) * (radius + 5)), Math.round(Math.sin(angle) * (radius + 5))];
    }),
  );
  let good = 0;
  fc.assert(
    fc.property(fc.oneof(star, ring(30, 8), ring(1000, 4)), (given) => {
      const area = areaOf(given);
      if (area === 0) return;
      const turned = area > 0 ? given : given.toReversed();
      const wanted = isGood([turned]);
      if (wanted) good++;
      assert.equal(checkPolygon(ringsOf([turned]), frame) === noContact, wanted);
      if (isSurelySimple(Float64Array.from(turned.flat()), turned.length)) assert.ok(wanted);
    }),
    { numRuns: 3000 },
  );
  assert.ok(good > 500);
});

const square = (x: number, y: number, size: number): Ring => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
];

test('holes outside their outer ring, or inside another hole, are noticed and taken out', () => {
  const outer = square(0, 0, 100);
  const hole = square(10, 10, 30).toReversed();
  const outside = square(200, 10, 30).toReversed();
  const nested = square(15, 15, 10).toReversed();
  assert.equal(checkPolygon(ringsOf([outer, hole]), frame), noContact);
  assert.notEqual(checkPolygon(ringsOf([outer, outside]), frame), noContact);
  assert.notEqual(checkPolygon(ringsOf([outer, hole, nested]), frame), noContact);
  assert.deepEqual(
    resolve([outer, hole, outside, nested]).map((rings) => rings.map(areaOf)),
    [[20_000, -1800]],
  );
});

test('an hourglass becomes two triangles, a bridge without width is taken down', () => {
  const hourglass: Ring = [
    [0, 0],
    [10, 0],
    [0, 10],
    [10, 10],
  ];
  assert.deepEqual(
    resolve([hourglass]).map((rings) => rings.map(areaOf)),
    [[50], [50]],
  );
  const bridge: Ring = [
    ...square(0, 0, 10).slice(0, 2),
    [10, 5],
    [30, 5],
    ...square(30, 0, 10),
    [30, 5],
    [10, 5],
    [10, 10],
    [0, 10],
  ];
  assert.deepEqual(
    resolve([bridge]).map((rings) => rings.map(areaOf)),
    [[200], [200]],
  );
});

test('rings made to be hard are given up in bounded time', () => {
  let state = 7;
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const chaos = (count: number): Ring =>
    Array.from({ length: count }, (): Point => [Math.round(random() * 4096), Math.round(random() * 4096)]);
  const nested = Array.from({ length: 1000 }, (_, i) =>
    i === 0 ? square(0, 0, 4096) : square(i * 2, i * 2, 4096 - i * 4).toReversed(),
  );
  const started = process.cpuUsage();
  for (const count of [3000, 100_000, 1_000_000]) {
    const rings = ringsOf([chaos(count)]);
    assert.notEqual(checkPolygon(rings, frame), noContact);
    assert.equal(resolvePolygon(rings), undefined);
  }
  assert.deepEqual(
    resolve(nested).map((rings) => rings.length),
    [2],
  );
  const { user } = process.cpuUsage(started);
  assert.ok(user < 8e6, `${user / 1e6} s`);
});
