import { phases, type KernelTaps } from './kernels.ts';

/** The kernel of a warp, along columns and rows. */
export interface WarpKernel {
  readonly across: KernelTaps;
  readonly down: KernelTaps;
  /** The colour of most of the weight is taken, not their mean. */
  readonly isMode?: boolean;
}

export interface PixelWords {
  /** RGBA, alpha highest. */
  readonly pixels: Int32Array;
  readonly width: number;
  readonly height: number;
}

const opaque = 255 << 24;
/** Below, weights of hidden neighbours would distort what is shown. */
const minShown = 0.25;

/**
 * The colour at a place: of the pixels around it, weighed by the kernel and by alpha, so that hidden ones give no colour. At
 * the edges the last pixels count.
 * @param x from the middle of the first pixel; likewise `y`
 * @param nearest the pixel in which the place lies, which is shown
 */
export function weighPixels(
  { pixels, width, height }: PixelWords,
  { across, down }: WarpKernel,
  place: { readonly x: number; readonly y: number; readonly nearest: number },
): number {
  const { x, y, nearest } = place;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const columnWeights = Math.round((x - left) * phases) * across.count;
  const rowWeights = Math.round((y - top) * phases) * down.count;
  const firstColumn = left - across.count / 2 + 1;
  const firstRow = top - down.count / 2 + 1;
  const isInside =
    firstColumn >= 0 &&
    firstRow >= 0 &&
    firstColumn + across.count <= width &&
    firstRow + down.count <= height;
  if (isInside) {
    let [red, green, blue, all] = [0, 0, 0, -1];
    for (let j = 0; j < down.count; j++) {
      const row = (firstRow + j) * width + firstColumn;
      let [lineRed, lineGreen, lineBlue] = [0, 0, 0];
      for (let i = 0; i < across.count; i++) {
        const word = pixels[row + i]!;
        const weight = across.weights[columnWeights + i]!;
        all &= word;
        lineRed += (word & 255) * weight;
        lineGreen += ((word >>> 8) & 255) * weight;
        lineBlue += ((word >>> 16) & 255) * weight;
      }
      const weight = down.weights[rowWeights + j]!;
      red += lineRed * weight;
      green += lineGreen * weight;
      blue += lineBlue * weight;
    }
    if (all >>> 24 === 255) return byteOf(red) | (byteOf(green) << 8) | (byteOf(blue) << 16) | opaque;
  }
  let [red, green, blue, shown] = [0, 0, 0, 0];
  for (let j = 0; j < down.count; j++) {
    const row = limit(firstRow + j, height) * width;
    const rowWeight = down.weights[rowWeights + j]!;
    for (let i = 0; i < across.count; i++) {
      const word = pixels[row + limit(firstColumn + i, width)]!;
      const weight = across.weights[columnWeights + i]! * rowWeight * (word >>> 24);
      red += (word & 255) * weight;
      green += ((word >>> 8) & 255) * weight;
      blue += ((word >>> 16) & 255) * weight;
      shown += weight;
    }
  }
  if (shown < minShown * (nearest >>> 24)) return nearest;
  const alpha = Math.max(1, byteOf(shown));
  return byteOf(red / shown) | (byteOf(green / shown) << 8) | (byteOf(blue / shown) << 16) | (alpha << 24);
}

function limit(value: number, count: number): number {
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

function byteOf(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : Math.floor(value + 0.5);
}
