import type { BlockPlace } from './height-grid.ts';

export interface ContourJoinOptions {
  /** Units on a side of a tile. */
  readonly extent: number;
  /** Longer lines are divided. */
  readonly maxPositions: number;
  /** Positions of lines that wait for their other ends; if there are more, those that have waited longest end where they are. */
  readonly maxWaiting: number;
}

/**
 * Takes a line in units of tiles, counted from the north-western corner of the world; valid until the next.
 * @param level the height is this many times the interval
 */
export type OnJoinedContour = (level: number, xy: Float64Array, count: number) => void;

export interface ContourJoiner {
  /** Takes a piece of a tile, in units of that tile. Pieces outside of it are left out, as its neighbour has them. */
  add(place: BlockPlace, level: number, xy: Int32Array): void;
  /** Hands over what waits for other ends that do not exist. */
  finish(): void;
}

/** Pieces that follow each other. */
interface Chain {
  readonly level: number;
  first: Piece;
  last: Piece;
  count: number;
  /** Where it waits for another piece; undefined where it ends. */
  start: string | undefined;
  end: string | undefined;
}

interface Piece {
  /** In units of the world. */
  readonly xy: Float64Array;
  next: Piece | undefined;
}

/**
 * Joins the lines of tiles where they were cut at the edges between them. Few lines wait at a time if the tiles follow each other
 * along a curve without jumps.
 */
export function createContourJoiner(
  { extent, maxPositions, maxWaiting }: ContourJoinOptions,
  onLine: OnJoinedContour,
): ContourJoiner {
  const startsAt = new Map<string, Chain>();
  const endsAt = new Map<string, Chain>();
  /** Those that have waited longest for a piece come first. */
  const waiting = new Set<Chain>();
  let positions = 0;
  let line = new Float64Array(1 << 12);

  const release = (chain: Chain): void => {
    if (!waiting.delete(chain)) return;
    positions -= chain.count;
    if (chain.start !== undefined && startsAt.get(chain.start) === chain) startsAt.delete(chain.start);
    if (chain.end !== undefined && endsAt.get(chain.end) === chain) endsAt.delete(chain.end);
  };
  const handOver = (chain: Chain): void => {
    release(chain);
    if (chain.count * 2 > line.length) line = new Float64Array(chain.count * 4);
    let length = 0;
    for (let piece: Piece | undefined = chain.first; piece; piece = piece.next) {
      const rest = length === 0 ? piece.xy : piece.xy.subarray(2); // it begins where the one before ends
      line.set(rest, length);
      length += rest.length;
    }
    onLine(chain.level, line, length / 2);
  };
  const wait = (chain: Chain): void => {
    if (chain.start !== undefined) startsAt.set(chain.start, chain);
    if (chain.end !== undefined) endsAt.set(chain.end, chain);
    waiting.add(chain);
    positions += chain.count;
  };
  const append = (chain: Chain, next: Chain): void => {
    chain.last.next = next.first;
    chain.last = next.last;
    chain.count += next.count - 1;
    chain.end = next.end;
  };

  return {
    add({ x, y }, level, xy) {
      if (!isWithin(xy, extent)) return;
      const [left, top] = [x * extent, y * extent];
      const moved = Float64Array.from(xy, (value, i) => value + (i % 2 === 0 ? left : top));
      const keyAt = (at: number): string | undefined =>
        isOnEdge(xy[at]!, xy[at + 1]!, extent) ? `${level} ${moved[at]!} ${moved[at + 1]!}` : undefined;
      const piece = { xy: moved, next: undefined };
      const count = xy.length / 2;
      let chain: Chain = {
        level,
        first: piece,
        last: piece,
        count,
        start: keyAt(0),
        end: keyAt(xy.length - 2),
      };
      const before = chain.start === undefined ? undefined : endsAt.get(chain.start);
      if (before) {
        release(before);
        append(before, chain);
        chain = before;
      }
      const isRing = chain.start !== undefined && chain.start === chain.end;
      const after = isRing || chain.end === undefined ? undefined : startsAt.get(chain.end);
      if (after) {
        release(after);
        append(chain, after);
      }
      const isOpen = (chain.start !== undefined || chain.end !== undefined) && chain.start !== chain.end;
      if (!isOpen || chain.count >= maxPositions) return handOver(chain);
      wait(chain);
      for (const oldest of waiting) {
        if (positions <= maxWaiting) break;
        handOver(oldest);
      }
    },
    finish() {
      for (const chain of waiting) handOver(chain);
    },
  };
}

/** By the middle of its first part: a piece does not cross the edge, but may lie on it. */
function isWithin(xy: Int32Array, extent: number): boolean {
  const [x, y] = [xy[0]! + xy[2]!, xy[1]! + xy[3]!];
  return x >= 0 && y >= 0 && x < 2 * extent && y < 2 * extent;
}

function isOnEdge(x: number, y: number, extent: number): boolean {
  return x === 0 || y === 0 || x === extent || y === extent;
}
