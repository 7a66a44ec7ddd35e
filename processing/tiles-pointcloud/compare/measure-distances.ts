import type { Cell, Cloud } from '@platen/geo/point-tree/cloud';
import { createNearestSearch } from '@platen/geo/point-tree/nearest';
import type { FileRange } from '../../kit/scratch-file.ts';
import { unitsPerMetre } from '../place/root-cube.ts';
import { bucketsIn, type BucketPlan } from '../tree/plan-buckets.ts';
import { rowsOf } from '../tree/read-rows.ts';
import { plainShape } from '../tree/row-shape.ts';

/** Columns of older points: only their place. */
export const olderColumns = 3;

interface OlderPoints {
  readonly ranges: readonly FileRange[];
  /** Points of them in memory at a time. */
  readonly maxPoints: number;
  readonly maxMetres: number;
}

/**
 * Writes the distance of each point to the nearest older one, or the farthest that is looked for, into a column as float. Older points are taken
 * part by part: how many at a time makes no difference.
 */
export function measureDistances(
  { columns, count }: Cloud,
  column: Uint32Array,
  { ranges, maxPoints, maxMetres }: OlderPoints,
): void {
  const [xs, ys, zs] = [columns[0]!, columns[1]!, columns[2]!];
  const reach = maxMetres * unitsPerMetre;
  const squares = new Float64Array(count).fill(reach ** 2);
  const box = [xs, ys, zs].map((values) => rangeOf(values, count, reach));
  const part = {
    xs: new Uint32Array(maxPoints),
    ys: new Uint32Array(maxPoints),
    zs: new Uint32Array(maxPoints),
  };
  let held = 0;
  const look = (): void => {
    if (held === 0) return;
    const search = createNearestSearch({ ...part, count: held });
    for (let i = 0; i < count; i++) squares[i] = search.squareTo(xs[i]!, ys[i]!, zs[i]!, squares[i]!);
    held = 0;
  };
  for (const row of rowsOf(ranges, plainShape(olderColumns))) {
    for (let at = 0; at < row.length; at += olderColumns) {
      if (box.some(([low, high], axis) => row[at + axis]! < low || row[at + axis]! > high)) continue;
      part.xs[held] = row[at]!;
      part.ys[held] = row[at + 1]!;
      part.zs[held] = row[at + 2]!;
      held++;
      if (held === maxPoints) look();
    }
  }
  look();
  const floats = new Float32Array(column.buffer, column.byteOffset, count);
  for (let i = 0; i < count; i++) floats[i] = Math.sqrt(squares[i]!) / unitsPerMetre;
}

function rangeOf(values: Uint32Array, count: number, reach: number): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low - reach, high + reach];
}

interface Around {
  /** Of the tree's cube. */
  readonly sideBits: number;
  readonly maxMetres: number;
}

/** The buckets whose older points may be near a cell. */
export function bucketsNear(
  plan: BucketPlan,
  { level, x, y, z }: Cell,
  { sideBits, maxMetres }: Around,
): number[] {
  const side = 2 ** (sideBits - level);
  const reach = maxMetres * unitsPerMetre;
  const corner = [x, y, z].map((place) => place * side);
  const low = corner.map((value) => value - reach);
  const high = corner.map((value) => value + side + reach);
  return bucketsIn(plan, sideBits, { low, high });
}

/** 1 for each bucket whose older points may be near a needed one. */
export function olderNeeded(plan: BucketPlan, needed: Uint8Array, around: Around): Uint8Array {
  const near = new Uint8Array(needed.length);
  for (const [bucket, cell] of plan.cells.entries())
    if (needed[bucket] === 1) for (const other of bucketsNear(plan, cell, around)) near[other] = 1;
  return near;
}
