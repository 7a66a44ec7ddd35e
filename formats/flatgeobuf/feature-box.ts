import type { GeometryBuffer } from '../feature/geometry-buffer.ts';

/**
 * Writes west, south, east and north of a geometry to `box`. @returns false, if it has no position, or a coordinate that
 * is not finite
 */
export function boxOfFeature({ coordinates, positionCount }: GeometryBuffer, box: Float64Array): boolean {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let i = 0; i < positionCount * 2; i += 2) {
    const x = coordinates[i]!;
    const y = coordinates[i + 1]!;
    // NaN if either is not a finite number.
    if (x - x + y - y !== 0) return false;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  box[0] = west;
  box[1] = south;
  box[2] = east;
  box[3] = north;
  return positionCount > 0;
}

/** A box that contains nothing. */
export function clearBox(box: Float64Array): void {
  box.set([Infinity, Infinity, -Infinity, -Infinity]);
}

/** Extends a box by the one at `at`. */
export function extendBox(box: Float64Array, other: Float64Array, at: number): void {
  if (other[at]! < box[0]!) box[0] = other[at]!;
  if (other[at + 1]! < box[1]!) box[1] = other[at + 1]!;
  if (other[at + 2]! > box[2]!) box[2] = other[at + 2]!;
  if (other[at + 3]! > box[3]!) box[3] = other[at + 3]!;
}
