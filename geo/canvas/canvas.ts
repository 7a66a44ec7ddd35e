import type { Colour } from './colour.ts';

/** An opaque picture, and a mask in which shapes are drawn before a colour is laid over what they cover. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
  /** Coverage of each pixel, from 0 to 1; sums of adjoining areas may exceed it by rounding. */
  readonly mask: Float32Array;
  /** The rows in which the mask may not be 0; none where the first is below the last. */
  firstRow: number;
  lastRow: number;
}

/** In pixels; left and top are inclusive, right and bottom exclusive. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Lines or rings (or, as one line, points) in units of their own. */
export interface Path {
  /** x, y of each position; y downwards. */
  readonly coordinates: ArrayLike<number>;
  /** End of each line or ring, in positions. */
  readonly partEnds: readonly number[];
}

/** Maps units of a path to pixels: `scale` pixels to a unit, its origin at `left`, `top`. */
export interface Placement {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Draws over an opaque picture. */
export function createCanvas(picture: Pick<Canvas, 'width' | 'height' | 'rgba'>): Canvas {
  const { width, height } = picture;
  return { ...picture, mask: new Float32Array(width * height), firstRow: height, lastRow: -1 };
}

/** Notes that the mask changes in these rows. */
export function touchRows(canvas: Canvas, first: number, last: number): void {
  if (first < canvas.firstRow) canvas.firstRow = first;
  if (last > canvas.lastRow) canvas.lastRow = last;
}

/** Lays a colour over what the mask covers, and clears the mask. */
export function paintMask(canvas: Canvas, [red, green, blue]: Colour, opacity: number): void {
  const { rgba, mask, width } = canvas;
  const end = (canvas.lastRow + 1) * width;
  for (let pixel = canvas.firstRow * width; pixel < end; pixel++) {
    const coverage = mask[pixel]!;
    if (coverage === 0) continue;
    const weight = Math.min(1, coverage) * opacity;
    const at = pixel * 4;
    rgba[at]! += (red - rgba[at]!) * weight;
    rgba[at + 1]! += (green - rgba[at + 1]!) * weight;
    rgba[at + 2]! += (blue - rgba[at + 2]!) * weight;
    mask[pixel] = 0;
  }
  canvas.firstRow = canvas.height;
  canvas.lastRow = -1;
}

/** Covers whole pixels: the edges of the box are integers. */
export function fillBox(canvas: Canvas, { left, top, right, bottom }: Box): void {
  const [first, end] = [Math.max(0, top), Math.min(canvas.height, bottom)];
  if (first >= end) return;
  touchRows(canvas, first, end - 1);
  const [from, to] = [Math.max(0, left), Math.max(0, Math.min(canvas.width, right))];
  for (let row = first; row < end; row++)
    canvas.mask.fill(1, row * canvas.width + from, row * canvas.width + to);
}
