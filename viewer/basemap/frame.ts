import type { Box, Point } from './clip-to-box.ts';
import type { Outline } from './world-outlines.ts';

/** The part of the mercator square that is drawn: a tile with a margin around it. */
export interface Frame {
  /** Tile units along the side of the mercator square. */
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  /** In units of the mercator square. */
  readonly box: Box;
}

export interface FrameOptions {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** Units along a side of the tile. */
  readonly size: number;
  readonly margin: number;
}

export function frameOf({ z, x, y, size, margin }: FrameOptions): Frame {
  const scale = size * 2 ** z;
  const left = x * size;
  const top = y * size;
  const box = {
    minX: (left - margin) / scale,
    minY: (top - margin) / scale,
    maxX: (left + size + margin) / scale,
    maxY: (top + size + margin) / scale,
  };
  return { scale, left, top, box };
}

/** The copies of an outline, one globe apart, that reach the frame. */
export function copiesIn(frame: Frame, { points, bounds }: Outline): (readonly Point[])[] {
  const { box } = frame;
  if (bounds.maxY < box.minY || bounds.minY > box.maxY) return [];
  const copies: (readonly Point[])[] = [];
  for (let shift = -2; shift <= 2; shift++) {
    if (bounds.maxX + shift < box.minX || bounds.minX + shift > box.maxX) continue;
    copies.push(shift === 0 ? points : points.map(([x, y]): Point => [x + shift, y]));
  }
  return copies;
}

/** The runs of a line whose segments are near the frame. */
export function runsIn(frame: Frame, points: readonly Point[]): Point[][] {
  const { box } = frame;
  const runs: Point[][] = [];
  let run: Point[] = [];
  let before: Point | undefined;
  for (const point of points) {
    const isNear =
      before !== undefined &&
      Math.max(before[0], point[0]) >= box.minX &&
      Math.min(before[0], point[0]) <= box.maxX &&
      Math.max(before[1], point[1]) >= box.minY &&
      Math.min(before[1], point[1]) <= box.maxY;
    if (isNear && before !== undefined) {
      if (run.length === 0) run.push(before);
      run.push(point);
    } else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
    before = point;
  }
  if (run.length > 0) runs.push(run);
  return runs;
}
