import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachRunInRings } from './cells-in-rings.ts';

const side = 16;
const square = { west: 10, north: 50, step: 0.25, side };
const degree = (middle: number) => fc.double({ min: middle - 4, max: middle + 4, noNaN: true });
const ring = fc.array(fc.tuple(degree(12), degree(48)), { minLength: 3, maxLength: 12 });

test('a cell is visited as often as its middle is inside by the even-odd rule: once or never', () => {
  fc.assert(
    fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), (rings) => {
      const coordinates = Float64Array.from(rings.flat(2));
      let end = 0;
      const ringEnds = rings.map((positions) => (end += positions.length));
      const visits = new Uint8Array(side * side);
      eachRunInRings({ coordinates, ringEnds }, square, (row, from, to) => {
        for (let column = from; column < to; column++) visits[row * side + column]!++;
      });
      for (let i = 0; i < side * side; i++) {
        const lon = square.west + ((i % side) + 0.5) * square.step;
        const lat = square.north - (Math.floor(i / side) + 0.5) * square.step;
        assert.equal(visits[i], isInside(rings, lon, lat) ? 1 : 0, `cell ${i}`);
      }
    }),
  );
});

/** By the edges that a ray to the west crosses. */
function isInside(
  rings: readonly (readonly (readonly [number, number])[])[],
  lon: number,
  lat: number,
): boolean {
  let inside = false;
  for (const positions of rings) {
    for (const [i, [x, y]] of positions.entries()) {
      const [fromX, fromY] = positions.at(i - 1)!;
      if (fromY > lat === y > lat) continue;
      if (fromX + ((x - fromX) * (lat - fromY)) / (y - fromY) <= lon) inside = !inside;
    }
  }
  return inside;
}
