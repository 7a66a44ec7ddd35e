import { childrenOf, root, type Node } from './tree.ts';
import { finestCellZoom, spread } from './weights.ts';

export interface PlanOptions {
  /** Words of records by Morton cell, summed over all workers. */
  readonly cells: Float64Array;
  /** The words of all records. */
  readonly words: number;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Maximum words of a leaf. */
  readonly leafWords: number;
}

/** How the work is divided. The tiles do not depend on it. */
export interface Plan {
  /** Nodes along the Hilbert curve that cover the world without overlap; each is cut with everything below it. */
  readonly leaves: readonly Node[];
  /** Ranges of zooms above the leaves whose tiles are made together, the deepest first. */
  readonly bands: readonly Band[];
}

export interface Band {
  readonly minZoom: number;
  readonly maxZoom: number;
}

/** The deepest zooms above the leaves, where most of the work is, each get a band of their own. */
const singleBands = 3;

export function makePlan({ cells, words, minZoom, maxZoom, leafWords }: PlanOptions): Plan {
  const before = words > leafWords ? sumsOf(cells) : undefined;
  const maxLeafZoom = Math.min(finestCellZoom, maxZoom);
  const weightOf = ({ z, x, y }: Node): number => {
    if (before === undefined) return 0; // a single leaf
    const span = 4 ** (finestCellZoom - z);
    const first = (spread(x) | (spread(y) << 1)) * span;
    return before[first + span]! - before[first]!;
  };
  const leaves: Node[] = [];
  const divide = (node: Node): void => {
    if (node.z < maxLeafZoom && weightOf(node) > leafWords)
      for (const child of childrenOf(node)) divide(child);
    else leaves.push(node);
  };
  divide(root);

  const bands: Band[] = [];
  let zoom = Math.max(...leaves.map(({ z }) => z)) - 1;
  for (; zoom >= minZoom && bands.length < singleBands; zoom--) bands.push({ minZoom: zoom, maxZoom: zoom });
  if (zoom >= minZoom) bands.push({ minZoom, maxZoom: zoom });
  return { leaves, bands };
}

/** The sums of all cells before each one. */
function sumsOf(cells: Float64Array): Float64Array {
  const before = new Float64Array(cells.length + 1);
  for (let i = 0; i < cells.length; i++) before[i + 1] = before[i]! + cells[i]!;
  return before;
}
