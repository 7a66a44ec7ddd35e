import { clipRing, type Box, type Point } from '@platen/viewer/basemap/clip-to-box';
import { unwrapRing, type LonLat } from '@platen/viewer/basemap/unwrap-ring';

const decimals = 3;

function rounded(ring: readonly Point[], shiftDegrees: number): number[][] {
  const positions: number[][] = [];
  for (const [longitude, latitude] of ring) {
    const x = Number((longitude + shiftDegrees).toFixed(decimals));
    const y = Number(latitude.toFixed(decimals));
    const before = positions.at(-1);
    if (before === undefined || before[0] !== x || before[1] !== y) positions.push([x, y]);
  }
  return positions;
}

/** Natural Earth bounds Antarctica by a line on the pole itself, with the coast as its hole. */
function isOnPole(ring: readonly LonLat[]): boolean {
  return ring.every(([, latitude]) => Math.abs(latitude) > 89.9);
}

/** Twice the area on the plane, positive when the ring runs anticlockwise. */
function signedArea(ring: readonly number[][]): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at++) {
    const [x1 = 0, y1 = 0] = ring[at - 1] ?? [];
    const [x2 = 0, y2 = 0] = ring[at] ?? [];
    sum += x1 * y2 - x2 * y1;
  }
  return sum;
}

function turned(ring: number[][], way: 'anticlockwise' | 'clockwise'): number[][] {
  return signedArea(ring) > 0 === (way === 'anticlockwise') ? ring : ring.toReversed();
}

/**
 * The parts of a polygon on either side of the antimeridian, each within -180..180 and wound as RFC 7946 asks
 * (3.1.6, 3.1.9), with coordinates of three decimals (about 100 m). Rings round a pole are closed along it.
 */
export function cutAtAntimeridian(polygon: readonly (readonly LonLat[])[]): number[][][][] {
  const rings = polygon.filter((ring) => !isOnPole(ring)).map((ring) => unwrapRing(ring));
  const parts: number[][][][] = [];
  for (const shift of [-360, 0, 360]) {
    const box: Box = { minX: -180 - shift, minY: -90, maxX: 180 - shift, maxY: 90 };
    const [outer, ...holes] = rings.map((ring) => rounded(clipRing(ring, box), shift));
    // A triangle is the least a ring can be: three corners and the first again.
    if (outer === undefined || outer.length < 4) continue;
    const realHoles = holes.filter((hole) => hole.length >= 4);
    parts.push([turned(outer, 'anticlockwise'), ...realHoles.map((hole) => turned(hole, 'clockwise'))]);
  }
  return parts;
}
