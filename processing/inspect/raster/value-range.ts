import type { Issues } from '../issues.ts';
import { isNothing } from '../../tile-style/draw-relief.ts';
import type { PixelSample } from './sample-pixels.ts';

export interface ValueRange {
  readonly min: number;
  readonly max: number;
  /** Share of the pixels, from 0 to 1. */
  readonly noDataShare: number;
}

/** Values that commonly stand for no data in elevation models, even if not declared. */
const usualFills = [-9999, -32_768, -32_767, 32_767, -99_999];
/** Limits that no height on earth exceeds. */
const minHeight = -12_000;
const maxHeight = 9000;

/** Range of the first band; undefined if it has no value. */
export function valueRangeOf(sample: PixelSample, noData: number | undefined): ValueRange | undefined {
  let [min, max, nothing, count] = [Infinity, -Infinity, 0, 0];
  for (let at = 0; at < sample.values.length; at += sample.bands, count++) {
    const value = sample.values[at]!;
    if (isNothing(value, noData)) nothing++;
    else if (value < min) min = value;
    if (!isNothing(value, noData) && value > max) max = value;
  }
  return min <= max ? { min, max, noDataShare: nothing / count } : undefined;
}

/** The height that most pixels have exactly, with their share of all that have one; undefined if there is none. */
export function flatHeightOf(
  { bands, values }: PixelSample,
  noData: number | undefined,
): { readonly height: number; readonly share: number } | undefined {
  const counts = new Map<number, number>();
  let total = 0;
  for (let at = 0; at < values.length; at += bands) {
    const value = values[at]!;
    if (isNothing(value, noData)) continue;
    total++;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  let [height, count] = [NaN, 0];
  for (const [value, times] of counts) if (times > count) [height, count] = [value, times];
  return count > 1 ? { height, share: count / total } : undefined;
}

/** Finds a common no-data value that the file does not declare. */
export function undeclaredFill(sample: PixelSample, noData: number | undefined): number | undefined {
  return usualFills.find((fill) => fill !== noData && sample.values.includes(fill));
}

export function checkHeights(
  { min, max }: ValueRange,
  fill: number | undefined,
  { file, issues }: { file: string; issues: Issues },
): void {
  if (fill !== undefined)
    issues.add(
      'undeclaredNoData',
      `${file} contains the value ${fill}, which usually means no data, but does not declare it. Declare it (gdal_edit.py -a_nodata ${fill}) to avoid pits and spikes.`,
    );
  else if (min < minHeight || max > maxHeight)
    issues.add(
      'impossibleHeights',
      `${file} has heights from ${round(min)} to ${round(max)}. If these are metres, no place on earth has such heights.`,
    );
}

export function round(value: number): number {
  return Number(value.toPrecision(6));
}
