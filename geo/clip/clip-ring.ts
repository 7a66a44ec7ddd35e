let other: Float64Array = new Float64Array(1024);

/**
 * Clips a ring to the square from `low` to `high`, inclusive (Sutherland–Hodgman).
 * @param ring x, y of `count` vertices, the first not repeated at the end; overwritten
 * @returns the array that now holds the result (`ring`, or a larger one in its place) and its vertex count
 */
export function clipRing(
  ring: Float64Array,
  count: number,
  low: number,
  high: number,
): { ring: Float64Array; count: number } {
  let source = ring;
  // One side can at most double the vertices of a ring that zigzags across it.
  for (let side = 0; side < 4 && count > 0; side++) {
    if (other.length < count * 4) other = new Float64Array(count * 8);
    const target = other;
    const axis = side >> 1;
    const limit = (side & 1) === 0 ? low : high;
    const sign = (side & 1) === 0 ? 1 : -1;
    let made = 0;
    let px = source[count * 2 - 2]!;
    let py = source[count * 2 - 1]!;
    let pInside = ((axis === 0 ? px : py) - limit) * sign >= 0;
    for (let i = 0; i < count; i++) {
      const x = source[i * 2]!;
      const y = source[i * 2 + 1]!;
      const inside = ((axis === 0 ? x : y) - limit) * sign >= 0;
      if (inside !== pInside) {
        if (axis === 0) {
          target[made * 2] = limit;
          target[made * 2 + 1] = crossing(px, py, x, y, limit);
        } else {
          target[made * 2] = crossing(py, px, y, x, limit);
          target[made * 2 + 1] = limit;
        }
        made++;
      }
      if (inside) {
        target[made * 2] = x;
        target[made * 2 + 1] = y;
        made++;
      }
      px = x;
      py = y;
      pInside = inside;
    }
    other = source;
    source = target;
    count = made;
  }
  return { ring: source, count };
}

/**
 * The v at which the edge a–b crosses u = `limit`. The result for b–a is the same, so neighbouring polygons agree.
 */
export function crossing(au: number, av: number, bu: number, bv: number, limit: number): number {
  return au < bu ? av + ((bv - av) * (limit - au)) / (bu - au) : bv + ((av - bv) * (limit - bu)) / (au - bu);
}
