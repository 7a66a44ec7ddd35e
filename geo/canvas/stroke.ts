import { touchRows, type Box, type Canvas, type Path, type Placement } from './canvas.ts';

interface Stroke extends Placement {
  /** In pixels. */
  readonly width: number;
  readonly clip: Box;
  readonly isRing: boolean;
  /**
   * Extent of the tile in units of the path. Edges of rings on its border or beyond come from clipping, and are not
   * drawn.
   */
  readonly extent: number;
}

/** Draws lines, or the outlines of rings, into the mask. Where they overlap, coverage does not add up. */
export function strokePath(canvas: Canvas, { coordinates, partEnds }: Path, stroke: Stroke): void {
  const { scale, left, top, isRing, extent } = stroke;
  let start = 0;
  for (const end of partEnds) {
    for (let at = isRing ? start : start + 1; at < end; at++) {
      const before = at === start ? end - 1 : at - 1;
      const [x0, y0] = [coordinates[before * 2]!, coordinates[before * 2 + 1]!];
      const [x1, y1] = [coordinates[at * 2]!, coordinates[at * 2 + 1]!];
      if (isRing && isCut(x0, x1, extent)) continue;
      if (isRing && isCut(y0, y1, extent)) continue;
      const from = [left + x0 * scale, top + y0 * scale] as const;
      strokeSegment(canvas, from, [left + x1 * scale, top + y1 * scale], stroke);
    }
    start = end;
  }
}

function isCut(a: number, b: number, extent: number): boolean {
  return (a <= 0 && b <= 0) || (a >= extent && b >= extent);
}

type Position = readonly [x: number, y: number];

/** Walks along the longer axis and visits only the pixels next to the line. */
function strokeSegment(
  canvas: Canvas,
  [x0, y0]: Position,
  [x1, y1]: Position,
  { width: lineWidth, clip }: Pick<Stroke, 'width' | 'clip'>,
): void {
  const { mask, width } = canvas;
  const [dx, dy] = [x1 - x0, y1 - y0];
  const isFlat = Math.abs(dx) >= Math.abs(dy);
  const reach = lineWidth / 2 + 0.5;
  const across = Math.ceil(reach * 1.5);
  const bounds = isFlat
    ? { from: clip.left, to: clip.right, low: clip.top, high: clip.bottom }
    : { from: clip.top, to: clip.bottom, low: clip.left, high: clip.right };
  const [a0, a1, b0] = isFlat ? [x0, x1, y0] : [y0, y1, x0];
  const slope = isFlat ? dy / dx : dx / dy;
  const lengthSquared = dx * dx + dy * dy;
  const first = Math.max(Math.floor(bounds.from), Math.floor(Math.min(a0, a1) - reach));
  const last = Math.min(Math.ceil(bounds.to) - 1, Math.floor(Math.max(a0, a1) + reach));
  if (first > last) return;
  if (!isFlat) touchRows(canvas, first, last);
  for (let a = first; a <= last; a++) {
    const along = Math.min(Math.max(a + 0.5, Math.min(a0, a1)), Math.max(a0, a1));
    const middle = Math.floor(a0 === a1 ? b0 : b0 + (along - a0) * slope);
    // Clamped first: far outside of the picture, adding 1 to a number may not change it.
    const lowest = Math.max(Math.floor(bounds.low), middle - across);
    const highest = Math.min(Math.ceil(bounds.high) - 1, middle + across);
    if (isFlat && lowest <= highest) touchRows(canvas, lowest, highest);
    for (let b = lowest; b <= highest; b++) {
      const [px, py] = isFlat ? [a + 0.5 - x0, b + 0.5 - y0] : [b + 0.5 - x0, a + 0.5 - y0];
      const t = lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / lengthSquared));
      const distance = Math.hypot(px - t * dx, py - t * dy);
      raiseCoverage(mask, isFlat ? b * width + a : a * width + b, reach - distance);
    }
  }
}

/** Draws a disc into the mask. Where discs overlap, coverage does not add up. */
export function drawDisc(canvas: Canvas, x: number, y: number, radius: number): void {
  const { mask, width, height } = canvas;
  const reach = radius + 0.5;
  const [left, right] = [Math.max(0, Math.floor(x - reach)), Math.min(width - 1, Math.floor(x + reach))];
  const [top, bottom] = [Math.max(0, Math.floor(y - reach)), Math.min(height - 1, Math.floor(y + reach))];
  if (top <= bottom) touchRows(canvas, top, bottom);
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const distance = Math.hypot(column + 0.5 - x, row + 0.5 - y);
      raiseCoverage(mask, row * width + column, reach - distance);
    }
  }
}

function raiseCoverage(mask: Float32Array, pixel: number, coverage: number): void {
  if (coverage > mask[pixel]!) mask[pixel] = Math.min(1, coverage);
}
