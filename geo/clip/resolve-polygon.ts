import { castRayLeft } from './cast-ray-left.ts';
import { chainsOf, type Chain } from './chains.ts';
import { createEdgeGrid, fillGrid } from './edge-grid.ts';
import { createEdges, setEdges, type Edges, type Rings } from './edges.ts';
import { groupRings } from './group-rings.ts';
import { joinLoops, type Border } from './join-loops.ts';
import { splitEdges } from './split-edges.ts';

/** Polygons with more edges are not repaired. */
const maxEdges = 1 << 18;
const inputEdges = createEdges();
const grid = createEdgeGrid();

/**
 * Turns a polygon whose rings cross or touch themselves or each other into valid polygons that cover the same area:
 * everything the outer ring winds around, in either direction, except what holes wind around. Crossings are rounded to
 * the grid.
 * @returns the rings of each polygon, its outer one clockwise on the screen and first; undefined if it takes too long
 */
export function resolvePolygon(rings: Rings): Float64Array[][] | undefined {
  if ((rings.ends.at(-1) ?? 0) > maxEdges) return undefined;
  setEdges(inputEdges, rings);
  const edges = splitEdges(inputEdges);
  if (edges === undefined || edges.count > 2 * maxEdges) return undefined;
  const chains = chainsOf(edges);
  if (chains.length > maxChains) return undefined;
  fillGrid(grid, edges);
  const borders = chains.flatMap((chain) => borderOf(edges, chain) ?? []);
  return groupRings(joinLoops(borders));
}

/** Each chain costs a walk along a row of the grid. */
const maxChains = 1 << 16;

/** The chain, directed so that the covered side is on its right; undefined if both sides are the same. */
function borderOf(edges: Edges, chain: Chain): Border | undefined {
  const { outer, holes } = chain;
  if (outer === 0 && holes === 0) return undefined;
  const at = chain.firstEdge * 4;
  const ax = edges.ab[at]!;
  const ay = edges.ab[at + 1]!;
  const bx = edges.ab[at + 2]!;
  const by = edges.ab[at + 3]!;
  const isLevel = ay === by;
  const before = { outer: 0, holes: 0 };
  castRayLeft(grid, edges.ab, { x: (ax + bx) / 2, y: (ay + by) / 2, isAbove: isLevel }, (edge, sign) => {
    if (edge === chain.firstEdge) return;
    if (edges.kinds[edge] === 0) before.outer += sign;
    else before.holes += sign;
  });
  // The winding number right of an edge that goes up, or below one that goes right, is one more than before it.
  const sign = (isLevel ? bx > ax : by < ay) ? 1 : -1;
  const isBefore = before.outer !== 0 && before.holes === 0;
  const isBeyond = before.outer + sign * outer !== 0 && before.holes + sign * holes === 0;
  if (isBefore === isBeyond) return undefined;
  return directed(edges.ab, chain, (sign === 1) === isBeyond);
}

function directed(ab: Int32Array, { from, to, firstEdge, endEdge }: Chain, isForwards: boolean): Border {
  const count = endEdge - firstEdge + 1;
  const xy = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    const at = i < count - 1 ? (firstEdge + i) * 4 : (endEdge - 1) * 4 + 2;
    const place = (isForwards ? i : count - 1 - i) * 2;
    xy[place] = ab[at]!;
    xy[place + 1] = ab[at + 1]!;
  }
  return isForwards ? { from, to, xy } : { from: to, to: from, xy };
}
