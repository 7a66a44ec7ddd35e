import {
  createSurfaceSet,
  endRing3d,
  endSurface3d,
  pushPosition3d,
  startOf,
  type SurfaceSet,
} from './surface-set.ts';

/** Surfaces with all positions moved. @param matrix 4 × 4, row by row */
export function transformSurfaces(from: SurfaceSet, matrix: readonly number[]): SurfaceSet {
  const set = createSurfaceSet();
  let ring = 0;
  for (const [surface, end] of from.surfaceEnds.entries()) {
    for (; ring < end; ring++) {
      for (let i = startOf(from.ringEnds, ring); i < from.ringEnds[ring]!; i++) {
        const [x, y, z] = [from.positions[i * 3]!, from.positions[i * 3 + 1]!, from.positions[i * 3 + 2]!];
        const along = (row: number): number =>
          matrix[row * 4]! * x + matrix[row * 4 + 1]! * y + matrix[row * 4 + 2]! * z + matrix[row * 4 + 3]!;
        pushPosition3d(set, along(0), along(1), along(2));
      }
      endRing3d(set);
    }
    endSurface3d(set, from.roles[surface]!, from.looks[surface]!);
  }
  set.uvs = from.uvs;
  return set;
}
