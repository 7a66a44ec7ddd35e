/**
 * The convex hull of points, counter-clockwise (Andrew 1979).
 * @param stride numbers of each point, of which the first two count
 */
export function convexHull(positions: ArrayLike<number>, stride: 2 | 3): (readonly [x: number, y: number])[] {
  const points: (readonly [number, number])[] = [];
  let [lastX, lastY] = [NaN, NaN];
  for (let i = 0; i < positions.length; i += stride) {
    const [x, y] = [positions[i]!, positions[i + 1]!];
    if (x !== lastX || y !== lastY) points.push([x, y]); // corners of walls are there twice
    [lastX, lastY] = [x, y];
  }
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: readonly (readonly [number, number])[]) => {
    const chain: (readonly [number, number])[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 1e-9) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(points), ...half(points.toReversed())];
}

const turn = (
  a: readonly [number, number],
  b: readonly [number, number],
  c: readonly [number, number],
): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
