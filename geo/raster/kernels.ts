/** How the pixels around a place make one. */
export type Resampling = 'nearest' | 'bilinear' | 'cubic' | 'lanczos' | 'average' | 'mode';

/** Weights of pixels along a line, by the place between two of them. */
export interface KernelTaps {
  /** Pixels that are weighed; half of them before the place. */
  readonly count: number;
  /** Those of each phase, from 0 to `phases`, whose sum is 1. */
  readonly weights: Float64Array;
  /** The same in 1/256, whose sum is 256; undefined where some are below 0. */
  readonly bytes: Int32Array | undefined;
}

/** Parts of a pixel that places are told apart by. */
export const phases = 256;
/** Up to here, pixels that become smaller are weighed as if they kept their size, as GDAL does. */
export const widenedFrom = 1 / 0.95;

type Shape = (distance: number) => number;

/** Half of the width of each kernel, in pixels. */
const radii = { bilinear: 1, cubic: 2, lanczos: 3 } as const;

const shapes: Readonly<Record<keyof typeof radii, Shape>> = {
  bilinear: (x) => Math.max(0, 1 - x),
  // Keys (1981) with a = -0.5
  cubic: (x) => (x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0),
  lanczos: (x) =>
    x === 0 ? 1 : x < 3 ? (3 * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / 3)) / (Math.PI * x) ** 2 : 0,
};

/**
 * The weights of a kernel, which becomes wider as pixels become smaller.
 * @param scale pixels of the source that one of the target is wide
 */
export function tapsOf(resampling: Exclude<Resampling, 'nearest' | 'mode'>, scale: number): KernelTaps {
  const wide = scale > widenedFrom ? scale : 1;
  const weigh: Shape =
    resampling === 'average'
      ? // what the pixel has of the box
        (x) => Math.max(0, Math.min(0.5, scale / 2 - x) + Math.min(0.5, scale / 2 + x))
      : (x) => shapes[resampling](x / wide);
  const radius = resampling === 'average' ? scale / 2 + 0.5 : radii[resampling] * wide;
  const half = Math.max(1, Math.ceil(radius - 1e-9));
  const count = half * 2;
  const weights = new Float64Array((phases + 1) * count);
  for (let phase = 0; phase <= phases; phase++) {
    const line = weights.subarray(phase * count, (phase + 1) * count);
    for (let tap = 0; tap < count; tap++) line[tap] = weigh(Math.abs(tap - half + 1 - phase / phases));
    const sum = line.reduce((total, weight) => total + weight, 0);
    for (let tap = 0; tap < count; tap++) line[tap]! /= sum;
  }
  return { count, weights, bytes: bytesOf(weights, count) };
}

/** What rounding leaves over goes to the largest weight, so that one colour stays what it is. */
function bytesOf(weights: Float64Array, count: number): Int32Array | undefined {
  if (weights.some((weight) => weight < 0)) return undefined;
  const bytes = Int32Array.from(weights, (weight) => Math.round(weight * 256));
  for (let start = 0; start < bytes.length; start += count) {
    const line = bytes.subarray(start, start + count);
    const sum = line.reduce((total, weight) => total + weight, 0);
    line[line.indexOf(Math.max(...line))]! += 256 - sum;
  }
  return bytes;
}
