import { childCell, octantOf, spacingOf, voxelBits, type Cell, type Cloud, type TreeShape } from './cloud.ts';
import { keyLevels, octantAt, type SortedCloud } from './sort-cloud.ts';
import type { Thinner } from './thin-node.ts';

/**
 * A node whose own tile is not known yet, as its parent may still take points of it. Numbers are of points of a cloud.
 */
export interface OpenNode {
  readonly cell: Cell;
  /** Points in and below it. */
  readonly total: number;
  readonly isLeaf: boolean;
  /** Those that its parent may choose from, in Morton order: of a leaf all, else those that it has chosen itself. */
  readonly candidates: Uint32Array;
  /** Those of children too small for tiles of their own. */
  readonly joined: Uint32Array;
}

/** Gets the points of a tile. It may be empty: then the node only has children. */
export type EmitTile = (cell: Cell, points: Uint32Array) => void;

export interface TreeBuilder {
  readonly shape: TreeShape;
  readonly thinner: Thinner;
  readonly emit: EmitTile;
  /** Gets the children of nodes with more than `unitPoints`. @param range of the points of the cloud in and below it */
  readonly hand: (node: OpenNode, range: { readonly start: number; readonly end: number }) => void;
}

/**
 * Builds the node of a sorted cell and all below it, from the bottom up; all tiles but its own are emitted. A node is divided if it has more than
 * `leafPoints`, whatever else is in memory: so tiles do not depend on how the tree was cut into parts.
 */
export function buildNode(builder: TreeBuilder, cloud: SortedCloud, cell: Cell): OpenNode {
  const build = (inner: Cell, start: number, end: number): OpenNode => {
    const total = end - start;
    const depth = inner.level - cell.level;
    if (total <= builder.shape.leafPoints || !canDivide(builder.shape, inner.level) || depth >= keyLevels)
      return leafOf(inner, start, end);
    const children: OpenNode[] = [];
    for (let from = start; from < end;) {
      const octant = octantAt(cloud, from, depth);
      const to = endOfOctant(cloud, { from, end, depth, octant });
      const child = build(childCell(inner, octant), from, to);
      if (total > builder.shape.unitPoints) builder.hand(child, { start: from, end: to });
      children.push(child);
      from = to;
    }
    return joinChildren(builder, cloud, inner, children);
  };
  return build(cell, 0, cloud.count);
}

/** Voxels are a unit at least. */
function canDivide({ sideBits }: TreeShape, level: number): boolean {
  return sideBits - level - voxelBits > 0;
}

function leafOf(cell: Cell, start: number, end: number): OpenNode {
  const candidates = new Uint32Array(end - start);
  for (let i = 0; i < candidates.length; i++) candidates[i] = start + i;
  return { cell, total: candidates.length, isLeaf: true, candidates, joined: new Uint32Array(0) };
}

/** The end of the points of an octant, by halving. */
function endOfOctant(
  cloud: SortedCloud,
  {
    from,
    end,
    depth,
    octant,
  }: { readonly from: number; readonly end: number; readonly depth: number; readonly octant: number },
): number {
  let [low, high] = [from + 1, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (octantAt(cloud, middle, depth) === octant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Makes a node of its children, whose tiles are emitted. @param children in the order of their octants, not all empty */
export function joinChildren(
  { shape, thinner, emit }: Omit<TreeBuilder, 'hand'>,
  cloud: Cloud,
  cell: Cell,
  children: readonly OpenNode[],
): OpenNode {
  const total = children.reduce((sum, child) => sum + child.total, 0);
  const sorted = children.toSorted((a, b) => octantOf(a.cell) - octantOf(b.cell));
  const candidates = joinNumbers(sorted.map((child) => child.candidates));
  if (total <= shape.leafPoints) return { cell, total, isLeaf: true, candidates, joined: new Uint32Array(0) };
  const spacing = spacingOf(shape, cell.level);
  const isEmpty = spacing > shape.maxSpacing;
  const chosen = isEmpty ? new Uint32Array(0) : thinner.choose(cloud, candidates, Math.log2(spacing));
  const isTaken = new Uint8Array(cloud.count);
  for (const point of chosen) isTaken[point] = 1;
  const joined: Uint32Array[] = [];
  for (const child of sorted) {
    const left = joinNumbers([without(child.candidates, isTaken), child.joined]);
    if (child.isLeaf && left.length < shape.minTilePoints && !isEmpty) joined.push(left);
    else emit(child.cell, left);
  }
  return { cell, total, isLeaf: false, candidates: chosen, joined: joinNumbers(joined) };
}

/** The numbers that are not taken. */
function without(numbers: Uint32Array, isTaken: Uint8Array): Uint32Array {
  const left = new Uint32Array(numbers.length);
  let count = 0;
  for (const number of numbers) if (isTaken[number] === 0) left[count++] = number;
  return left.subarray(0, count);
}

/** The tile of the root, from which nobody takes points. */
export function closeRoot({ candidates, joined }: OpenNode): Uint32Array {
  return joinNumbers([candidates, joined]);
}

function joinNumbers(lists: readonly Uint32Array[]): Uint32Array {
  const joined = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    joined.set(list, at);
    at += list.length;
  }
  return joined;
}
