import { childCell, voxelBits, type Cell } from '@platen/geo/point-tree/cloud';
import { unitsPerMetre, type LocalBox, type RootCube } from '../place/root-cube.ts';

/** A box of points that are expected to be spread evenly in it. */
export interface ExpectedPoints extends LocalBox {
  readonly count: number;
}

/** Cells of the tree that are sorted one by one, and how a point finds its own. Plain data. */
export interface BucketPlan {
  readonly cells: readonly Cell[];
  /** Eight for each node from the root on: a further node, or -1 minus the number of a bucket. */
  readonly children: Int32Array;
}

const maxBuckets = 60_000;

/**
 * Divides the root until each part is expected to have few enough points.
 * @param given what has to become of a cell; undefined: what the number of its points demands
 */
export function planBuckets(
  { corner, sideBits }: Pick<RootCube, 'corner' | 'sideBits'>,
  expected: readonly ExpectedPoints[],
  maxPoints: number,
  given: (cell: Cell) => 'divided' | 'whole' | undefined = () => undefined,
): BucketPlan {
  const cells: Cell[] = [];
  const children: number[] = [];
  const divide = (cell: Cell, boxes: readonly ExpectedPoints[]): number => {
    const side = 2 ** (sideBits - cell.level) / unitsPerMetre;
    const low = [cell.x, cell.y, cell.z].map((place, axis) => corner[axis]! + place * side);
    const inside = boxes.flatMap((box) => partOf(box, low, side) ?? []);
    const total = inside.reduce((sum, { count }) => sum + count, 0);
    const isFull = total > maxPoints && canDivide(sideBits, cell) && cells.length + 8 <= maxBuckets;
    const fate = given(cell);
    if (fate === undefined ? !isFull : fate === 'whole') return -cells.push(cell);
    const node = children.length / 8;
    children.push(...Array.from<number>({ length: 8 }).fill(0));
    for (let octant = 0; octant < 8; octant++)
      children[node * 8 + octant] = divide(childCell(cell, octant), inside);
    return node;
  };
  divide({ level: 0, x: 0, y: 0, z: 0 }, expected);
  return { cells, children: Int32Array.from(children) };
}

/** The children of a cell as buckets. */
export function divideBucket(cell: Cell): BucketPlan {
  return {
    cells: Array.from({ length: 8 }, (_, octant) => childCell(cell, octant)),
    children: Int32Array.from({ length: 8 }, (_, octant) => -1 - octant),
  };
}

export function canDivide(sideBits: number, { level }: Cell): boolean {
  return sideBits - level > voxelBits + 1;
}

/** The numbers of the buckets that a box touches. @param sideBits of the plan's root */
export function bucketsIn(
  { children }: BucketPlan,
  sideBits: number,
  { low, high }: { readonly low: readonly number[]; readonly high: readonly number[] },
): number[] {
  const found: number[] = [];
  const visit = (node: number, { level, x, y, z }: Cell): void => {
    const side = 2 ** (sideBits - level);
    const isNear = [x, y, z].every(
      (place, axis) => place * side <= high[axis]! && (place + 1) * side >= low[axis]!,
    );
    if (!isNear) return;
    if (node < 0) found.push(-1 - node);
    else
      for (let octant = 0; octant < 8; octant++)
        visit(children[node * 8 + octant]!, childCell({ level, x, y, z }, octant));
  };
  visit(children.length === 0 ? -1 : 0, { level: 0, x: 0, y: 0, z: 0 });
  return found;
}

/** What is expected of a box within a cube. */
function partOf(box: ExpectedPoints, low: readonly number[], side: number): ExpectedPoints | undefined {
  let share = 1;
  const min: number[] = [];
  const max: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    min[axis] = Math.max(box.min[axis]!, low[axis]!);
    max[axis] = Math.min(box.max[axis]!, low[axis]! + side);
    const width = box.max[axis]! - box.min[axis]!;
    if (max[axis]! < min[axis]!) return undefined;
    share *= width > 0 ? (max[axis]! - min[axis]!) / width : 1;
  }
  return share === 0
    ? undefined
    : { min: [min[0]!, min[1]!, min[2]!], max: [max[0]!, max[1]!, max[2]!], count: box.count * share };
}

/** The bucket of a place. @param shift of the coordinates' bits in the children of the plan's root */
export function bucketAt(children: Int32Array, shift: number, x: number, y: number, z: number): number {
  if (children.length === 0) return 0;
  let node = 0;
  for (let bit = shift; ; bit--) {
    const octant = ((x >>> bit) & 1) | (((y >>> bit) & 1) << 1) | (((z >>> bit) & 1) << 2);
    node = children[node * 8 + octant]!;
    if (node < 0) return -1 - node;
  }
}
