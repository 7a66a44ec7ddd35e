import type { Colour } from './colour.ts';
import { createPicture } from './picture.ts';

/** A picture in which what is nearer hides what is behind it. */
export interface DepthCanvas {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
  /** Nearness of what each pixel shows; -Infinity where it shows the background. */
  readonly depth: Float64Array;
  /** Visits of pixels and corners that may still be made: damaged data can cover the picture again and again. */
  budget: number;
}

export function createDepthCanvas(
  size: { readonly width: number; readonly height: number; readonly background?: Colour },
  budget = Infinity,
): DepthCanvas {
  const picture = createPicture(size.width, size.height, size.background);
  return { ...picture, depth: new Float64Array(size.width * size.height).fill(-Infinity), budget };
}

/** A square of whole pixels around one. */
export interface Spot {
  readonly column: number;
  readonly row: number;
  /** Pixels to each side of it. */
  readonly reach: number;
  readonly nearness: number;
}

export function drawSpot(canvas: DepthCanvas, { column, row, reach, nearness }: Spot, colour: Colour): void {
  const { width, height, rgba, depth } = canvas;
  const [left, right] = [Math.max(0, column - reach), Math.min(width - 1, column + reach)];
  for (let y = Math.max(0, row - reach); y <= Math.min(height - 1, row + reach); y++) {
    for (let x = left; x <= right; x++) {
      const pixel = y * width + x;
      if (nearness <= depth[pixel]!) continue;
      depth[pixel] = nearness;
      rgba.set(colour, pixel * 4);
      rgba[pixel * 4 + 3] = 255;
    }
  }
}

export interface FlatSurface {
  /** Pixels to the right, pixels down, nearness of each position. */
  readonly points: Float64Array;
  /** Its first position. */
  readonly start: number;
  /** In positions: the end of the outline, then those of its holes. */
  readonly ringEnds: readonly number[];
}

/** Fills by the even-odd rule what is not hidden. @returns whether any pixel shows it */
export function fillSurface(canvas: DepthCanvas, surface: FlatSurface, [red, green, blue]: Colour): boolean {
  const { width, rgba, depth } = canvas;
  const plane = planeOf(surface);
  if (plane === undefined) return false;
  const [slopeX, slopeY, base] = plane;
  const corners = surface.ringEnds.at(-1)! - surface.start;
  const [top, bottom] = rowsOf(surface, canvas.height);
  const crossings: number[] = [];
  let isVisible = false;
  for (let row = top; row <= bottom; row++) {
    canvas.budget -= corners;
    if (canvas.budget < 0) return isVisible;
    findCrossings(surface, row + 0.5, crossings);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil(crossings[i]! - 0.5));
      const to = Math.min(width - 1, Math.ceil(crossings[i + 1]! - 0.5) - 1);
      canvas.budget -= Math.max(0, to - from);
      for (let x = from; x <= to; x++) {
        const nearness = base + slopeX * (x + 0.5) + slopeY * (row + 0.5);
        const pixel = row * width + x;
        if (nearness <= depth[pixel]!) continue;
        depth[pixel] = nearness;
        rgba[pixel * 4] = red;
        rgba[pixel * 4 + 1] = green;
        rgba[pixel * 4 + 2] = blue;
        rgba[pixel * 4 + 3] = 255;
        isVisible = true;
      }
    }
  }
  return isVisible;
}

function rowsOf({ points, start, ringEnds }: FlatSurface, height: number): [number, number] {
  let [top, bottom] = [Infinity, -Infinity];
  for (let i = start; i < ringEnds.at(-1)!; i++) {
    const y = points[i * 3 + 1]!;
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return [Math.max(0, Math.ceil(top - 0.5)), Math.min(height - 1, Math.ceil(bottom - 0.5) - 1)];
}

/** Each edge is measured from its upper end, so that surfaces on both sides of it leave no gap. */
function findCrossings({ points, start, ringEnds }: FlatSurface, y: number, crossings: number[]): void {
  crossings.length = 0;
  let first = start;
  for (const end of ringEnds) {
    for (let i = first, before = end - 1; i < end; before = i++) {
      const isDown = points[before * 3 + 1]! <= y;
      if (isDown === points[i * 3 + 1]! <= y) continue;
      const [upper, lower] = isDown ? [before * 3, i * 3] : [i * 3, before * 3];
      const [ax, ay] = [points[upper]!, points[upper + 1]!];
      crossings.push(ax + ((y - ay) / (points[lower + 1]! - ay)) * (points[lower]! - ax));
    }
    first = end;
  }
  if (crossings.length > 2) crossings.sort((a, b) => a - b);
  else if (crossings[0]! > crossings[1]!) crossings.reverse();
}

/** Nearness over the picture as base + slopeX · x + slopeY · y; undefined where the surface is seen from its edge. */
function planeOf({
  points,
  start,
  ringEnds,
}: FlatSurface): [slopeX: number, slopeY: number, base: number] | undefined {
  const end = ringEnds[0]!;
  const [x0, y0, z0] = [points[start * 3]!, points[start * 3 + 1]!, points[start * 3 + 2]!];
  let [nx, ny, nz] = [0, 0, 0];
  for (let i = start, before = end - 1; i < end; before = i++) {
    const [ax, ay, az] = [
      points[before * 3]! - x0,
      points[before * 3 + 1]! - y0,
      points[before * 3 + 2]! - z0,
    ];
    const [bx, by, bz] = [points[i * 3]! - x0, points[i * 3 + 1]! - y0, points[i * 3 + 2]! - z0];
    nx += (ay - by) * (az + bz);
    ny += (az - bz) * (ax + bx);
    nz += (ax - bx) * (ay + by);
  }
  if (!(Math.abs(nz) > 1e-9)) return undefined;
  const [slopeX, slopeY] = [-nx / nz, -ny / nz];
  return [slopeX, slopeY, z0 - slopeX * x0 - slopeY * y0];
}
