import { BytesError } from '../bytes/bytes.ts';
import { decodeEntities } from '../xml/decode-entities.ts';
import { numberOf, numbersOf, textOf, type Directory, type Tiff } from './read-tiff.ts';
import { compression, photometric, tag } from './tags.ts';

export type SampleFormat = 'uint' | 'int' | 'float' | 'void' | 'complex';

/** The description of an image in its directory. */
export interface TiffImage {
  readonly directory: Directory;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** Bits per sample. */
  readonly bits: number;
  readonly sampleFormat: SampleFormat;
  /** Codes of TIFF. */
  readonly compression: number;
  readonly photometric: number;
  readonly predictor: number;
  /** The lowest bit of a byte comes first. */
  readonly hasReversedBits: boolean;
  /** Each band is stored apart. */
  readonly isPlanar: boolean;
  readonly isTiled: boolean;
  /** Width of a tile or strip, in pixels. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** The number of the band that is alpha. */
  readonly alphaBand: number | undefined;
  readonly isOverview: boolean;
  readonly isMask: boolean;
}

const sampleFormats: readonly SampleFormat[] = ['uint', 'uint', 'int', 'float', 'void', 'complex', 'complex'];
const overviewBit = 1;
const maskBit = 4;

/** @throws BytesError where the size is missing or makes no sense */
export async function readImage(tiff: Tiff, directory: Directory): Promise<TiffImage> {
  const one = async (name: number, fallback: number) => (await numberOf(tiff, directory, name)) ?? fallback;
  const width = await one(tag.width, 0);
  const height = await one(tag.height, 0);
  const bands = await one(tag.samplesPerPixel, 1);
  if (!(width >= 1 && height >= 1 && bands >= 1)) throw new BytesError('one of its images has no size');
  const kind = await one(tag.subfileType, 0);
  const isTiled = directory.tags.has(tag.tileWidth);
  const rowsPerStrip = await one(tag.rowsPerStrip, height);
  const blockWidth = isTiled ? await one(tag.tileWidth, 0) : width;
  const blockHeight = isTiled ? await one(tag.tileHeight, 0) : Math.min(height, rowsPerStrip);
  if (!(blockWidth >= 1 && blockHeight >= 1)) throw new BytesError('its tiles have no size');
  const extra = await numbersOf(tiff, directory, tag.extraSamples, { count: 64 });
  const alpha = extra.findIndex((meaning) => meaning === 1 || meaning === 2);
  return {
    directory,
    width,
    height,
    bands,
    bits: await one(tag.bitsPerSample, 1),
    sampleFormat: sampleFormats[await one(tag.sampleFormat, 1)] ?? 'void',
    compression: await one(tag.compression, compression.none),
    photometric: await one(tag.photometric, photometric.blackIsZero),
    predictor: await one(tag.predictor, 1),
    hasReversedBits: (await one(tag.fillOrder, 1)) === 2,
    isPlanar: bands > 1 && (await one(tag.planar, 1)) === 2,
    isTiled,
    blockWidth,
    blockHeight,
    alphaBand: alpha < 0 ? undefined : bands - extra.length + alpha,
    isOverview: (kind & overviewBit) !== 0,
    isMask: (kind & maskBit) !== 0,
  };
}

/** Whether the blocks of an image are JPEG or WebP files. */
export function isPictureImage({ compression: code }: TiffImage): boolean {
  return code === compression.jpeg || code === compression.webp;
}

/** Whether an image has YCbCr that its compression does not turn into RGB. */
export function isYCbCrImage(image: TiffImage): boolean {
  return image.photometric === photometric.yCbCr && !isPictureImage(image);
}

/** The value that means nothing, as precise as a sample; NaN is one, too. @throws BytesError */
export async function readNoData(
  tiff: Tiff,
  { directory, sampleFormat, bits }: TiffImage,
): Promise<number | undefined> {
  const text = (await textOf(tiff, directory, tag.gdalNoData)).trim();
  if (text === '') return undefined;
  if (/^-?nan$/i.test(text)) return NaN;
  const value = Number(text);
  if (Number.isNaN(value)) return undefined;
  return sampleFormat === 'float' && bits === 32 ? Math.fround(value) : value;
}

/** An `Item` of GDAL's metadata; `role` says what kind: `description`, `unittype`, `scale`, `offset`. */
export interface MetadataItem {
  readonly name: string;
  readonly value: string;
  /** The number of the band it speaks of; undefined: the image. */
  readonly band: number | undefined;
  readonly role: string | undefined;
}

const maxItems = 500;

/** @throws BytesError */
export async function readGdalMetadata(tiff: Tiff, { directory }: TiffImage): Promise<MetadataItem[]> {
  const text = await textOf(tiff, directory, tag.gdalMetadata);
  const items: MetadataItem[] = [];
  for (const [, attributes, value] of text.matchAll(/<Item\b([^<>]*)>([^<]*)<\/Item>/g)) {
    if (items.length === maxItems) break;
    const of = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes!)?.[1];
    const band = of('sample');
    items.push({
      name: decoded(of('name') ?? ''),
      value: decoded(value!.trim()),
      band: band === undefined ? undefined : Number(band),
      role: of('role'),
    });
  }
  return items;
}

function decoded(text: string): string {
  const decoding = decodeEntities(text);
  return 'text' in decoding ? decoding.text : text;
}
