import type { Crs } from '@platen/formats/crs/find-crs';
import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { cornersWithin } from '../../heights/ground-heights.ts';
import { isNothing } from '../../tile-style/draw-relief.ts';
import type { PixelSample } from './sample-pixels.ts';

export interface SampledGround {
  readonly sample: PixelSample;
  readonly noData: number | undefined;
  /** From pixels of the whole grid to the coordinate system. */
  readonly matrix: GeoTransform['matrix'];
  readonly crs: Crs;
  readonly bbox: readonly number[];
  /** The place in the sample, in its pixels, of one in the whole grid. */
  readonly toSample: (column: number, row: number) => readonly [x: number, y: number];
}

/** Where pixels are in a sample that is spread evenly over a grid. */
export const evenly =
  (sample: PixelSample, { width, height }: { readonly width: number; readonly height: number }) =>
  (column: number, row: number) =>
    [(column * sample.width) / width - 0.5, (row * sample.height) / height - 0.5] as const;

/** Where pixels are in a sample of the first and every further so-manieth. */
export const everyNth = (step: number) => (column: number, row: number) =>
  [(column - 0.5) / step, (row - 0.5) / step] as const;

/** Longitude, latitude and height of corners that other data have in common, as far as there are heights around them. */
export function sampleGround({ crs, matrix, bbox, ...grid }: SampledGround): number[] {
  const corners = cornersWithin(bbox as [number, number, number, number]);
  const positions = Float64Array.from(corners.flat());
  if (crs.kind !== 'lonLat') crs.fromLonLat(positions, corners.length);
  const [a, b, c, d, e, f] = matrix;
  const determinant = a * e - b * d;
  return corners.flatMap(([lon, lat], i) => {
    const [x, y] = [positions[i * 2]! - c, positions[i * 2 + 1]! - f];
    const height = heightIn(grid, (e * x - b * y) / determinant, (a * y - d * x) / determinant);
    return Number.isFinite(height) ? [lon, lat, Number(height.toFixed(2))] : [];
  });
}

/** Bilinear; NaN beside what has no height. */
function heightIn(
  { sample, noData, toSample }: Pick<SampledGround, 'sample' | 'noData' | 'toSample'>,
  column: number,
  row: number,
): number {
  const { width, height, bands, values } = sample;
  const [x, y] = toSample(column, row);
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (!(left >= 0 && top >= 0 && left + 1 < width && top + 1 < height)) return NaN;
  const valueAt = (dx: number, dy: number): number => {
    const value = values[((top + dy) * width + left + dx) * bands]!;
    return isNothing(value, noData) ? NaN : value;
  };
  const [u, v] = [x - left, y - top];
  const upper = valueAt(0, 0) * (1 - u) + valueAt(1, 0) * u;
  const lower = valueAt(0, 1) * (1 - u) + valueAt(1, 1) * u;
  return upper * (1 - v) + lower * v;
}
