import { findContacts, noContact, unknown } from './edge-contact.ts';
import { createEdgeGrid, fillGrid } from './edge-grid.ts';
import { createEdges, pushEdge, type Edges } from './edges.ts';

/** Rounding can move edges onto others, but hardly ever after two or three rounds. */
const maxRounds = 12;
const grid = createEdgeGrid();
const nowhere = { low: NaN, high: NaN };

/**
 * Splits edges where they meet others, at points rounded to the grid, until they meet at their ends only. All edges
 * that pass such a point within half a unit are routed through it, so that rounding creates few new crossings (snap
 * rounding: Hobby 1999).
 * @returns undefined if it takes too long
 */
export function splitEdges(input: Edges): Edges | undefined {
  let edges = input;
  for (let round = 0; round < maxRounds; round++) {
    fillGrid(grid, edges);
    const pairs: number[] = [];
    const contact = findContacts(grid, edges, nowhere, pairs);
    if (contact === unknown) return undefined;
    const points = contact === noContact ? [] : splitPoints(edges, pairs);
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

/** The points at which edges that meet have to be split. */
function splitPoints({ ab }: Edges, pairs: readonly number[]): SplitPoint[] {
  const points: SplitPoint[] = [];
  const seen = new Set<number>();
  const add = (edge: number, x: number, y: number): void => {
    const at = edge * 4;
    if ((x !== ab[at] || y !== ab[at + 1]) && (x !== ab[at + 2] || y !== ab[at + 3]))
      points.push({ edge, x, y });
  };
  const snapTo = (x: number, y: number): void => {
    const place = x * 2 ** 26 + y;
    if (seen.has(place)) return;
    seen.add(place);
    visitEdgesAt(x, y, (edge) => {
      if (passesPixel(ab, edge, x, y)) add(edge, x, y);
    });
  };
  for (let n = 0; n < pairs.length; n += 2) {
    const i = pairs[n]!;
    const j = pairs[n + 1]!;
    for (const end of [i * 4, i * 4 + 2, j * 4, j * 4 + 2]) snapTo(ab[end]!, ab[end + 1]!);
    const crossing = crossingOf(ab, i, j);
    if (crossing === undefined) continue;
    snapTo(...crossing);
    // A crossing halfway between two grid points may pass the one that it was rounded to.
    add(i, ...crossing);
    add(j, ...crossing);
  }
  return points;
}

/** The rounded crossing of two edges; undefined if one only ends at the other. */
function crossingOf(ab: Int32Array, i: number, j: number): [x: number, y: number] | undefined {
  const ax = ab[i * 4]!;
  const ay = ab[i * 4 + 1]!;
  const ux = ab[i * 4 + 2]! - ax;
  const uy = ab[i * 4 + 3]! - ay;
  const cx = ab[j * 4]! - ax;
  const cy = ab[j * 4 + 1]! - ay;
  const vx = ab[j * 4 + 2]! - ab[j * 4]!;
  const vy = ab[j * 4 + 3]! - ab[j * 4 + 1]!;
  const across = ux * vy - uy * vx;
  const onFirst = (cx * vy - cy * vx) / across;
  const onSecond = (cx * uy - cy * ux) / across;
  if (!(onFirst > 0 && onFirst < 1 && onSecond > 0 && onSecond < 1)) return undefined;
  return [Math.round(ax + ux * onFirst), Math.round(ay + uy * onFirst)];
}

/** Visits some edges more than once. */
function visitEdgesAt(x: number, y: number, visit: (edge: number) => void): void {
  const { shift, minX, minY, columns, rows, starts, items } = grid;
  const left = Math.max(0, (x - 1 - minX) >> shift);
  const right = Math.min(columns - 1, (x + 1 - minX) >> shift);
  const bottom = Math.min(rows - 1, (y + 1 - minY) >> shift);
  for (let row = Math.max(0, (y - 1 - minY) >> shift); row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const cell = row * columns + column;
      for (let item = starts[cell]!; item < starts[cell + 1]!; item++) visit(items[item]!);
    }
  }
}

/** Whether an edge passes through the unit square around a point (its pixel). */
function passesPixel(ab: Int32Array, edge: number, x: number, y: number): boolean {
  const ax = ab[edge * 4]! - x;
  const ay = ab[edge * 4 + 1]! - y;
  const bx = ab[edge * 4 + 2]! - x;
  const by = ab[edge * 4 + 3]! - y;
  if (Math.min(ax, bx) > 0 || Math.max(ax, bx) < 0 || Math.min(ay, by) > 0 || Math.max(ay, by) < 0)
    return false;
  // Compares the line's distance from the centre with that from its farthest corner.
  return Math.abs(ax * by - bx * ay) < (Math.abs(bx - ax) + Math.abs(by - ay)) / 2;
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
