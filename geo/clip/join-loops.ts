/** A line with the covered area to its right, y downwards. */
export interface Border {
  /** Numbers of its end points. */
  readonly from: number;
  readonly to: number;
  /** x, y of every vertex, both ends included. */
  readonly xy: Float64Array;
}

/** Joins the borders of an area, which meet at their ends only, into rings that do not touch themselves. */
export function joinLoops(borders: readonly Border[]): Float64Array[] {
  const outgoing = new Map<number, number[]>();
  for (const [i, { from }] of borders.entries()) {
    const known = outgoing.get(from);
    if (known === undefined) outgoing.set(from, [i]);
    else known.push(i);
  }
  const used = new Uint8Array(borders.length);
  const loops: Float64Array[] = [];
  for (let first = 0; first < borders.length; first++) {
    const path: Border[] = [];
    /** Step of the path that starts at a point. */
    const steps = new Map<number, number>();
    let next: number | undefined = first;
    while (next !== undefined && used[next] === 0) {
      used[next] = 1;
      const border: Border = borders[next]!;
      steps.set(border.from, path.length);
      path.push(border);
      const step = steps.get(border.to);
      if (step !== undefined) {
        const loop = path.splice(step);
        for (const { from } of loop) steps.delete(from);
        loops.push(ringOf(loop));
      }
      next = follow(borders, used, border, outgoing.get(border.to) ?? []);
    }
  }
  return loops;
}

function ringOf(loop: readonly Border[]): Float64Array {
  const ring = new Float64Array(loop.reduce((sum, { xy }) => sum + xy.length - 2, 0));
  let at = 0;
  for (const { xy } of loop) {
    ring.set(xy.subarray(0, xy.length - 2), at);
    at += xy.length - 2;
  }
  return ring;
}

/**
 * Picks, among the unused borders that start where one ends, the one with the covered corner between them on the
 * right.
 */
function follow(
  borders: readonly Border[],
  used: Uint8Array,
  { xy }: Border,
  candidates: readonly number[],
): number | undefined {
  const end = xy.length - 2;
  const back = quarterTurns(xy[end - 2]! - xy[end]!, xy[end - 1]! - xy[end + 1]!);
  let best: number | undefined;
  let smallest = Infinity;
  for (const candidate of candidates) {
    if (used[candidate] === 1) continue;
    const away = borders[candidate]!.xy;
    const turn = (back - quarterTurns(away[2]! - away[0]!, away[3]! - away[1]!) + 4) % 4;
    if (turn >= smallest) continue;
    smallest = turn;
    best = candidate;
  }
  return best;
}

/** A pseudo-angle from 0 to 4 that grows clockwise on the screen. */
function quarterTurns(x: number, y: number): number {
  const share = y / (Math.abs(x) + Math.abs(y));
  return x < 0 ? 2 - share : share < 0 ? 4 + share : share;
}
