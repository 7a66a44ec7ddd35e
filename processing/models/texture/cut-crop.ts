import type { RasterImage } from '../../kit/images/raster-image.ts';

export type UvBox = readonly [left: number, bottom: number, right: number, top: number];

/** A part of an image that surfaces need. */
export interface ImageCrop {
  /** In image coordinates with v upwards. */
  readonly box: UvBox;
  /** Square metres of the surfaces, and what they take of the image (1 is all of it). */
  readonly metres: number;
  readonly share: number;
  readonly repeats: boolean;
}

/** Pixels of a part of an image, RGBA. */
export interface CutCrop {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  /** What was cut, in image coordinates with v upwards. */
  readonly box: UvBox;
  /** The mean of its visible pixels, from 0 to 1 in sRGB. */
  readonly mean: readonly [red: number, green: number, blue: number];
}

/** Pixels around a crop that are cut with it, so that filters of viewers do not reach beyond it. */
const margin = 1;
/** An image that repeats more often is kept whole. */
export const maxRepeats = 4;

/** Whether the crop goes so far beyond the image that it has to repeat in the viewer. */
export function needsRepeating({ repeats, box: [left, bottom, right, top] }: ImageCrop): boolean {
  return repeats && (right - left > maxRepeats || top - bottom > maxRepeats);
}

export interface CutOptions {
  /** Smaller pixels are made larger, in metres. */
  readonly metresPerTexel: number;
  readonly maxSide: number;
}

/** Cuts a part out of an image, as fine as the surface that it is for needs it. @param image RGBA */
export function cutCrop(
  crop: ImageCrop,
  image: RasterImage,
  { metresPerTexel, maxSide }: CutOptions,
): CutCrop {
  const { width, height } = image;
  const clamp = (value: number): number => (crop.repeats ? value : Math.min(1, Math.max(0, value)));
  const [left, bottom, right, top] = crop.box.map(clamp) as unknown as UvBox;
  const x0 = Math.floor(left * width) - margin;
  const x1 = Math.max(x0 + 1, Math.ceil(right * width) + margin);
  const y0 = Math.floor((1 - top) * height) - margin;
  const y1 = Math.max(y0 + 1, Math.ceil((1 - bottom) * height) + margin);
  const metresPerPixel = Math.sqrt(crop.metres / Math.max(crop.share * width * height, 1e-9));
  const finest = Math.min(1, metresPerPixel / metresPerTexel);
  const scale = Math.min(finest, (maxSide - 4) / (x1 - x0), (maxSide - 4) / (y1 - y0));
  const columns = Math.max(1, Math.round((x1 - x0) * scale));
  const rows = Math.max(1, Math.round((y1 - y0) * scale));
  const rgba = new Uint8Array(columns * rows * 4);
  const wrap = (value: number, size: number): number =>
    crop.repeats ? ((value % size) + size) % size : Math.min(size - 1, Math.max(0, value));
  const sums = [0, 0, 0, 0];
  for (let row = 0; row < rows; row++) {
    const [fromY, toY] = spanOf(row, rows, y0, y1);
    for (let column = 0; column < columns; column++) {
      const [fromX, toX] = spanOf(column, columns, x0, x1);
      let [red, green, blue, alpha, count] = [0, 0, 0, 0, 0];
      for (let y = fromY; y < toY; y++) {
        const line = wrap(y, height) * width;
        for (let x = fromX; x < toX; x++) {
          const at = (line + wrap(x, width)) * 4;
          const weight = image.samples[at + 3]!;
          red += image.samples[at]! * weight;
          green += image.samples[at + 1]! * weight;
          blue += image.samples[at + 2]! * weight;
          alpha += weight;
          count++;
        }
      }
      const to = (row * columns + column) * 4;
      const share = alpha === 0 ? 0 : 1 / alpha;
      rgba[to] = Math.round(red * share);
      rgba[to + 1] = Math.round(green * share);
      rgba[to + 2] = Math.round(blue * share);
      rgba[to + 3] = Math.round(alpha / count);
      for (let band = 0; band < 3; band++) sums[band]! += rgba[to + band]! * rgba[to + 3]!;
      sums[3]! += rgba[to + 3]! * 255;
    }
  }
  const mean = (band: number): number => (sums[3]! > 0 ? sums[band]! / sums[3]! : 0.7);
  return {
    width: columns,
    height: rows,
    rgba,
    box: [x0 / width, 1 - y1 / height, x1 / width, 1 - y0 / height],
    mean: [mean(0), mean(1), mean(2)],
  };
}

/** The pixels of the image for a pixel of the crop, at least one. */
function spanOf(index: number, count: number, start: number, end: number): [from: number, to: number] {
  const from = start + Math.floor((index * (end - start)) / count);
  return [from, Math.max(from + 1, start + Math.floor(((index + 1) * (end - start)) / count))];
}
