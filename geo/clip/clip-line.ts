import { crossing } from './clip-ring.ts';

/** Receives the vertices of clipped lines; `begins` marks the first vertex of a part. */
export type LineSink = (x: number, y: number, begins: boolean) => void;

/**
 * Clips a line to the square from `low` to `high`, inclusive.
 * @param line x, y of `count` vertices
 */
export function clipLine(line: Float64Array, count: number, low: number, high: number, sink: LineSink): void {
  let connected = false;
  for (let i = 1; i < count; i++) {
    let ax = line[i * 2 - 2]!;
    let ay = line[i * 2 - 1]!;
    let bx = line[i * 2]!;
    let by = line[i * 2 + 1]!;
    if (
      (ax < low && bx < low) ||
      (ax > high && bx > high) ||
      (ay < low && by < low) ||
      (ay > high && by > high)
    ) {
      connected = false;
      continue;
    }
    if (inside(ax, ay, low, high) && inside(bx, by, low, high)) {
      if (!connected) sink(ax, ay, true);
      sink(bx, by, false);
      connected = true;
      continue;
    }
    const cx = bx;
    const cy = by;
    const atX = (limit: number): number => crossing(line[i * 2 - 2]!, line[i * 2 - 1]!, cx, cy, limit);
    const atY = (limit: number): number => crossing(line[i * 2 - 1]!, line[i * 2 - 2]!, cy, cx, limit);
    let cutStart = false;
    let cutEnd = false;
    if (ax < low) [ax, ay, cutStart] = [low, atX(low), true];
    else if (ax > high) [ax, ay, cutStart] = [high, atX(high), true];
    if (bx < low) [bx, by, cutEnd] = [low, atX(low), true];
    else if (bx > high) [bx, by, cutEnd] = [high, atX(high), true];
    if ((ay < low && by < low) || (ay > high && by > high)) {
      connected = false;
      continue;
    }
    if (ay < low) [ax, ay, cutStart] = [atY(low), low, true];
    else if (ay > high) [ax, ay, cutStart] = [atY(high), high, true];
    if (by < low) [bx, by, cutEnd] = [atY(low), low, true];
    else if (by > high) [bx, by, cutEnd] = [atY(high), high, true];
    if (cutStart || !connected) sink(ax, ay, true);
    sink(bx, by, false);
    connected = !cutEnd;
  }
}

function inside(x: number, y: number, low: number, high: number): boolean {
  return x >= low && x <= high && y >= low && y <= high;
}
