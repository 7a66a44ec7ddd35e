/** A box in space, of whatever has been seen: nothing yet where the least is above the most. */
export interface Extent {
  readonly min: [number, number, number];
  readonly max: [number, number, number];
}

export const emptyExtent = (): Extent => ({
  min: [Infinity, Infinity, Infinity],
  max: [-Infinity, -Infinity, -Infinity],
});

/** Passes over positions that are not finite. */
export function growExtent({ min, max }: Extent, x: number, y: number, z: number): void {
  if (!Number.isFinite(x + y + z)) return;
  if (x < min[0]) min[0] = x;
  if (y < min[1]) min[1] = y;
  if (z < min[2]) min[2] = z;
  if (x > max[0]) max[0] = x;
  if (y > max[1]) max[1] = y;
  if (z > max[2]) max[2] = z;
}

export function isEmptyExtent({ min, max }: Extent): boolean {
  return !(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]);
}

/** All eight corners, to be transformed by a matrix or a projection. */
export function cornersOf({ min, max }: Extent): [number, number, number][] {
  const corners: [number, number, number][] = [];
  for (const x of [min[0], max[0]])
    for (const y of [min[1], max[1]]) for (const z of [min[2], max[2]]) corners.push([x, y, z]);
  return corners;
}
