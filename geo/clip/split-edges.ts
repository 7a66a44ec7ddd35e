import { findContacts, isOnEdge, noContact, unknown } from './edge-contact.ts';
import { createEdgeGrid, fillGrid } from './edge-grid.ts';
import { createEdges, pushEdge, type Edges } from './edges.ts';

/** Rounding moves edges, so that they may meet others anew; mostly two or three rounds are enough. */
const mostRounds = 12;
const grid = createEdgeGrid();
const nowhere = { low: NaN, high: NaN };

/**
 * Splits edges wherever they meet others, at points rounded to the grid, until they meet at their ends only.
 * @returns undefined if it takes too long
 */
export function splitEdges(given: Edges): Edges | undefined {
  let edges = given;
  for (let round = 0; round < mostRounds; round++) {
    fillGrid(grid, edges);
    const pairs: number[] = [];
    const contact = findContacts(grid, edges, nowhere, pairs);
    if (contact === unknown) return undefined;
    const points = contact === noContact ? [] : splitPoints(edges.ab, pairs);
    if (points.length === 0) return edges;
    edges = split(edges, points);
  }
  return undefined;
}

interface SplitPoint {
  readonly edge: number;
  readonly x: number;
  readonly y: number;
}

/** Where edges have others in their middle. */
function splitPoints(ab: Int32Array, pairs: readonly number[]): SplitPoint[] {
  const points: SplitPoint[] = [];
  const add = (edge: number, x: number, y: number): void => {
    const at = edge * 4;
    if ((x === ab[at] && y === ab[at + 1]) || (x === ab[at + 2] && y === ab[at + 3])) return;
    points.push({ edge, x, y });
  };
  for (let n = 0; n < pairs.length; n += 2) {
    const i = pairs[n]!;
    const j = pairs[n + 1]!;
    let touches = false;
    for (const [edge, other] of [
      [i, j],
      [j, i],
    ] as const) {
      for (let end = edge * 4; end < edge * 4 + 4; end += 2) {
        if (!isOnEdge(ab, other, ab[end]!, ab[end + 1]!)) continue;
        touches = true;
        add(other, ab[end]!, ab[end + 1]!);
      }
    }
    if (touches) continue;
    const [x, y] = meetingPoint(ab, i, j);
    add(i, x, y);
    add(j, x, y);
  }
  return points;
}

function meetingPoint(ab: Int32Array, i: number, j: number): readonly [x: number, y: number] {
  const [ax, ay, bx, by] = ab.subarray(i * 4, i * 4 + 4) as unknown as [number, number, number, number];
  const [cx, cy, dx, dy] = ab.subarray(j * 4, j * 4 + 4) as unknown as [number, number, number, number];
  const t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / ((bx - ax) * (dy - cy) - (by - ay) * (dx - cx));
  return [Math.round(ax + (bx - ax) * t), Math.round(ay + (by - ay) * t)];
}

function split({ ab, kinds, count }: Edges, points: SplitPoint[]): Edges {
  const made = createEdges();
  const along = ({ edge, x, y }: SplitPoint): number =>
    (x - ab[edge * 4]!) * (ab[edge * 4 + 2]! - ab[edge * 4]!) +
    (y - ab[edge * 4 + 1]!) * (ab[edge * 4 + 3]! - ab[edge * 4 + 1]!);
  points.sort((a, b) => a.edge - b.edge || along(a) - along(b) || a.x - b.x || a.y - b.y);
  let point = 0;
  for (let edge = 0; edge < count; edge++) {
    const isSplit = points[point]?.edge === edge;
    let ax = ab[edge * 4]!;
    let ay = ab[edge * 4 + 1]!;
    const to = (bx: number, by: number): void => {
      if (bx !== ax || by !== ay) pushEdge(made, { ax, ay, bx, by }, kinds[edge]!, isSplit ? 1 : 0);
      ax = bx;
      ay = by;
    };
    for (; points[point]?.edge === edge; point++) to(points[point]!.x, points[point]!.y);
    to(ab[edge * 4 + 2]!, ab[edge * 4 + 3]!);
  }
  return made;
}
