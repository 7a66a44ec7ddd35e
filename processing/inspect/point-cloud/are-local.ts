import type { Place } from '@platen/formats/points/point-file';

/** Coordinates of grids are larger, in metres as in feet. */
const maxLocal = 20_000;

/** Whether coordinates that no system is named for count from a scanner, or from any other place that nothing names. */
export function areLocal({ min, max }: { readonly min: Place; readonly max: Place }): boolean {
  const reach = (corner: Place): number => Math.max(Math.abs(corner[0]), Math.abs(corner[1]));
  return Math.max(reach(min), reach(max)) < maxLocal;
}
