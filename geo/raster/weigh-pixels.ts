import { phases, type KernelTaps } from './kernels.ts';
import { fixed } from './place-run.ts';

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

/** Two bytes of a word, each with room for a sum of products. */
const pair = 0x00ff_00ff;
const halfOfPair = 0x0080_0080;

/**
 * The colour at a place whose pixels are all opaque, and all within the image, by weights of 1/256; 0 where some are not opaque.
 * @param x in 1/65536 pixels from the middle of the first pixel; likewise `y`
 */
export function sumInBytes(
  { pixels, width }: PixelWords,
  { across, down }: WarpKernel,
  x: number,
  y: number,
): number {
  const [columnBytes, rowBytes] = [across.bytes!, down.bytes!];
  const columnWeights = Math.imul((x >> 8) & 255, across.count);
  const rowWeights = Math.imul((y >> 8) & 255, down.count);
  const firstRow = (y >> 16) - down.count / 2 + 1;
  let line = Math.imul(firstRow, width) + (x >> 16) - across.count / 2 + 1;
  let [redBlue, greenAlpha, all] = [halfOfPair, halfOfPair, -1];
  for (let j = 0; j < down.count; j++, line = (line + width) | 0) {
    let [lineRedBlue, lineGreenAlpha] = [halfOfPair, halfOfPair];
    // the number of weights is even
    for (let i = 0; i < across.count; i += 2) {
      const [a, b] = [pixels[line + i]!, pixels[line + i + 1]!];
      const [weightA, weightB] = [columnBytes[columnWeights + i]!, columnBytes[columnWeights + i + 1]!];
      all &= a & b;
      lineRedBlue = (lineRedBlue + Math.imul(a & pair, weightA) + Math.imul(b & pair, weightB)) | 0;
      lineGreenAlpha =
        (lineGreenAlpha + Math.imul((a >>> 8) & pair, weightA) + Math.imul((b >>> 8) & pair, weightB)) | 0;
    }
    const weight = rowBytes[rowWeights + j]!;
    redBlue = (redBlue + Math.imul((lineRedBlue >>> 8) & pair, weight)) | 0;
    greenAlpha = (greenAlpha + Math.imul((lineGreenAlpha >>> 8) & pair, weight)) | 0;
  }
  return all >>> 24 === 255 ? ((redBlue >>> 8) & pair) | (greenAlpha & ~pair) : 0;
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
  if (isInside && across.bytes && down.bytes) {
    const sum = sumInBytes(
      { pixels, width, height },
      { across, down },
      Math.round(x * fixed),
      Math.round(y * fixed),
    );
    if (sum !== 0) return sum;
  } else if (isInside) {
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
