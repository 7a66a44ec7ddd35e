import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { neverZoom, simplificationLimits, writeVertexZooms } from './vertex-zooms.ts';

const maxZoom = 6;
const limits = simplificationLimits(1, 64, maxZoom);

function zoomsOf(points: readonly (readonly [number, number])[], given = limits): number[] {
  const words = Int32Array.from(points.flat());
  const bytes = new Uint8Array(points.length);
  writeVertexZooms({ words, start: 0, count: points.length }, { bytes, zoomsStart: 0 }, given);
  return [...bytes];
}

function distance(
  [x, y]: readonly number[],
  [ax, ay]: readonly number[],
  [bx, by]: readonly number[],
): number {
  const dx = bx! - ax!;
  const dy = by! - ay!;
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x! - ax!) * dx + (y! - ay!) * dy) / squared));
  return Math.hypot(x! - ax! - dx * t, y! - ay! - dy * t);
}

const line = fc.array(fc.tuple(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -200, max: 200 })), {
  minLength: 2,
  maxLength: 60,
});

test('at every zoom no dropped vertex is farther from the simplified line than the limit', () => {
  fc.assert(
    fc.property(line, (points) => {
      const zooms = zoomsOf(points);
      for (let zoom = 0; zoom <= maxZoom; zoom++) {
        let last = 0;
        for (let i = 1; i < points.length; i++) {
          if (zooms[i]! > zoom) continue;
          for (let k = last + 1; k < i; k++) {
            assert.ok(distance(points[k]!, points[last]!, points[i]!) <= 64 / 2 ** zoom + 1e-9);
          }
          last = i;
        }
        assert.equal(last, points.length - 1, 'both ends are always needed');
      }
    }),
    { numRuns: 500 },
  );
});

test('a straight line needs its ends only, and no simplification needs every vertex', () => {
  const straight = Array.from({ length: 10 }, (_, i): [number, number] => [i * 7, i * 14]);
  assert.deepEqual(zoomsOf(straight), [0, ...Array.from({ length: 8 }, () => neverZoom), 0]);
  assert.deepEqual(
    zoomsOf(straight, simplificationLimits(0, 64, maxZoom)),
    straight.map(() => 0),
  );
});

test('a line made to be split off vertex by vertex is done all the same', () => {
  const zigzag = Array.from({ length: 300_000 }, (_, i): [number, number] => [
    (i % 2 === 0 ? 1 : -1) * (1e9 - i * 3000),
    i,
  ]);
  assert.equal(zoomsOf(zigzag).filter((zoom) => zoom === 0).length > 250_000, true);
});
