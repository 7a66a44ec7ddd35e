import { labToRgb } from '@platen/geo/canvas/lab-to-rgb';
import { unpackRgb } from '@platen/geo/raster/pack-rgb';
import { wordsOf } from '@platen/geo/raster/words';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import type { MosaicSheet } from './mosaic-sheet.ts';
import type { ColourPlan } from './plan-of-colours.ts';
import { colourWriter } from './colour-ramp.ts';
import { hideColour } from './mask/hide-colour.ts';
import { shadeOf } from './shade-of.ts';

/**
 * The colours of pixels, hidden where they are no data.
 * @param scratch is used if it is large enough: fresh memory takes as long as the work
 */
export function toRgba(
  square: PixelSquare,
  plan: ColourPlan,
  scratch: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const count = square.samples.length / plan.bands;
  const rgba = scratch.length < count * 4 ? new Uint8Array(count * 4) : scratch.subarray(0, count * 4);
  if (isPlain(square, plan)) fillPlain(rgba, square, plan);
  else fillShown(rgba, square, plan);
  if (plan.hidden) hideColour(rgba, plan.hidden);
  return rgba;
}

function fillShown(rgba: Uint8Array, { samples, mask }: PixelSquare, plan: ColourPlan): void {
  const { bands, alphaBand } = plan;
  const count = rgba.length / 4;
  rgba.fill(0);
  const colour = colourOf(samples, plan);
  const hasNothing = nothingOf(samples, plan);
  const alphaMax = alphaBand === undefined ? 255 : samples instanceof Uint16Array ? 65_535 : 255;
  for (let pixel = 0, at = 0, to = 0; pixel < count; pixel++, at += bands, to += 4) {
    if (mask && mask[pixel] === 0) continue;
    if (hasNothing(at)) continue;
    colour(at, rgba, to);
    rgba[to + 3] = alphaBand === undefined ? 255 : (samples[at + alphaBand]! / alphaMax) * 255;
  }
}

/** Whether the samples of a sheet are red, green and blue of pixels that are all shown. */
export function isPlainRgb({ raster, colours }: Pick<MosaicSheet, 'raster' | 'colours'>): boolean {
  if (raster?.sampleType !== 'uint8' || raster.bits !== 8 || raster.mask) return false;
  const { noData, hidden } = colours;
  return arePlain(colours) && areAdjacent(colours) && noData.length === 0 && !hidden;
}

/** Colours of 8 bits without alpha, and at most one number for no data. */
function isPlain({ samples }: PixelSquare, plan: ColourPlan): boolean {
  return samples instanceof Uint8Array && arePlain(plan);
}

function arePlain(plan: ColourPlan): boolean {
  const { alphaBand, noData, noDataOfBands, range, gamma, ramp, isInverted, palette, isCmyk, isLab } = plan;
  const isChanged = range !== undefined || gamma !== 1 || ramp !== undefined || isInverted;
  const areColours = !isChanged && !palette && !isCmyk && !isLab;
  return areColours && alphaBand === undefined && noData.length <= 1 && !noDataOfBands;
}

function areAdjacent({ bands, shown: [red, green, blue] }: ColourPlan): boolean {
  return bands === 3 && red === 0 && green === 1 && blue === 2;
}

function fillPlain(rgba: Uint8Array, { samples, mask }: PixelSquare, plan: ColourPlan): void {
  const { bands, shown, noData } = plan;
  const words = wordsOf(rgba);
  const [red = 0, green = red, blue = red] = shown;
  if (!mask && noData.length === 0) {
    const whole = areAdjacent(plan) && samples.byteOffset % 4 === 0 ? words.length - (words.length % 4) : 0;
    if (whole > 0) unpackRgb(new Int32Array(samples.buffer, samples.byteOffset, (whole / 4) * 3), words);
    for (let pixel = whole, at = whole * bands; pixel < words.length; pixel++, at += bands)
      words[pixel] =
        samples[at + red]! | (samples[at + green]! << 8) | (samples[at + blue]! << 16) | (255 << 24);
    return;
  }
  const nothing = noData[0] ?? -1;
  for (let pixel = 0, at = 0; pixel < words.length; pixel++, at += bands) {
    const [r, g, b] = [samples[at + red]!, samples[at + green]!, samples[at + blue]!];
    const isHidden = (r === nothing && g === nothing && b === nothing) || mask?.[pixel] === 0;
    words[pixel] = isHidden ? 0 : r | (g << 8) | (b << 16) | (255 << 24);
  }
}

/** Whether none of the shown bands of a pixel has data. */
function nothingOf(
  samples: PixelSquare['samples'],
  { shown, noData, noDataOfBands }: ColourPlan,
): (at: number) => boolean {
  const [first] = noData;
  return (at) => {
    for (const band of shown) {
      const value = samples[at + band]!;
      const isNothing = noDataOfBands
        ? value === noDataOfBands[band]
        : value === first || (noData.length > 1 && noData.includes(value));
      if (value === value && !isNothing) return false;
    }
    return true;
  };
}

type Colour = (at: number, rgba: Uint8Array, to: number) => void;

function colourOf(samples: PixelSquare['samples'], plan: ColourPlan): Colour {
  const { palette, range, gamma, ramp, isInverted, isCmyk, isLab } = plan;
  const [red = 0, green = red, blue = red] = plan.shown;
  if (ramp) {
    const write = colourWriter(ramp);
    return (at, rgba, to) => write(samples[at + red]!, rgba, to);
  }
  if (palette) {
    const size = palette.length / 3;
    return (at, rgba, to) => {
      const value = samples[at]!;
      for (let i = 0; i < 3; i++) rgba[to + i] = (palette[i * size + value] ?? 0) / 257;
    };
  }
  if (isCmyk)
    return (at, rgba, to) => {
      const light = 255 - samples[at + 3]!;
      for (let i = 0; i < 3; i++) rgba[to + i] = ((255 - samples[at + i]!) * light) / 255;
    };
  if (isLab) return labColour(samples);
  if (!range && !isInverted && gamma === 1)
    return (at, rgba, to) => {
      rgba[to] = samples[at + red]!;
      rgba[to + 1] = samples[at + green]!;
      rgba[to + 2] = samples[at + blue]!;
    };
  const shade = shadeOf(samples, plan);
  return (at, rgba, to) => {
    rgba[to] = shade(samples[at + red]!);
    rgba[to + 1] = shade(samples[at + green]!);
    rgba[to + 2] = shade(samples[at + blue]!);
  };
}

/** L* without a sign over all numbers; a* and b* with one, in 8 bits whole and in 16 bits with 8 behind the point (TIFF 6, section 23). */
function labColour(samples: PixelSquare['samples']): Colour {
  const isDeep = samples.BYTES_PER_ELEMENT === 2;
  const lightest = isDeep ? 65_535 : 255;
  const signed = (value: number): number => (isDeep ? ((value << 16) >> 16) / 256 : (value << 24) >> 24);
  return (at, rgba, to) => {
    const colour = labToRgb(
      (samples[at]! / lightest) * 100,
      signed(samples[at + 1]!),
      signed(samples[at + 2]!),
    );
    for (let i = 0; i < 3; i++) rgba[to + i] = colour[i]!;
  };
}
