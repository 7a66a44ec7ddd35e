import { unionOfRegions, type Region } from '../../models/region.ts';
import type { IndexedShape } from '../shape/shape-index.ts';
import { runsOf, type ShapeRun } from '../shape/shape-runs.ts';

/** A tile of the tree. Every shape is in one leaf. */
export interface PlannedTile {
  /** Its cell and, of several tiles of one cell, its number: `5-17-22`. */
  readonly name: string;
  readonly region: Region;
  /** The shapes of a leaf; empty for others. */
  readonly shapes: readonly ShapeRun[];
  /** Of the id and of the content of each shape of a leaf. */
  readonly hashes: Float64Array;
  readonly children: readonly PlannedTile[];
}

export interface TileBudget {
  readonly triangles: number;
  readonly features: number;
  /** Square metres with images. */
  readonly texturedMetres: number;
  /** Of levels below the root; by default as many as there are. */
  readonly maxLevels?: number;
}

/** A cell is then about a metre wide. */
const deepest = 25;

/**
 * Divides shapes by a quadtree on a fixed grid of degrees: the root of all is 360° wide and high, from 180° W and 90° S.
 * Tiles with one child only are left out, so a tree begins at the smallest cell around all of them. So are tiles that would
 * show all triangles of those below, which are divided for their features alone: whoever comes near gets these at once.
 */
export function planTree(shapes: readonly IndexedShape[], budget: TileBudget): PlannedTile {
  const tiles = planCell(shapes, { z: 0, x: 0, y: 0 }, budget);
  const root = tiles.length === 1 ? tiles[0]! : above('0-0-0', tiles);
  const { maxLevels = Infinity } = budget;
  if (levelsBelow(root) <= maxLevels) return root;
  return { ...root, children: root.children.flatMap((child) => finestLevels(child, maxLevels)) };
}

const levelsBelow = ({ children }: PlannedTile): number =>
  children.reduce((highest, child) => Math.max(highest, levelsBelow(child) + 1), 0);

/** The tile itself, or instead of it those below it that have fewer levels below. */
function finestLevels(tile: PlannedTile, levels: number): readonly PlannedTile[] {
  if (levelsBelow(tile) < levels) return [tile];
  return tile.children.flatMap((child) => finestLevels(child, levels));
}

interface Cell {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

function planCell(shapes: readonly IndexedShape[], cell: Cell, budget: TileBudget): PlannedTile[] {
  const { z, x, y } = cell;
  const name = `${z}-${x}-${y}`;
  if (fits(shapes, budget)) return [leafOf(name, shapes)];
  const tiles =
    z === deepest
      ? divide(shapes, budget).map((part, i, { length }) =>
          leafOf(length === 1 ? name : `${name}-${i}`, part),
        )
      : quartersOf(shapes, cell).flatMap(([quarter, own]) => planCell(quarter, own, budget));
  if (tiles.length === 1 || fits(shapes, { ...budget, features: Infinity })) return tiles;
  return [above(name, tiles)];
}

/** The quarters of a cell in which something is. */
function quartersOf(shapes: readonly IndexedShape[], { z, x, y }: Cell): [IndexedShape[], Cell][] {
  const side = 360 / 2 ** (z + 1);
  const quarters: IndexedShape[][] = [[], [], [], []];
  for (const shape of shapes) {
    const east = shape.lon + 180 >= (2 * x + 1) * side;
    const north = shape.lat + 90 >= (2 * y + 1) * side;
    quarters[(east ? 1 : 0) + (north ? 2 : 0)]!.push(shape);
  }
  return quarters.flatMap((quarter, i): [IndexedShape[], Cell][] =>
    quarter.length === 0 ? [] : [[quarter, { z: z + 1, x: 2 * x + (i & 1), y: 2 * y + (i >> 1) }]],
  );
}

function fits(shapes: readonly IndexedShape[], budget: TileBudget): boolean {
  if (shapes.length === 1) return true;
  if (shapes.length > budget.features) return false;
  let [triangles, metres] = [0, 0];
  for (const shape of shapes) {
    triangles += shape.triangles;
    metres += shape.texturedMetres;
  }
  return triangles <= budget.triangles && metres <= budget.texturedMetres;
}

/** Shapes at one place, in their order. */
function divide(shapes: readonly IndexedShape[], budget: TileBudget): IndexedShape[][] {
  const parts: IndexedShape[][] = [];
  for (const shape of shapes) {
    const last = parts.at(-1);
    if (last !== undefined && fits([...last, shape], budget)) last.push(shape);
    else parts.push([shape]);
  }
  return parts;
}

function leafOf(name: string, shapes: readonly IndexedShape[]): PlannedTile {
  const region = unionOfRegions(shapes.map((shape) => shape.region));
  const hashes = new Float64Array(shapes.length * 2);
  for (const [i, { idHash, contentHash }] of shapes.entries()) hashes.set([idHash, contentHash], i * 2);
  return { name, region, shapes: runsOf(shapes.map(({ range }) => range)), hashes, children: [] };
}

const none = new Float64Array(0);

function above(name: string, children: readonly PlannedTile[]): PlannedTile {
  const region = unionOfRegions(children.map((child) => child.region));
  return { name, region, shapes: [], hashes: none, children };
}
