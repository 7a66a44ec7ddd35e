import { childrenOf, root, type Node } from './tree.ts';
import { finestCellZoom, spread } from './weights.ts';

export interface PlanOptions {
  /** Words of records by Morton cell, of all workers together. */
  readonly cells: Float64Array;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** The words one piece of the work should have at most. */
  readonly leafWords: number;
}

/** How the work is divided; the tiles do not depend on it. */
export interface Plan {
  /** Nodes along the Hilbert curve that cover the world without overlap: each is cut with everything below it. */
  readonly leaves: readonly Node[];
  /** Ranges of zooms whose tiles above the leaves are made together, the deepest first. */
  readonly bands: readonly Band[];
}

export interface Band {
  readonly minZoom: number;
  readonly maxZoom: number;
}

/** So many of the deepest zooms above the leaves, where most of the work is, are done apart from each other. */
const singleBands = 3;

export function makePlan({ cells, minZoom, maxZoom, leafWords }: PlanOptions): Plan {
  const before = new Float64Array(cells.length + 1);
  for (let i = 0; i < cells.length; i++) before[i + 1] = before[i]! + cells[i]!;
  const deepest = Math.min(finestCellZoom, maxZoom);
  const weightOf = ({ z, x, y }: Node): number => {
    const span = 4 ** (finestCellZoom - z);
    const first = (spread(x) | (spread(y) << 1)) * span;
    return before[first + span]! - before[first]!;
  };
  const leaves: Node[] = [];
  const divide = (node: Node): void => {
    if (node.z < deepest && weightOf(node) > leafWords) for (const child of childrenOf(node)) divide(child);
    else leaves.push(node);
  };
  divide(root);

  const bands: Band[] = [];
  let zoom = Math.max(...leaves.map(({ z }) => z)) - 1;
  for (; zoom >= minZoom && bands.length < singleBands; zoom--) bands.push({ minZoom: zoom, maxZoom: zoom });
  if (zoom >= minZoom) bands.push({ minZoom, maxZoom: zoom });
  return { leaves, bands };
}
