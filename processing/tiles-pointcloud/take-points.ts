import type { PointBuffer } from '@platen/formats/points/point-buffer';
import type { TransformPlaces } from '@platen/geo/geodesy/lattice';
import { olderColumns } from './compare/measure-distances.ts';
import type { boxFilter } from './place/box-filter.ts';
import { looseBox, unitsPerMetre } from './place/root-cube.ts';
import { writeColumns } from './record-columns.ts';
import type { PointSheet } from './sheets/sheet.ts';
import type { RowRoom, Spill } from './spill.ts';
import { countPoints, type PointStatistics } from './statistics.ts';
import type { Setup } from './tasks.ts';
import { bucketAt } from './tree/plan-buckets.ts';

/** Of the sheet that points are of. */
export interface TakenSheet {
  readonly isOlder: boolean;
  readonly place: TransformPlaces;
  /** Lowest x, y, z and highest x, y, z that points may have. */
  readonly bounds: Float64Array;
  /** Undefined: all. */
  readonly isWithin: ReturnType<typeof boxFilter>;
  readonly colourShift: number;
}

/** The bounds of the points of a sheet. */
export function boundsOf(sheet: PointSheet): Float64Array {
  return Float64Array.from(looseBox(sheet).flat());
}

/** Places points in the tree's cube, and writes them by bucket. */
export type TakePoints = (points: PointBuffer, of: TakenSheet, to: PointStatistics) => void;

/** Where the row of a point begins that has none. */
const noRow = -1;

export function createTaker(
  { settings, root, columns, buckets, needed, olderNeeded }: Omit<Setup, 'worker'>,
  { spill, older }: { readonly spill: Spill; readonly older: Spill },
): TakePoints {
  const leaveUnwanted = pointFilter(settings);
  let scratch = new Int32Array(0);
  const rowsFor = (count: number): Int32Array => {
    if (scratch.length < count) scratch = new Int32Array(count);
    return scratch.subarray(0, count).fill(0);
  };
  const [west, south, bottom] = root.corner;
  const cube = { root, west, south, bottom, side: 2 ** root.sideBits, buckets };
  const target = { ...cube, needed, columns: columns.count, spill };
  const olderTarget = { ...cube, needed: olderNeeded, columns: olderColumns, spill: older };
  return (points, { isOlder, place, bounds, isWithin, colourShift }, to) => {
    const { places, count } = points;
    const rowOf = rowsFor(count);
    if (!isOlder) to.filtered += leaveUnwanted(points, rowOf);
    to.outside += leaveOutside(places, rowOf, bounds);
    place(places, count);
    if (isWithin) to.filtered += leaveBeyond(places, rowOf, isWithin);
    const beyond = writeRows(places, rowOf, isOlder ? olderTarget : target);
    to.read += count;
    // older points beyond the cube are too far from all others
    if (isOlder) return;
    to.outside += beyond;
    writeColumns({ rows: spill.rows, rowOf }, points, { columns, colourShift });
    countPoints(to, points, rowOf, columns);
  };
}

/** Leaves out points outside of the bounds of a file. @returns how many */
function leaveOutside(places: Float64Array, rowOf: Int32Array, bounds: Float64Array): number {
  const [west, south, bottom] = [bounds[0]!, bounds[1]!, bounds[2]!];
  const [east, north, top] = [bounds[3]!, bounds[4]!, bounds[5]!];
  let outside = 0;
  for (let i = 0, at = 0; i < rowOf.length; i++, at += 3) {
    const x = places[at]!;
    const y = places[at + 1]!;
    const z = places[at + 2]!;
    if (x >= west && x <= east && y >= south && y <= north && z >= bottom && z <= top) continue;
    // the lattice is only made where there are points
    places[at] = west;
    places[at + 1] = south;
    places[at + 2] = bottom;
    if (rowOf[i] === noRow) continue;
    rowOf[i] = noRow;
    outside++;
  }
  return outside;
}

function leaveBeyond(
  places: Float64Array,
  rowOf: Int32Array,
  isWithin: NonNullable<ReturnType<typeof boxFilter>>,
): number {
  let left = 0;
  for (let i = 0; i < rowOf.length; i++) {
    if (rowOf[i] === noRow || isWithin(places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!)) continue;
    rowOf[i] = noRow;
    left++;
  }
  return left;
}

