import type { RgbaWindow } from './warp-rgba.ts';

/** Steps along and across pixels are 3 and 4 long: distances are right to 8 % (Borgefors 1986). */
const [along, across] = [3, 4];

/**
 * How much each pixel of a window counts, from 1 at the edge of what is shown to 255 in `reach` pixels from it, as grey RGBA. What is
 * beyond the window, but not beyond the image, is taken for shown.
 */
export function edgeWeights(
  { rgba, column, row, width, height }: RgbaWindow,
  image: { readonly width: number; readonly height: number },
  reach: number,
): Uint8Array {
  const far = reach * along;
  // a frame of one pixel around the window
  const stride = width + 2;
  const distances = new Uint16Array(stride * (height + 2)).fill(far);
  if (row === 0) distances.fill(0, 0, stride);
  if (row + height === image.height) distances.fill(0, stride * (height + 1));
  for (let y = 0; y < height; y++) {
    const start = (y + 1) * stride;
    if (column === 0) distances[start] = 0;
    if (column + width === image.width) distances[start + width + 1] = 0;
    for (let x = 0, alpha = y * width * 4 + 3; x < width; x++, alpha += 4)
      if (rgba[alpha] === 0) distances[start + x + 1] = 0;
  }
  spread(distances, stride, 1);
  spread(distances, stride, -1);
  const weights = new Uint8Array(width * height * 4);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) {
      const distance = Math.min(far, distances[(y + 1) * stride + x + 1]!);
      weights[to] = Math.max(1, Math.round((distance / far) * 255));
      weights[to + 3] = 255;
    }
  }
  return weights;
}

/** Down with 1, up with -1; each pixel gets the least of its neighbours that have been passed. */
function spread(distances: Uint16Array, stride: number, by: 1 | -1): void {
  const rows = distances.length / stride;
  for (let y = 1; y < rows - 1; y++) {
    const start = (by === 1 ? y : rows - 1 - y) * stride;
    for (let x = 1; x < stride - 1; x++) {
      const at = start + (by === 1 ? x : stride - 1 - x);
      const before = at - by * stride;
      distances[at] = Math.min(
        distances[at]!,
        distances[at - by]! + along,
        distances[before]! + along,
        distances[before - 1]! + across,
        distances[before + 1]! + across,
      );
    }
  }
}

/** Pixels that are put below others. */
export interface BlendedPixels {
  readonly rgba: Uint8Array;
  /** What each counts, in the first byte of four. */
  readonly weights: Uint8Array;
}

/** A square of RGBA, with how far its pixels are covered: 255 is wholly. */
export interface BlendTarget {
  readonly rgba: Uint8Array;
  readonly cover: Uint8Array;
}

/** Adds pixels by their weights, as far as those above leave room. Where they are alone, they are shown as they are. */
export function blendBelow({ rgba, cover }: BlendTarget, { rgba: below, weights }: BlendedPixels): void {
  for (let pixel = 0, at = 0; pixel < cover.length; pixel++, at += 4) {
    if (below[at + 3] === 0) continue;
    const above = cover[pixel]!;
    const share = Math.round(((255 - above) * weights[at]!) / 255);
    if (share === 0) continue;
    const total = above + share;
    for (let i = 0; i < 4; i++)
      rgba[at + i] = Math.round((rgba[at + i]! * above + below[at + i]! * share) / total);
    cover[pixel] = total;
  }
}
