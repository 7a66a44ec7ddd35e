import { childCell, octantOf, spacingOf, voxelBits, type Cell, type Cloud, type TreeShape } from './cloud.ts';
import { keyLevels } from './sort-cloud.ts';
import type { ScratchWords } from './scratch-words.ts';
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

/** Gets the points of a tile, in an array that is used again. It may be empty: then the node only has children. */
export type EmitTile = (cell: Cell, points: Uint32Array) => void;

export interface TreeBuilder {
  readonly shape: TreeShape;
  readonly thinner: Thinner;
  readonly scratch: ScratchWords;
  readonly emit: EmitTile;
  /** Gets the children of nodes with more than `unitPoints`. @param range of the points of the cloud in and below it */
  readonly hand: (node: OpenNode, range: { readonly start: number; readonly end: number }) => void;
}

/**
 * Builds the node of a sorted cell and all below it, from the bottom up; all tiles but its own are emitted. A node is divided if it has more than
 * `leafPoints`, whatever else is in memory: so tiles do not depend on how the tree was cut into parts.
 */
export function buildNode(builder: TreeBuilder, cloud: Cloud, cell: Cell): OpenNode {
  const numbers = builder.scratch('numbers', cloud.count);
  for (let i = 0; i < numbers.length; i++) numbers[i] = i;
  const build = (inner: Cell, start: number, end: number): OpenNode => {
    const total = end - start;
    const depth = inner.level - cell.level;
    if (total <= builder.shape.leafPoints || !canDivide(builder.shape, inner.level) || depth >= keyLevels)
      return { cell: inner, total, isLeaf: true, candidates: numbers.subarray(start, end), joined: none };
    const children: OpenNode[] = [];
    const bit = builder.shape.sideBits - inner.level - 1;
    for (let from = start; from < end;) {
      const octant = octantAt(cloud, from, bit);
      const to = endOfOctant(cloud, { from, end, bit, octant });
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

const none = new Uint32Array(0);

/** The octant of a point below a cell whose halves this bit of its coordinates tells apart. */
function octantAt({ columns }: Cloud, point: number, bit: number): number {
  const [x, y, z] = [columns[0]![point]!, columns[1]![point]!, columns[2]![point]!];
  return ((x >>> bit) & 1) | (((y >>> bit) & 1) << 1) | (((z >>> bit) & 1) << 2);
}

/** The end of the points of an octant, by halving. */
function endOfOctant(
  cloud: Cloud,
  {
    from,
    end,
    bit,
    octant,
  }: { readonly from: number; readonly end: number; readonly bit: number; readonly octant: number },
): number {
  let [low, high] = [from + 1, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (octantAt(cloud, middle, bit) === octant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Makes a node of its children, whose tiles are emitted. @param children in the order of their octants, not all empty */
export function joinChildren(
  { shape, thinner, scratch, emit }: Omit<TreeBuilder, 'hand'>,
  cloud: Cloud,
  cell: Cell,
  children: readonly OpenNode[],
): OpenNode {
  const total = children.reduce((sum, child) => sum + child.total, 0);
  const sorted = children.toSorted((a, b) => octantOf(a.cell) - octantOf(b.cell));
  const lists = sorted.map((child) => child.candidates);
  if (total <= shape.leafPoints)
    return { cell, total, isLeaf: true, candidates: joinNumbers(lists), joined: none };
  const spacing = spacingOf(shape, cell.level);
  const isEmpty = spacing > shape.maxSpacing;
  const candidates = joinNumbers(lists, scratch('candidates', lengthOf(lists)));
  const chosen = isEmpty ? none : thinner.choose(cloud, candidates, Math.log2(spacing));
  const joined: Uint32Array[] = [];
  let taken = 0;
  for (const child of sorted) {
    const left = scratch('left', child.candidates.length + child.joined.length);
    let count = 0;
    // those that were chosen are in the same order
    const { candidates: own } = child;
    for (let i = 0; i < own.length; i++) {
      const number = own[i]!;
      if (number === chosen[taken]) taken++;
      else left[count++] = number;
    }
    left.set(child.joined, count);
    count += child.joined.length;
    if (child.isLeaf && count < shape.minTilePoints && !isEmpty) joined.push(left.slice(0, count));
    else emit(child.cell, left.subarray(0, count));
  }
  return { cell, total, isLeaf: false, candidates: chosen, joined: joinNumbers(joined) };
}

/** The tile of the root, from which nobody takes points. */
export function closeRoot({ candidates, joined }: OpenNode): Uint32Array {
  return joinNumbers([candidates, joined]);
}

const lengthOf = (lists: readonly Uint32Array[]): number =>
  lists.reduce((sum, { length }) => sum + length, 0);

function joinNumbers(lists: readonly Uint32Array[], joined = new Uint32Array(lengthOf(lists))): Uint32Array {
  let at = 0;
  for (const list of lists) {
    joined.set(list, at);
    at += list.length;
  }
  return joined;
}
