import type { Picture } from '../thumbnail-url.ts';
import type { PixelSample } from './sample-pixels.ts';

export interface Drawing {
  readonly sample: PixelSample;
  /** 0 where the mask hides a pixel. */
  readonly mask?: PixelSample | undefined;
  readonly noData: number | undefined;
  /** Of 8 bits without sign: its colours are taken as they are. */
  readonly isPlain: boolean;
  readonly isInverted: boolean;
  readonly alphaBand: number | undefined;
  /** Red, then green, then blue of all values, in 16 bits. */
  readonly palette?: ArrayLike<number> | undefined;
}

/** How an image would look: colours as they are, other values spread over greys. */
export function drawPixels({ sample, mask, noData, ...drawing }: Drawing): Picture {
  const { width, height, bands, values } = sample;
  const { isPlain, isInverted, alphaBand, palette } = drawing;
  const rgba = new Uint8ClampedArray(width * height * 4);
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
  return { width, height, rgba };
}

export function isNothing(value: number, noData: number | undefined): boolean {
  return Number.isNaN(value) || value === noData;
}

const tails = 0.02;

/** Without its few lowest and highest values, which would leave the others in one grey. */
function rangeOf({ bands, values }: PixelSample, band: number, noData: number | undefined): [number, number] {
  const found: number[] = [];
  for (let at = band; at < values.length; at += bands)
    if (!isNothing(values[at]!, noData) && Number.isFinite(values[at])) found.push(values[at]!);
  const sorted = Float64Array.from(found).sort();
  const cut = Math.floor(sorted.length * tails);
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 1];
}
