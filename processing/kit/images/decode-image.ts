import type { Samples } from '@platen/formats/geotiff/read-block';
import type { Metadata, RawOptions, Sharp, SharpOptions } from 'sharp';
import type sharp from 'sharp';
import { ImageError, imageErrorOf } from './image-error.ts';
import { imageFormatOf, type ImageFormat } from './image-format.ts';
import type { RasterImage } from './raster-image.ts';

export interface DecodeOptions {
  /** Converts to so many bands of 8 bits in sRGB. Absent: bands and depth of the image are kept. */
  readonly bands?: 1 | 2 | 3 | 4;
  /** The four parts of a JPEG as they are stored, whatever they mean. */
  readonly keepsParts?: boolean;
  /** Shrinks to fit into the size with its proportions, or stretches to it. */
  readonly resize?: { readonly width: number; readonly height: number; readonly fit: 'inside' | 'fill' };
  /** Keeps only a part of the image. */
  readonly window?: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  /** Turns the image upright by its EXIF orientation. */
  readonly isUpright?: boolean;
  readonly formats?: readonly ImageFormat[];
  /** 64 Mpx by default, and of small files fewer: see `maxPixelsPerByte`. */
  readonly maxPixels?: number;
  /** `truncated`: smaller damages are drawn as well as possible. */
  readonly failOn?: 'truncated' | 'error';
  readonly maxSeconds?: number;
}

const allFormats: readonly ImageFormat[] = ['avif', 'jpeg', 'png', 'tiff', 'webp'];
const defaultMaxPixels = 2 ** 26;
/** A file with more is made to fill the memory: Deflate packs 1000 bytes into one. Images of one colour have more. */
const maxPixelsPerByte = 2500;
/** Any file may have so many. */
const harmlessPixels = 2 ** 22;

/** @throws ImageError */
export async function decodeImage(
  load: typeof sharp,
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Promise<RasterImage> {
  const { formats = allFormats, maxPixels = defaultMaxPixels, failOn = 'error', maxSeconds = 60 } = options;
  const format = imageFormatOf(bytes);
  if (format === undefined || !formats.includes(format))
    throw new ImageError('unsupported', `The image is not of a format that is read: ${formats.join(', ')}.`);
  const limitInputPixels = Math.min(maxPixels, Math.max(harmlessPixels, bytes.length * maxPixelsPerByte));
  const input: SharpOptions = { limitInputPixels, failOn, ignoreIcc: false };
  try {
    const image = load(bytes, input);
    if (options.keepsParts === true) return await partsOf(image.timeout({ seconds: maxSeconds }));
    const stored = options.bands === undefined ? await image.metadata() : undefined;
    const kept = stored && keptOf(stored);
    const bands = options.bands ?? (isGreyWithAlpha(stored) ? 2 : undefined);
    const raw = converted(prepared(image.timeout({ seconds: maxSeconds }), options), bands, kept);
    const { data, info } = await raw.toUint8Array();
    const { width, height } = info;
    if (bands === 2) return { width, height, bands, samples: greyAndAlphaOf(data) };
    if (bands !== undefined && info.channels !== bands)
      throw new ImageError('unsupported', `The image has ${info.channels} bands instead of ${bands}.`);
    const samples = samplesOf(data, bands === undefined ? (kept?.depth ?? 'uchar') : 'uchar');
    return { width, height, bands: info.channels, samples };
  } catch (error) {
    const found = imageErrorOf(error);
    throw found.code === 'tooLarge' ? await sizedError(load, bytes, { limitInputPixels, found }) : found;
  }
}

async function partsOf(image: Sharp): Promise<RasterImage> {
  const raw = image.pipelineColourspace('cmyk').toColourspace('cmyk').raw();
  const { data, info } = await raw.toUint8Array();
  if (info.channels !== 4)
    throw new ImageError('unsupported', `The image has ${info.channels} bands instead of 4.`);
  // the library takes them for inks, of which JPEG stores how much is missing
  for (let i = 0; i < data.length; i++) data[i] = 255 - data[i]!;
  return { width: info.width, height: info.height, bands: 4, samples: data };
}

function prepared(whole: Sharp, { isUpright, resize, window }: DecodeOptions): Sharp {
  const image = window ? whole.extract(window) : whole;
  const upright = isUpright ? image.autoOrient() : image;
  return resize ? upright.resize({ ...resize, withoutEnlargement: resize.fit === 'inside' }) : upright;
}

interface Kept {
  readonly space: 'b-w' | 'grey16' | 'rgb16' | 'scrgb' | 'srgb';
  readonly depth: NonNullable<RawOptions['depth']>;
}

const keptSpaces = new Set(['b-w', 'grey16', 'rgb16', 'scrgb', 'srgb']);

/** Undefined: converted to sRGB of 8 bits, for example from CMYK. */
function keptOf({ space, depth }: Metadata): Kept | undefined {
  const isKept = keptSpaces.has(space) && Object.hasOwn(arrays, depth);
  return isKept ? ({ space, depth } as Kept) : undefined;
}

function converted(image: Sharp, bands: DecodeOptions['bands'], kept: Kept | undefined): Sharp {
  if (bands === undefined) {
    if (!kept) return image.toColourspace('srgb').raw();
    return image.pipelineColourspace(kept.space).toColourspace(kept.space).raw({ depth: kept.depth });
  }
  const withBands = bands % 2 === 0 ? image.ensureAlpha() : image.removeAlpha();
  // `greyscale` would leave alpha out
  if (bands === 2) return withBands.modulate({ saturation: 0 }).toColourspace('srgb').raw();
  return withBands.toColourspace(bands === 1 ? 'b-w' : 'srgb').raw();
}

/** The library would leave alpha out. */
const isGreyWithAlpha = (stored: Metadata | undefined) => stored?.space === 'b-w' && stored.channels === 2;

function greyAndAlphaOf(rgba: Uint8Array): Uint8Array {
  const samples = new Uint8Array(rgba.length / 2);
  for (let i = 0; i < samples.length; i += 2) {
    samples[i] = rgba[i * 2]!;
    samples[i + 1] = rgba[i * 2 + 3]!;
  }
  return samples;
}

const arrays = {
  char: Int8Array,
  uchar: Uint8Array,
  short: Int16Array,
  ushort: Uint16Array,
  int: Int32Array,
  uint: Uint32Array,
  float: Float32Array,
  double: Float64Array,
} as const;

function samplesOf(data: Uint8Array, depth: string): Samples {
  const Type = arrays[depth as keyof typeof arrays];
  return new Type(data.buffer as ArrayBuffer, data.byteOffset, data.length / Type.BYTES_PER_ELEMENT);
}

interface SizeProblem {
  readonly limitInputPixels: number;
  readonly found: ImageError;
}

/** Names the size, which only the header is read for. */
async function sizedError(
  load: typeof sharp,
  bytes: Uint8Array,
  { limitInputPixels, found }: SizeProblem,
): Promise<ImageError> {
  const { width, height } = await load(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  if (width === 0) return found;
  const text = `The image has ${width} × ${height} pixels, but at most ${limitInputPixels} are allowed for its ${bytes.length} bytes.`;
  return new ImageError('tooLarge', text, { cause: found });
}
