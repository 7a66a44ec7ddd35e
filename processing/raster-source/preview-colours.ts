import type { Runs } from '@platen/geo/raster/runs';
import type { PixelSamples } from '@platen/geo/raster/halve-pixels';
import { namedRamp, type ColourRamp } from './colour-ramp.ts';
import { readColours, type ColourOptions } from './colour-settings.ts';
import { findCollar, type Rows, type RowWriter } from './mask/find-collar.ts';
import { readMask, type CollarSettings, type MaskOptions } from './mask/mask-settings.ts';
import type { ColourPlan } from './plan-of-colours.ts';
import { rangeOfNumbers } from './range-of-numbers.ts';
import { toRgba } from './to-rgba.ts';

// What a job would make of a sample of pixels, computed with the code of the job. Runs in browsers, too: nothing here may
// read a file.

/** Pixels spread evenly over an image. */
export interface SampleOfPixels {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly alphaBand: number | undefined;
  /** Bands interleaved by pixel; NaN is no data. */
  readonly samples: PixelSamples;
  /** Whether the numbers are colours of 8 bits. */
  readonly areColours: boolean;
  /** Pixels of the image from one to the next. */
  readonly step: number;
}

export interface PreviewOptions {
  readonly colour?: ColourOptions;
  readonly mask?: MaskOptions;
}

export interface Preview {
  readonly rgba: Uint8Array;
  /** Colours of one band. */
  readonly ramp: ColourRamp | undefined;
  /** The numbers that become black and white. */
  readonly range: readonly [low: number, high: number] | undefined;
}

/** @throws JobFailure where options contradict themselves */
export async function previewColours(
  sample: SampleOfPixels,
  { colour = {}, mask = {} }: PreviewOptions,
): Promise<Preview> {
  const settings = readColours(colour);
  const masks = readMask(mask);
  const plain = Array.from({ length: sample.bands }, (_, band) => band).filter(
    (band) => band !== sample.alphaBand,
  );
  const usual = plain.length >= 3 ? plain.slice(0, 3) : plain.slice(0, 1);
  const wanted = settings.bands?.map((band) => Math.min(band, sample.bands) - 1) ?? usual;
  const isRamp = settings.ramp !== undefined || settings.stops !== undefined;
  const shown = isRamp ? wanted.slice(0, 1) : wanted;
  const hides = { noData: masks.noData ?? [], noDataOfBands: masks.noDataOfBands, hidden: masks.colour };
  const needsRange = isRamp ? !settings.stops : !sample.areColours || settings.stretch !== undefined;
  const range =
    settings.range ??
    (needsRange ? rangeOfNumbers(numbersOf(sample, shown, hides.noData), settings.stretch) : undefined);
  const ramp = isRamp ? rampOf(settings, range) : undefined;
  const plan: ColourPlan = {
    ...hides,
    bands: sample.bands,
    shown,
    alphaBand: sample.alphaBand,
    range,
    gamma: settings.gamma,
    ramp,
    isInverted: false,
    palette: undefined,
    isCmyk: false,
    isLab: false,
  };
  const rgba = toRgba({ samples: sample.samples }, plan);
  if (masks.collar) await hideCollar(rgba, sample, masks.collar);
  return { rgba, ramp, range: isRamp ? undefined : range };
}

function rampOf(
  { stops, isClassed, ramp, gamma }: ReturnType<typeof readColours>,
  range: readonly [number, number] | undefined,
): ColourRamp {
  return stops ? { stops, isClassed } : namedRamp(ramp!, range ?? [0, 255], gamma);
}

function numbersOf(
  { samples, bands, alphaBand }: SampleOfPixels,
  shown: readonly number[],
  noData: readonly number[],
): number[] {
  const found: number[] = [];
  for (let at = 0; at < samples.length; at += bands) {
    if (alphaBand !== undefined && samples[at + alphaBand] === 0) continue;
    for (const band of shown) {
      const value = samples[at + band]!;
      if (Number.isFinite(value) && !noData.includes(value)) found.push(value);
    }
  }
  return found;
}

/** Of the whole image, pixels of a line of the border that are a collar. */
const borderPixels = 16;

async function hideCollar(
  rgba: Uint8Array,
  { width, height, step }: SampleOfPixels,
  collar: CollarSettings,
): Promise<void> {
  const rows = await findCollar({
    ...collar,
    width,
    height,
    blockWidth: width,
    blockHeight: height,
    minBorder: Math.max(2, Math.round(borderPixels / step)),
    writeRows: keepRows,
    async read({ column, row, width: wide, height: high }) {
      const part = new Uint8Array(wide * high * 4);
      for (let y = 0; y < high; y++) {
        const start = ((row + y) * width + column) * 4;
        part.set(rgba.subarray(start, start + wide * 4), y * wide * 4);
      }
      return part;
    },
  });
  for (let y = 0; rows && y < height; y++) {
    const runs = rows.read(y);
    for (let i = 0; i < runs.length; i += 2)
      rgba.fill(0, (y * width + runs[i]!) * 4, (y * width + runs[i + 1]!) * 4);
  }
}

function keepRows(_name: string, height: number): RowWriter<Rows> {
  const kept: Runs[] = Array.from({ length: height }, () => []);
  return {
    add: (row, runs) => void (kept[row] = [...runs]),
    finish: () => ({ read: (row) => kept[row]!, remove: () => undefined }),
  };
}
