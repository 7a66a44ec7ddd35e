import { isNothing } from '../../tile-style/draw-relief.ts';
import { createPicture, type Picture } from '@platen/geo/canvas/picture';
import { trimmedRange } from '@platen/geo/canvas/trimmed-range';
import type { PixelSample } from './sample-pixels.ts';

export interface Drawing {
  readonly sample: PixelSample;
  /** 0 where the mask hides a pixel. */
  readonly mask?: PixelSample | undefined;
  readonly noData: number | undefined;
  /** Whether the samples are unsigned 8-bit values, which are used as colours directly. */
  readonly isPlain: boolean;
  readonly isInverted: boolean;
  readonly alphaBand: number | undefined;
  /** Red, then green, then blue of all values, in 16 bits. */
  readonly palette?: ArrayLike<number> | undefined;
}

/** Draws an image: colours directly, other values stretched over greys. */
export function drawPixels({ sample, mask, noData, ...drawing }: Drawing): Picture {
  const { width, height, bands, values } = sample;
  const { isPlain, isInverted, alphaBand, palette } = drawing;
  const picture = createPicture(width, height);
  const { rgba } = picture;
  const colours = Array.from({ length: bands }, (_, band) => band).filter((band) => band !== alphaBand);
  const used =
    colours.length >= 3 ? colours.slice(0, 3) : [colours[0] ?? 0, colours[0] ?? 0, colours[0] ?? 0];
  const ranges = used.map((band) => (isPlain ? ([0, 255] as const) : rangeOf(sample, band, noData)));
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * bands;
    const first = values[at + used[0]!]!;
    const isHidden = used.every((band) => isNothing(values[at + band]!, noData)) || mask?.values[pixel] === 0;
    if (isHidden) continue;
    for (let i = 0; i < 3; i++) {
      const [low, high] = ranges[i]!;
      const grey = ((values[at + used[i]!]! - low) / (high - low || 1)) * 255;
      const colour = palette && palette[i * (palette.length / 3) + first];
      rgba[pixel * 4 + i] = colour !== undefined ? colour / 257 : isInverted ? 255 - grey : grey;
    }
    rgba[pixel * 4 + 3] = alphaBand === undefined || alphaBand >= bands ? 255 : values[at + alphaBand]!;
  }
  return picture;
}

/** Share of the lowest and of the highest values that may be clipped, to keep contrast in the others. */
const outliers = 0.02;

function rangeOf({ bands, values }: PixelSample, band: number, noData: number | undefined): [number, number] {
  const found: number[] = [];
  for (let at = band; at < values.length; at += bands)
    if (!isNothing(values[at]!, noData) && Number.isFinite(values[at])) found.push(values[at]!);
  return trimmedRange(found, outliers);
}
