import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createSurfaceSet,
  endRing3d,
  endSurface3d,
  pushPosition3d,
} from '@platen/formats/city-object/surface-set';
import fc from 'fast-check';
import { triangulate } from './triangulate.ts';

type Point = readonly [number, number, number];

function surfaceOf(rings: readonly (readonly Point[])[]) {
  const set = createSurfaceSet();
  for (const ring of rings) {
    for (const [x, y, z] of ring) pushPosition3d(set, x, y, z);
    endRing3d(set);
  }
  endSurface3d(set, 0);
  const made = triangulate(set, 0, set.positions.slice(0, set.positionCount * 3));
  return made && { ...made, positions: made.positions.slice(0, made.count * 3) };
}

function areaAndNormal({
  positions: p,
  triangles,
}: NonNullable<ReturnType<typeof surfaceOf>>): [area: number, along: Point] {
  const sum = [0, 0, 0];
  let area = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i]! * 3, triangles[i + 1]! * 3, triangles[i + 2]! * 3];
    const e = (to: number, axis: number): number => p[to + axis]! - p[a + axis]!;
    const cross = [0, 1, 2].map(
      (k) => e(b, (k + 1) % 3) * e(c, (k + 2) % 3) - e(b, (k + 2) % 3) * e(c, (k + 1) % 3),
    );
    area += Math.hypot(...cross) / 2;
    for (const k of [0, 1, 2]) sum[k]! += cross[k]! / 2;
  }
  return [area, sum as unknown as Point];
}

/** A star-shaped ring with a hole in a plane in any direction. */
const star = fc.record({
  radii: fc.array(fc.double({ min: 2, max: 30, noNaN: true }), { minLength: 3, maxLength: 20 }),
  turn: fc.double({ min: 0, max: 6.28, noNaN: true }),
  tilt: fc.double({ min: 0, max: 3.14, noNaN: true }),
  hasHole: fc.boolean(),
  isClosed: fc.boolean(),
});

test('triangles cover a surface in any direction exactly, and look where it looks', () => {
  fc.assert(
    fc.property(star, ({ radii, turn, tilt, hasHole, isClosed }) => {
      const place = (radius: number, angle: number): Point => {
        const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
        const [u, v, w] = [x, y * Math.cos(tilt), y * Math.sin(tilt)];
        return [u * Math.cos(turn) - v * Math.sin(turn), u * Math.sin(turn) + v * Math.cos(turn), w];
      };
      const angleOf = (i: number): number => (i / radii.length) * 2 * Math.PI;
      const outer = radii.map((radius, i) => place(radius, angleOf(i)));
      const hole = [0, 1, 2].map((i) => place(0.5, (-i / 3) * 2 * Math.PI));
      const close = (ring: readonly Point[]): readonly Point[] => (isClosed ? [...ring, ring[0]!] : ring);
      const made = surfaceOf(hasHole ? [close(outer), close(hole)] : [close(outer)]);
      const wedge = (a: number, b: number, angle: number): number => (a * b * Math.sin(angle)) / 2;
      const step = (2 * Math.PI) / radii.length;
      const whole = radii.reduce(
        (sum, radius, i) => sum + wedge(radius, radii[(i + 1) % radii.length]!, step),
        0,
      );
      const expected = whole - (hasHole ? 3 * wedge(0.5, 0.5, (2 * Math.PI) / 3) : 0);
      const [area, along] = areaAndNormal(made!);
      assert.ok(Math.abs(area - expected) < 1e-6 * whole, `${area} instead of ${expected}`);
      const [nx, ny, nz] = made!.normal;
      assert.ok(Math.abs(along[0] * nx + along[1] * ny + along[2] * nz - expected) < 1e-6 * whole);
    }),
  );
});

test('surfaces without an area have no triangles', () => {
  assert.equal(
    surfaceOf([
      [
        [0, 0, 0],
        [1, 1, 1],
        [2, 2, 2],
      ],
    ]),
    undefined,
  );
  assert.equal(
    surfaceOf([
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 0],
      ],
    ]),
    undefined,
  );
  assert.equal(
    surfaceOf([
      [
        [5, 5, 5],
        [5, 5, 5],
        [5, 5, 5],
      ],
    ]),
    undefined,
  );
});
