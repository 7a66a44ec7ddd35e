import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { fromLocal } from '@platen/geo/geodesy/local-frame';
import type { Cloud } from '@platen/geo/point-tree/cloud';
import { unitsPerMetre, type RootCube } from '../place/root-cube.ts';

/** Metres of points above the ellipsoid. */
export function heightsOf({ columns }: Cloud, numbers: Uint32Array, root: RootCube): Float32Array {
  const [xs, ys, zs] = columns;
  return Float32Array.from(numbers, (point) => heightAt(root, [xs![point]!, ys![point]!, zs![point]!]));
}

/** Metres above the ellipsoid of a place in units of the tree. */
export function heightAt({ frame, corner }: RootCube, units: readonly number[]): number {
  const [east, north, up] = units.map((value, axis) => corner[axis]! + value / unitsPerMetre);
  return geodeticOf(fromLocal(frame, [east!, north!, up!]))[2];
}
