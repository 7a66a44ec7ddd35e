/** Z and M of the positions of a geometry; NaN where a position has none. */
export interface PositionHeights {
  z: Float64Array;
  m: Float64Array;
  /** From this position on both are NaN. */
  end: number;
}

export function createHeights(capacity: number): PositionHeights {
  return { z: new Float64Array(capacity).fill(NaN), m: new Float64Array(capacity).fill(NaN), end: 0 };
}

export function growHeights(heights: PositionHeights, capacity: number): void {
  for (const axis of ['z', 'm'] as const) {
    const larger = new Float64Array(capacity).fill(NaN);
    larger.set(heights[axis]);
    heights[axis] = larger;
  }
}

/** @param m NaN where there is none */
export function setHeight(heights: PositionHeights, position: number, z: number, m: number): void {
  heights.z[position] = z;
  heights.m[position] = m;
  if (position >= heights.end) heights.end = position + 1;
}

/** Forgets those from a position on. */
export function clearHeights(heights: PositionHeights, from = 0): void {
  if (from >= heights.end) return;
  heights.z.fill(NaN, from, heights.end);
  heights.m.fill(NaN, from, heights.end);
  heights.end = from;
}

/** Takes one position out; those behind it move up. */
export function removeHeight({ z, m, end }: PositionHeights, position: number): void {
  if (position >= end) return;
  for (const axis of [z, m]) {
    axis.copyWithin(position, position + 1, end);
    axis[end - 1] = NaN;
  }
}

export function reverseHeights(heights: PositionHeights, from: number, to: number): void {
  heights.z.subarray(from, to).reverse();
  heights.m.subarray(from, to).reverse();
  if (heights.end > from) heights.end = Math.max(heights.end, to);
}

/** Along the chords of an arc, heights rise evenly from the position before `from` to `last`. */
export function riseTo(heights: PositionHeights, from: number, to: number, last: number): void {
  const first = heights.z[from - 1] ?? NaN;
  const steps = to - from;
  for (let i = 1; i <= steps; i++)
    setHeight(heights, from - 1 + i, first + ((last - first) * i) / steps, NaN);
}
