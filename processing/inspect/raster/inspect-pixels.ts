import type { RasterFacts, SampledPixels } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { numbersOf } from '@platen/formats/geotiff/read-tiff';
import type { TiffImage } from '@platen/formats/geotiff/read-image';
import { photometric, tag } from '@platen/formats/geotiff/tags';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import { openTileDecoder } from '../../kit/images/tile-decoder.ts';
import type { HeightEvidence } from '../../heights/diagnose-heights.ts';
import type { InspectionContext } from '../inspector.ts';
import { maxSide } from '../thumbnail-url.ts';
import { packSample } from './pack-sample.ts';
import { drawPixels } from './draw-pixels.ts';
import { findBorderColour, findBorderValue, maskOfBorder } from './find-border.ts';
import { meshWindows } from './measure-detail.ts';
import { readWindows } from './read-windows.ts';
import { drawRelief } from '../../tile-style/draw-relief.ts';
import type { Picture } from '@platen/geo/canvas/picture';
import type { DescribedTiff } from './describe-tiff.ts';
import { samplePixels, type PixelSample } from './sample-pixels.ts';
import { checkHeights, flatHeightOf, undeclaredFill, valueRangeOf, type ValueRange } from './value-range.ts';

/** What the pixels reveal about an image. */
export interface PixelInspection {
  readonly thumbnail: string | undefined;
  /** Of an image whose numbers are no colours. */
  readonly pixels?: SampledPixels | undefined;
  /** Set for single-band images other than 8-bit ones. */
  readonly range: ValueRange | undefined;
  readonly isElevation: boolean;
  /** The commonest height of an elevation model: often water. */
  readonly flat?: HeightEvidence['flat'];
  /** Heights of the whole image, in metres or the unit of the file. */
  readonly heights?: { readonly sample: PixelSample; readonly noData: number | undefined } | undefined;
  /** What hides a border that the file does not hide. */
  readonly mask?: RasterFacts['mask'];
  /** Pixels in full resolution; undefined if reading them takes too much. */
  readonly detail?: DetailSample | undefined;
}

export interface DetailSample {
  readonly sample: PixelSample;
  readonly noData: number | undefined;
  readonly picture: Picture;
}

/** Of one tile. */
const decodingLimits = { maxPixels: 16 << 20, maxSeconds: 8 };
/** Twice the thumbnail's size; scaling it down smooths the picture. */
const sampleSide = maxSide * 2;
/** Of windows in full resolution. */
const detailWindows = { side: 192, across: 3 };
const maxDetailBytes = 16 << 20;

export async function inspectPixels(
  described: DescribedTiff,
  file: string,
  { issues, isOver, memoryBytes }: InspectionContext,
): Promise<PixelInspection> {
  const { images, tiff, noData: declared, metadata } = described;
  const [image] = images as [TiffImage];
  const isElevation = mayBeElevation(described);
  const nothing: PixelInspection = { thumbnail: undefined, range: undefined, isElevation };
  try {
    const chosen = smallestSufficient(images.filter(({ isMask }) => !isMask));
    const options = {
      side: sampleSide,
      isOver,
      memoryBytes,
      decodePicture: await openTileDecoder(decodingLimits),
    };
    const sample = await samplePixels(tiff, chosen, options);
    if (!sample) return nothing;
    const fill = image.bands === 1 && isElevation ? undeclaredFill(sample, declared) : undefined;
    const noData = declared ?? fill;
    const isValues = image.bands === 1 && image.photometric !== photometric.palette && !isPlain(image);
    const range = isValues ? valueRangeOf(sample, noData) : undefined;
    const isScaled = metadata.some(({ role }) => role === 'scale');
    if (range && isElevation && !isScaled) checkHeights(range, fill, { file, issues });
    const drawing = {
      noData,
      isPlain: isPlain(image),
      isInverted: image.photometric === photometric.whiteIsZero || image.photometric === photometric.cmyk,
      alphaBand: image.alphaBand,
      palette: await paletteOf(described),
    };
    const hidden = await maskOf(described, chosen, options);
    const pixels = isElevation
      ? drawRelief(sample, noData)
      : drawPixels({ sample, mask: hidden, ...drawing });
    const isPlaced = described.transform !== undefined;
    const border =
      isElevation || !isPlaced
        ? undefined
        : isPlain(image)
          ? findBorderColour(pixels)
          : findBorderValue(sample, { noData, alphaBand: image.alphaBand });
    const mask = maskOfBorder(border, noData, { file, issues });
    const flat = isElevation ? flatHeightOf(sample, noData) : undefined;
    const full = await readWindows(tiff, image, {
      ...options,
      windows: isElevation ? meshWindows : detailWindows,
      maxBytes: Math.min(maxDetailBytes, memoryBytes / 8),
    });
    const detail = full && { sample: full, noData, picture: drawPixels({ sample: full, ...drawing }) };
    const thumbnail = await encodePicture(pixels);
    const { width, alphaBand } = image;
    const packed = areNumbers(image) ? packSample(sample, { width, noData, alphaBand }) : undefined;
    return {
      thumbnail,
      pixels: packed,
      range,
      isElevation,
      heights: isElevation && !isScaled ? { sample, noData } : undefined,
      detail,
      mask,
      ...(flat && { flat }),
    };
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('damagedFile', damage(file, error.message));
    return nothing;
  }
}

/** Whether they have to be chosen or stretched to become colours: the thumbnail does not show them as they are. */
function areNumbers(image: TiffImage): boolean {
  const { photometric: colours, bands, alphaBand } = image;
  if (colours !== photometric.blackIsZero && colours !== photometric.rgb) return false;
  return !isPlain(image) || bands - (alphaBand === undefined ? 0 : 1) > 3;
}

function isPlain({ bits, sampleFormat }: TiffImage): boolean {
  return bits === 8 && sampleFormat === 'uint';
}

/** Whether the single band looks like heights rather than grey values: floats, or integers that may be negative. */
function mayBeElevation({ images, keys, metadata, transform }: DescribedTiff): boolean {
  const [{ bands, sampleFormat, bits, photometric: colours }] = images as [TiffImage];
  if (bands !== 1 || bits < 16 || colours > photometric.blackIsZero || transform === undefined) return false;
  if (sampleFormat === 'float' || sampleFormat === 'int') return true;
  const texts = metadata.map(({ name, value }) => `${name} ${value}`).join(' ');
  return (
    sampleFormat === 'uint' &&
    (keys.number(4096) !== undefined || /elevation|height|\bd[etsg]m\b/i.test(texts))
  );
}

/** The smallest image that still gives a sharp thumbnail. */
function smallestSufficient(images: readonly TiffImage[]): TiffImage {
  const [image, ...others] = images as [TiffImage, ...TiffImage[]];
  const size = ({ width, height }: TiffImage) => Math.max(width, height);
  const enough = others.filter((one) => one.isOverview && one.bands === image.bands && size(one) >= maxSide);
  return enough.toSorted((a, b) => size(a) - size(b))[0] ?? image;
}

type Options = Parameters<typeof samplePixels>[2];

async function maskOf(
  { images, tiff }: DescribedTiff,
  { width, height }: TiffImage,
  options: Options,
): Promise<PixelSample | undefined> {
  const mask = images.find((one) => one.isMask && one.width === width && one.height === height);
  return mask && samplePixels(tiff, mask, options);
}

async function paletteOf({ images, tiff }: DescribedTiff): Promise<Float64Array | undefined> {
  const [image] = images as [TiffImage];
  if (image.photometric !== photometric.palette) return undefined;
  return numbersOf(tiff, image.directory, tag.colourMap, { count: 3 * 65_536 });
}
