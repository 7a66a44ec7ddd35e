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
  readonly children: readonly PlannedTile[];
}

export interface TileBudget {
  readonly triangles: number;
  readonly features: number;
  /** Square metres with images. */
  readonly texturedMetres: number;
}

/** A cell is then about a metre wide. */
const deepest = 25;

/**
 * Divides shapes by a quadtree on a fixed grid of degrees: the root of all is 360° wide and high, from 180° W and 90° S.
 * Tiles with one child only are left out, so a tree begins at the smallest cell around all of them.
 */
export function planTree(shapes: readonly IndexedShape[], budget: TileBudget): PlannedTile {
  return planCell(shapes, { z: 0, x: 0, y: 0 }, budget);
}

interface Cell {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

function planCell(shapes: readonly IndexedShape[], cell: Cell, budget: TileBudget): PlannedTile {
  const { z, x, y } = cell;
  const name = `${z}-${x}-${y}`;
  if (fits(shapes, budget)) return leafOf(name, shapes);
  if (z === deepest) {
    const parts = divide(shapes, budget);
    return parts.length === 1
      ? leafOf(name, shapes)
      : above(
          name,
          parts.map((part, i) => leafOf(`${name}-${i}`, part)),
        );
  }
  const side = 360 / 2 ** (z + 1);
  const quarters: IndexedShape[][] = [[], [], [], []];
  for (const shape of shapes) {
    const east = shape.lon + 180 >= (2 * x + 1) * side;
    const north = shape.lat + 90 >= (2 * y + 1) * side;
    quarters[(east ? 1 : 0) + (north ? 2 : 0)]!.push(shape);
  }
  const children = quarters.flatMap((quarter, i) =>
    quarter.length === 0
      ? []
      : [planCell(quarter, { z: z + 1, x: 2 * x + (i & 1), y: 2 * y + (i >> 1) }, budget)],
  );
  return children.length === 1 ? children[0]! : above(name, children);
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
  const region = shapes.map((shape) => shape.region).reduce(unionOfRegions);
  return { name, region, shapes: runsOf(shapes.map(({ range }) => range)), children: [] };
}

function above(name: string, children: readonly PlannedTile[]): PlannedTile {
  return { name, region: children.map(({ region }) => region).reduce(unionOfRegions), shapes: [], children };
}
