/** Flat surfaces in space: rings of positions, of each surface the outline first and then its holes. */
export interface SurfaceBuffer {
  /** x, y, z of each position; as long as it has ever been. */
  coordinates: Float64Array;
  positionCount: number;
  /** End of each ring, as an index of positions. */
  readonly ringEnds: number[];
  /** End of each surface, as an index of rings. */
  readonly surfaceEnds: number[];
  readonly maxPositions: number;
}

const firstPositions = 1024;

/** @param maxPositions further positions are dropped, because this is a sample */
export function createSurfaceBuffer(maxPositions: number): SurfaceBuffer {
  return {
    coordinates: new Float64Array(firstPositions * 3),
    positionCount: 0,
    ringEnds: [],
    surfaceEnds: [],
    maxPositions,
  };
}

export function isFull({ positionCount, maxPositions }: SurfaceBuffer): boolean {
  return positionCount >= maxPositions;
}

export function pushVertex(surfaces: SurfaceBuffer, x: number, y: number, z: number): void {
  const at = surfaces.positionCount * 3;
  if (at === surfaces.coordinates.length) {
    const larger = new Float64Array(at * 2);
    larger.set(surfaces.coordinates);
    surfaces.coordinates = larger;
  }
  surfaces.coordinates[at] = x;
  surfaces.coordinates[at + 1] = y;
  surfaces.coordinates[at + 2] = z;
  surfaces.positionCount++;
}

export function endRing({ ringEnds, positionCount }: SurfaceBuffer): void {
  if (positionCount > (ringEnds.at(-1) ?? 0)) ringEnds.push(positionCount);
}

export function endSurface({ ringEnds, surfaceEnds }: SurfaceBuffer): void {
  if (ringEnds.length > (surfaceEnds.at(-1) ?? 0)) surfaceEnds.push(ringEnds.length);
}
