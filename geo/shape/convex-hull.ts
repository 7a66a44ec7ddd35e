/** Up to so many different points, each that is there twice is left out before they are sorted. */
const maxCompared = 64;

/**
 * The convex hull of points, counter-clockwise (Andrew 1979).
 * @param stride numbers of each point, of which the first two count
 */
export function convexHull(positions: ArrayLike<number>, stride: 2 | 3): (readonly [x: number, y: number])[] {
  const points: (readonly [number, number])[] = [];
  for (let i = 0; i < positions.length; i += stride) {
    const x = positions[i]!;
    const y = positions[i + 1]!;
    if (!isAmong(points, x, y)) points.push([x, y]);
  }
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...halfHull(points), ...halfHull(points.reverse())];
}

/** Whether a point is among others, if they are few: corners of buildings are there many times. */
function isAmong(points: readonly (readonly [number, number])[], x: number, y: number): boolean {
  const count = Math.min(points.length, maxCompared);
  for (let i = 0; i < count; i++) {
    const point = points[i]!;
    if (point[0] === x && point[1] === y) return true;
  }
  return false;
}

function halfHull(ordered: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const chain: (readonly [number, number])[] = [];
  for (const point of ordered) {
    while (chain.length >= 2 && turn(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 1e-9)
      chain.pop();
    chain.push(point);
  }
  chain.pop();
  return chain;
}

const turn = (
  a: readonly [number, number],
  b: readonly [number, number],
  c: readonly [number, number],
): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
