import type sharp from 'sharp';
import type { Sharp } from 'sharp';
import { ImageError, imageErrorOf } from './image-error.ts';
import type { RasterImage } from './raster-image.ts';

export type Encoding =
  | { readonly format: 'png'; readonly compressionLevel?: number }
  | {
      readonly format: 'jpeg';
      /** From 1 to 100; 80 by default. */
      readonly quality?: number;
      /** Keeps the full resolution of colours. */
      readonly hasFullChroma?: boolean;
      /** Behind transparent pixels, which JPEG does not have; white by default. */
      readonly background?: readonly [red: number, green: number, blue: number];
    }
  | {
      readonly format: 'webp';
      readonly quality?: number;
      readonly isLossless?: boolean;
      /** Hidden pixels have colours that suit those beside them: they stay; otherwise they are chosen to be small. */
      readonly keepsHidden?: boolean;
      /** From 0, the fastest, to 6, the smallest; 4 by default. */
      readonly effort?: number;
    }
  | { readonly format: 'avif'; readonly quality?: number; readonly effort?: number };

export type EncodeOptions = Encoding & {
  /** Shrinks to fit into a square of so many pixels a side. */
  readonly maxSide?: number;
};

/** Limits of the formats, in pixels a side. */
const maxSides = { avif: 16_384, jpeg: 65_535, png: 2 ** 31 - 1, webp: 16_383 } as const;

/** @throws ImageError RangeError if the samples do not fill the image */
export async function encodeImage(
  load: typeof sharp,
  { width, height, bands, samples }: RasterImage,
  options: EncodeOptions,
): Promise<Uint8Array> {
  const { format, maxSide } = options;
  if (samples.length !== width * height * bands)
    throw new RangeError(`An image of ${width} × ${height} × ${bands} has ${samples.length} samples.`);
  const is16 = samples instanceof Uint16Array;
  if (samples.BYTES_PER_ELEMENT !== 1 && !(is16 && format === 'png'))
    throw new ImageError(
      'unsupported',
      `Samples of ${samples.BYTES_PER_ELEMENT * 8} bits cannot be written as ${format}.`,
    );
  if (maxSide === undefined && Math.max(width, height) > maxSides[format])
    throw new ImageError(
      'tooLarge',
      `The image has ${width} × ${height} pixels, but ${format} has at most ${maxSides[format]} a side.`,
    );
  const channels = bands as 1 | 2 | 3 | 4;
  const image = load(samples, { raw: { width, height, channels }, limitInputPixels: false });
  const resized =
    maxSide === undefined
      ? image
      : image.resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true });
  // or grey and deep images become sRGB of 8 bits
  const space = bands <= 2 ? (is16 ? 'grey16' : 'b-w') : is16 ? 'rgb16' : 'srgb';
  try {
    const { data } = await encoded(resized.toColourspace(space), options).toUint8Array();
    return data;
  } catch (error) {
    throw imageErrorOf(error);
  }
}

function encoded(image: Sharp, options: Encoding): Sharp {
  switch (options.format) {
    case 'png':
      return image.png({ compressionLevel: options.compressionLevel ?? 6 });
    case 'jpeg': {
      const { quality = 80, hasFullChroma = false, background = [255, 255, 255] } = options;
      const [r, g, b] = background;
      const chromaSubsampling = hasFullChroma ? '4:4:4' : '4:2:0';
      return image.flatten({ background: { r, g, b } }).jpeg({ quality, chromaSubsampling });
    }
    case 'webp': {
      const { quality = 80, isLossless = false, keepsHidden = false, effort = 4 } = options;
      return image.webp({
        quality,
        alphaQuality: quality,
        lossless: isLossless,
        exact: isLossless || keepsHidden,
        effort,
      });
    }
    case 'avif':
      return image.avif({ quality: options.quality ?? 50, effort: options.effort ?? 4 });
  }
}
