/** Twice the area of a ring, positive if it runs clockwise on the screen (y downwards), as outer rings must. */
export function measureRing(ring: Float64Array, count: number): number {
  let twice = 0;
  let px = ring[count * 2 - 2]!;
  let py = ring[count * 2 - 1]!;
  for (let i = 0; i < count; i++) {
    const x = ring[i * 2]!;
    const y = ring[i * 2 + 1]!;
    twice += px * y - x * py;
    px = x;
    py = y;
  }
  return twice;
}

/** Turns a ring around; its first vertex stays the first. */
export function reverseRing(ring: Float64Array, count: number): void {
  for (let i = 1, j = count - 1; i < j; i++, j--) {
    const x = ring[i * 2]!;
    const y = ring[i * 2 + 1]!;
    ring[i * 2] = ring[j * 2]!;
    ring[i * 2 + 1] = ring[j * 2 + 1]!;
    ring[j * 2] = x;
    ring[j * 2 + 1] = y;
  }
}

/**
 * Rounds a clipped ring in place and removes what clipping leaves along the cutting lines: repeated vertices,
 * vertices in mid-edge, and spikes that run along a line and back. Returns the new vertex count.
 */
export function tidyRing(ring: Float64Array, count: number, low: number, high: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const x = Math.round(ring[i * 2]!);
    const y = Math.round(ring[i * 2 + 1]!);
    kept = append(ring, kept, x, y, low, high);
  }
  // The seam between the end and the start gets the same treatment, by walking on over the first vertices.
  let first = 0;
  for (;;) {
    if (kept - first < 3) return 0;
    const a = kept - 1;
    if (same(ring, a, first) || useless(ring, a - 1, a, first, low, high)) kept--;
    else if (useless(ring, a, first, first + 1, low, high)) first++;
    else break;
  }
  ring.copyWithin(0, first * 2, kept * 2);
  return kept - first;
}

function append(ring: Float64Array, kept: number, x: number, y: number, low: number, high: number): number {
  ring[kept * 2] = x;
  ring[kept * 2 + 1] = y;
  while (kept > 0) {
    if (same(ring, kept - 1, kept)) return kept;
    if (kept < 2 || !useless(ring, kept - 2, kept - 1, kept, low, high)) break;
    ring[kept * 2 - 2] = x;
    ring[kept * 2 - 1] = y;
    kept--;
  }
  return kept + 1;
}

function same(ring: Float64Array, a: number, b: number): boolean {
  return ring[a * 2] === ring[b * 2] && ring[a * 2 + 1] === ring[b * 2 + 1];
}

/** Whether b lies with a and c on one cutting line, so that it adds no area. */
function useless(ring: Float64Array, a: number, b: number, c: number, low: number, high: number): boolean {
  const x = ring[b * 2]!;
  if ((x === low || x === high) && ring[a * 2] === x && ring[c * 2] === x) return true;
  const y = ring[b * 2 + 1]!;
  return (y === low || y === high) && ring[a * 2 + 1] === y && ring[c * 2 + 1] === y;
}