interface RowTarget extends Pick<Setup, 'root' | 'buckets' | 'needed'> {
  /** Of the cube, in metres, and its side in units. */
  readonly west: number;
  readonly south: number;
  readonly bottom: number;
  readonly side: number;
  /** Words of a row. */
  readonly columns: number;
  readonly spill: Spill;
}

/** The bucket that points are written to, and what tells whether the next one belongs to it. */
interface BucketRun {
  rows: Uint32Array;
  room: RowRoom | undefined;
  /** A place in the bucket, and the bits that places in it differ in. */
  x: number;
  y: number;
  z: number;
  bits: number;
  beyond: number;
}

/** Writes the places of points into the rows of their buckets. @returns the number of points beyond the cube */
function writeRows(places: Float64Array, rowOf: Int32Array, target: RowTarget): number {
  const { needed, spill } = target;
  const { sideBits } = target.root;
  const { cells, children } = target.buckets;
  const run: BucketRun = { rows: spill.rows, room: undefined, x: -1, y: -1, z: -1, bits: 0, beyond: 0 };
  for (let i = writeRun(places, rowOf, 0, { target, run }); i < rowOf.length;) {
    // the run has stopped at a place of another bucket, or where its room ends
    const bucket = bucketAt(children, sideBits - 1, run.x, run.y, run.z);
    run.bits = sideBits - cells[bucket]!.level;
    run.room = needed === undefined || needed[bucket] !== 0 ? spill.room(bucket) : undefined;
    run.rows = spill.rows;
    i = writeRun(places, rowOf, i, { target, run });
  }
  return run.beyond;
}

/**
 * Writes points from one on as long as they are of the run's bucket, of which most are that follow each other. What is needed at other buckets is
 * not called from here, as it would have this compiled again. @returns the number of the point that it stops at, whose place the run has then
 */
function writeRun(
  places: Float64Array,
  rowOf: Int32Array,
  first: number,
  { target, run }: { readonly target: RowTarget; readonly run: BucketRun },
): number {
  const { columns, west, south, bottom, side } = target;
  const { rows, room, bits } = run;
  const [knownX, knownY, knownZ] = [run.x, run.y, run.z];
  let at = room?.at ?? 0;
  const end = room?.end ?? 0;
  let i = first;
  for (let from = first * 3; i < rowOf.length; i++, from += 3) {
    if (rowOf[i] === noRow) continue;
    const x = Math.floor((places[from]! - west) * unitsPerMetre + 0.5);
    const y = Math.floor((places[from + 1]! - south) * unitsPerMetre + 0.5);
    const z = Math.floor((places[from + 2]! - bottom) * unitsPerMetre + 0.5);
    if (!(x >= 0 && y >= 0 && z >= 0 && x < side && y < side && z < side)) {
      rowOf[i] = noRow;
      run.beyond++;
      continue;
    }
    const isOther = ((x ^ knownX) | (y ^ knownY) | (z ^ knownZ)) >>> bits !== 0;
    if (isOther || (room !== undefined && at === end)) {
      run.x = x;
      run.y = y;
      run.z = z;
      break;
    }
    if (room === undefined) {
      rowOf[i] = noRow;
      continue;
    }
    rows[at] = x;
    rows[at + 1] = y;
    rows[at + 2] = z;
    rowOf[i] = at;
    at += columns;
  }
  if (room !== undefined) room.at = at;
  return i;
}

/** Leaves out points of other classes and returns than those to keep. */
function pointFilter({
  classes,
  returns,
}: Setup['settings']): (points: PointBuffer, rowOf: Int32Array) => number {
  if (classes === undefined && returns === undefined) return () => 0;
  const [kinds, numbers] = [classes && new Set(classes), returns && new Set(returns)];
  return (points, rowOf) => {
    let left = 0;
    for (let i = 0; i < rowOf.length; i++) {
      const isWanted =
        (kinds === undefined || kinds.has(points.classes?.[i] ?? 0)) &&
        (numbers === undefined || numbers.has((points.returns?.[i] ?? 0) & 15));
      if (isWanted) continue;
      rowOf[i] = noRow;
      left++;
    }
    return left;
  };
}
