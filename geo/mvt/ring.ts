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

/** Reverses a ring; its first vertex stays first. */
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

let rotated = new Float64Array(1024);

/**
 * Rotates a ring so that it begins at its smallest vertex, by x, then y, then the vertex after it. Where a clipped ring
 * begins otherwise depends on vertices outside the tile.
 */
export function startAtSmallest(ring: Float64Array, count: number): void {
  let smallest = 0;
  for (let i = 1; i < count; i++) if (isBefore(ring, count, i, smallest)) smallest = i;
  if (smallest === 0) return;
  if (rotated.length < count * 2) rotated = new Float64Array(count * 4);
  const at = smallest * 2;
  rotated.set(ring.subarray(at, count * 2));
  rotated.set(ring.subarray(0, at), count * 2 - at);
  ring.set(rotated.subarray(0, count * 2));
}

function isBefore(ring: Float64Array, count: number, a: number, b: number): boolean {
  for (let step = 0; step < 2; step++) {
    const i = ((a + step) % count) * 2;
    const j = ((b + step) % count) * 2;
    if (ring[i] !== ring[j]) return ring[i]! < ring[j]!;
    if (ring[i + 1] !== ring[j + 1]) return ring[i + 1]! < ring[j + 1]!;
  }
  return false;
}

/**
 * Rounds a clipped ring in place and removes what clipping leaves along the clip lines: repeated vertices, collinear
 * vertices and spikes. @returns the new vertex count
 */
export function tidyRing(ring: Float64Array, count: number, low: number, high: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const x = Math.round(ring[i * 2]!);
    const y = Math.round(ring[i * 2 + 1]!);
    kept = append(ring, kept, x, y, low, high);
  }
  // The seam between end and start is treated the same way, continuing over the first vertices.
  let first = 0;
  for (;;) {
    if (kept - first < 3) return 0;
    const a = kept - 1;
    if (isSame(ring, a, first) || isRedundant(ring, a - 1, a, first, low, high)) kept--;
    else if (isRedundant(ring, a, first, first + 1, low, high)) first++;
    else break;
  }
  ring.copyWithin(0, first * 2, kept * 2);
  return kept - first;
}

function append(ring: Float64Array, kept: number, x: number, y: number, low: number, high: number): number {
  ring[kept * 2] = x;
  ring[kept * 2 + 1] = y;
  while (kept > 0) {
    if (isSame(ring, kept - 1, kept)) return kept;
    if (kept < 2 || !isRedundant(ring, kept - 2, kept - 1, kept, low, high)) break;
    ring[kept * 2 - 2] = x;
    ring[kept * 2 - 1] = y;
    kept--;
  }
  return kept + 1;
}

function isSame(ring: Float64Array, a: number, b: number): boolean {
  return ring[a * 2] === ring[b * 2] && ring[a * 2 + 1] === ring[b * 2 + 1];
}

/** Whether b is on the same clip line as a and c, so that it adds no area. */
function isRedundant(
  ring: Float64Array,
  a: number,
  b: number,
  c: number,
  low: number,
  high: number,
): boolean {
  const x = ring[b * 2]!;
  if ((x === low || x === high) && ring[a * 2] === x && ring[c * 2] === x) return true;
  const y = ring[b * 2 + 1]!;
  return (y === low || y === high) && ring[a * 2 + 1] === y && ring[c * 2 + 1] === y;
}
