import type { Edges } from './edges.ts';
import { numberVertices } from './vertex-numbers.ts';

/**
 * Consecutive edges between two points where rings meet; the areas to its left and right are the same along the whole
 * chain.
 */
export interface Chain {
  /** Numbers of its end points. */
  readonly from: number;
  readonly to: number;
  readonly firstEdge: number;
  /** Exclusive. */
  readonly endEdge: number;
  /** Net number of times that the outer ring, and holes, run along it (backward runs count -1). */
  outer: number;
  holes: number;
}

/** Divides edges that meet at their ends only into chains; coincident chains are merged. */
export function chainsOf(edges: Edges): Chain[] {
  const { ab, kinds, count } = edges;
  const { ofStart, visits } = numberVertices(edges);
  const chains: Chain[] = [];
  /** Chains of a single edge, by their ends: only these can coincide. */
  const single = new Map<number, Chain>();
  let first = 0;
  let ringStart = 0;
  for (let edge = 0; edge < count; edge++) {
    const following = edge + 1;
    const isRingEnd =
      following === count ||
      ab[edge * 4 + 2] !== ab[following * 4] ||
      ab[edge * 4 + 3] !== ab[following * 4 + 1];
    if (!isRingEnd && visits[ofStart[following]!] === 1) continue;
    const from = ofStart[first]!;
    const to = isRingEnd ? ofStart[ringStart]! : ofStart[following]!;
    const isOuter = kinds[first] === 0;
    const known = first === edge ? single.get(Math.min(from, to) * count + Math.max(from, to)) : undefined;
    if (known === undefined) {
      const chain = {
        from,
        to,
        firstEdge: first,
        endEdge: following,
        outer: isOuter ? 1 : 0,
        holes: isOuter ? 0 : 1,
      };
      chains.push(chain);
      if (first === edge) single.set(Math.min(from, to) * count + Math.max(from, to), chain);
    } else known[isOuter ? 'outer' : 'holes'] += known.from === from ? 1 : -1;
    first = following;
    if (isRingEnd) ringStart = following;
  }
  return chains;
}
