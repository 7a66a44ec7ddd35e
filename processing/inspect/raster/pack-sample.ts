import { deflateSync } from 'node:zlib';
import type { SampledPixels } from '@platen/contract/inspect';
import { isNothing } from '../../tile-style/draw-relief.ts';
import type { PixelSample } from './sample-pixels.ts';

/** Pixels a side. */
const maxSide = 192;
const minSide = 32;
/** Of base64, as reports allow. */
const maxLength = 90_000;
const highest = 65_535;

interface Source {
  /** Of the image, in pixels. */
  readonly width: number;
  readonly noData: number | undefined;
  readonly alphaBand: number | undefined;
}

/** A part of a sample for a report, smaller where it would be too long; undefined if it has no number. */
export function packSample(
  sample: PixelSample,
  { width, noData, alphaBand }: Source,
): SampledPixels | undefined {
  const range = rangeOf(sample, noData, alphaBand);
  if (!range) return undefined;
  for (let side = maxSide; side >= minSide; side = Math.floor(side * 0.8)) {
    const scale = Math.max(1, Math.max(sample.width, sample.height) / side);
    const small = {
      width: Math.max(1, Math.floor(sample.width / scale)),
      height: Math.max(1, Math.floor(sample.height / scale)),
    };
    const data = packedNumbers(sample, small, { range, noData, alphaBand });
    if (data.length > maxLength) continue;
    const { bands } = sample;
    const step = Number((width / small.width).toPrecision(6));
    return {
      ...small,
      bands,
      ...(alphaBand !== undefined && alphaBand < bands && { alphaBand }),
      step,
      range,
      data,
    };
  }
  return undefined;
}

function rangeOf(
  { values, bands }: PixelSample,
  noData: number | undefined,
  alphaBand: number | undefined,
): [number, number] | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (const [at, value] of values.entries()) {
    if (at % bands === alphaBand || isNothing(value, noData) || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : undefined;
}

interface Numbers extends Omit<Source, 'width'> {
  readonly range: readonly [low: number, high: number];
}

/** The shares of the range, the next pixel of the sample for each. */
function packedNumbers(
  sample: PixelSample,
  { width, height }: { readonly width: number; readonly height: number },
  { range: [low, high], noData, alphaBand }: Numbers,
): string {
  const { bands, values } = sample;
  const bytes = new DataView(new ArrayBuffer(width * height * bands * 2));
  for (let pixel = 0; pixel < width * height; pixel++) {
    const x = Math.floor((((pixel % width) + 0.5) * sample.width) / width);
    const y = Math.floor(((Math.floor(pixel / width) + 0.5) * sample.height) / height);
    for (let band = 0; band < bands; band++) {
      const value = values[(y * sample.width + x) * bands + band]!;
      const share = band === alphaBand ? Number(value > 0) : (value - low) / (high - low || 1);
      const isNone = isNothing(value, noData) || !Number.isFinite(value);
      const number = isNone && band !== alphaBand ? 0 : 1 + Math.round(share * (highest - 1));
      bytes.setUint16((pixel * bands + band) * 2, number, true);
    }
  }
  return deflateSync(new Uint8Array(bytes.buffer)).toString('base64');
}
