import type { Issues } from '../issues.ts';
import { isNothing } from './draw-pixels.ts';
import type { PixelSample } from './sample-pixels.ts';

export interface ValueRange {
  readonly min: number;
  readonly max: number;
  /** Of the pixels, from 0 to 1. */
  readonly noDataShare: number;
}

/** What stands for nothing in many elevation models, also where they do not say so. */
const usualFills = [-9999, -32_768, -32_767, 32_767, -99_999];
/** No place on earth has such a height. */
const lowest = -12_000;
const highest = 9000;

/** Of the first band; undefined: there is no value. */
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

/** The usual values for nothing that a file does not declare. */
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
      `${file} holds the value ${fill}, which mostly stands for no data, but does not declare it: declare it (gdal_edit.py -a_nodata ${fill}), or there will be pits and spikes.`,
    );
  else if (min < lowest || max > highest)
    issues.add(
      'impossibleHeights',
      `${file} has heights from ${round(min)} to ${round(max)}: if these are metres, no place on earth has them.`,
    );
}

export function round(value: number): number {
  return Number(value.toPrecision(6));
}
