import type { Edges } from './edges.ts';

/** Numbers the distinct start points of edges. */
export interface VertexNumbers {
  /** For each edge the number of its start point. */
  readonly ofStart: Int32Array;
  /** For each number how many edges start there. */
  readonly visits: Int32Array;
}

export function numberVertices({ ab, count }: Edges): VertexNumbers {
  const mask = 2 ** Math.ceil(Math.log2(count + 1) + 1) - 1;
  /** The number of an edge that starts at the point, plus 1. */
  const table = new Int32Array(mask + 1);
  const ofStart = new Int32Array(count);
  const visits = new Int32Array(count);
  for (let edge = 0; edge < count; edge++) {
    const x = ab[edge * 4]!;
    const y = ab[edge * 4 + 1]!;
    const hash = Math.imul(Math.imul(x, 0x9e3779b1) ^ y, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; table[slot] !== 0; slot = (slot + 1) & mask) {
      const known = (table[slot]! - 1) * 4;
      if (ab[known] === x && ab[known + 1] === y) break;
    }
    if (table[slot] === 0) table[slot] = edge + 1;
    ofStart[edge] = table[slot]! - 1;
    visits[ofStart[edge]!]!++;
  }
  return { ofStart, visits };
}
