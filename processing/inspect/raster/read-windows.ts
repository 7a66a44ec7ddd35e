import { openBlocks, type BlockReader, type DecodePicture } from '@platen/formats/geotiff/read-block';
import type { TiffImage } from '@platen/formats/geotiff/read-image';
import type { Tiff } from '@platen/formats/geotiff/read-tiff';
import type { PixelSample } from './sample-pixels.ts';

export interface PixelWindow {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Squares all over an image. */
export interface Windows {
  /** Side of each, in pixels. */
  readonly side: number;
  /** In a row and in a column. */
  readonly across: number;
}

/** Windows all over an image, which overlap if it is small; one if it is smaller than a window. */
export function windowsOf({ width, height }: ImageSize, { side, across }: Windows): PixelWindow[] {
  const size = { width: Math.min(side, width), height: Math.min(side, height) };
  const columns = width < 2 * side ? 1 : across;
  const rows = height < 2 * side ? 1 : across;
  return Array.from({ length: columns * rows }, (_, i) => ({
    ...size,
    left: startOf(i % columns, columns, [width, size.width]),
    top: startOf(Math.floor(i / columns), rows, [height, size.height]),
  }));
}

function startOf(number: number, count: number, [whole, part]: readonly [number, number]): number {
  const start = Math.floor(((number + 0.5) / count) * whole - part / 2);
  return Math.min(whole - part, Math.max(0, start));
}

interface WindowOptions {
  readonly windows: Windows;
  readonly isOver: () => boolean;
  /** Limit for the packed blocks of all windows, and for an unpacked one. */
  readonly maxBytes: number;
  readonly decodePicture: DecodePicture | undefined;
}

const maxBands = 4;

/** The pixels of windows in full resolution, one below the other. @returns undefined if it takes too much @throws BytesError */
export async function readWindows(
  tiff: Tiff,
  image: TiffImage,
  { windows: wanted, isOver, maxBytes, decodePicture }: WindowOptions,
): Promise<PixelSample | undefined> {
  const blocks = openBlocks(tiff, image, { decodePicture, maxBlockBytes: maxBytes });
  if (!blocks) return undefined;
  const windows = windowsOf(image, wanted);
  const { width, height } = windows[0]!;
  const bands = Math.min(maxBands, image.bands);
  const values = new Float64Array(width * height * windows.length * bands).fill(NaN);
  let left = maxBytes;
  for (const [number, window] of windows.entries()) {
    const part = values.subarray(number * width * height * bands, (number + 1) * width * height * bands);
    for (const place of blocksOf(image, window)) {
      left -= await blocks.packedBytes(place.column, place.row, place.plane);
      if (left < 0 || isOver()) return undefined;
      await copyBlock(blocks, place, { image, window, bands, part });
    }
  }
  return { width, height: height * windows.length, bands, values };
}

interface BlockPlace {
  readonly column: number;
  readonly row: number;
  readonly plane: number;
}

function blocksOf(
  { blockWidth, blockHeight, isPlanar, bands }: TiffImage,
  { left, top, width, height }: PixelWindow,
): BlockPlace[] {
  const places: BlockPlace[] = [];
  const planes = isPlanar ? Math.min(maxBands, bands) : 1;
  for (let row = Math.floor(top / blockHeight); row * blockHeight < top + height; row++)
    for (let column = Math.floor(left / blockWidth); column * blockWidth < left + width; column++)
      for (let plane = 0; plane < planes; plane++) places.push({ column, row, plane });
  return places;
}

interface WindowPart {
  readonly image: TiffImage;
  readonly window: PixelWindow;
  readonly bands: number;
  readonly part: Float64Array;
}

async function copyBlock(
  blocks: BlockReader,
  { column, row, plane }: BlockPlace,
  { image, window, bands, part }: WindowPart,
): Promise<void> {
  const samples = await blocks.read(column, row, plane);
  if (!samples) return;
  const { blockWidth, blockHeight, isPlanar } = image;
  const perPixel = isPlanar ? 1 : image.bands;
  const [blockLeft, blockTop] = [column * blockWidth, row * blockHeight];
  const right = Math.min(blockLeft + blockWidth, window.left + window.width);
  const bottom = Math.min(blockTop + blockHeight, window.top + window.height);
  for (let y = Math.max(blockTop, window.top); y < bottom; y++) {
    for (let x = Math.max(blockLeft, window.left); x < right; x++) {
      const from = ((y - blockTop) * blockWidth + x - blockLeft) * perPixel;
      const to = ((y - window.top) * window.width + x - window.left) * bands;
      if (isPlanar) part[to + plane] = samples[from] ?? NaN;
      else for (let band = 0; band < bands; band++) part[to + band] = samples[from + band] ?? NaN;
    }
  }
}
