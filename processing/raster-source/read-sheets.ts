import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { PixelSamples, PixelSquare } from '@platen/geo/raster/halve-pixels';
import { LRUCache } from 'lru-cache';
import { JobFailure } from '../job-type.ts';
import type { ImageCodec } from '../kit/images/image-codec.ts';
import { ImageError } from '../kit/images/image-error.ts';
import { brokenSheet } from './broken-sheet.ts';
import { copyPixels, type PixelWindow } from './copy-pixels.ts';
import { hideByMask } from './hide-by-mask.ts';
import { openSheets, type OpenSheet } from './open-sheets.ts';
import type { RasterPixels } from './raster-sheet.ts';
import { samplesOf } from './sample-type.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import type { ColourPlan } from './plan-of-colours.ts';

/** In pixels of a sheet. */
export interface SheetWindow {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/** Reads windows of sheets by their numbers. */
export interface SheetReader {
  /** Valid until the next; undefined where the file has no block, and that means no data. @throws JobFailure */
  readSamples(number: number, window: SheetWindow): Promise<PixelSquare | undefined>;
  /**
   * Puts samples of a GeoTIFF into a window that it may be partly in, in its pixels.
   * @returns whether the file has all of its blocks there. @throws JobFailure
   */
  copySamples(number: number, samples: PixelSamples, window: PixelWindow): Promise<boolean>;
  close(): Promise<void>;
}

/** @param cacheBytes for unpacked blocks and decoded pictures */
export function openSheetReader(
  sheets: readonly MosaicSheet[],
  codec: ImageCodec,
  cacheBytes: number,
): SheetReader {
  const hasPictures = sheets.some(({ raster }) => !raster);
  const rasters = sheets.map(({ raster }) => raster as RasterPixels);
  const opened = openSheets(rasters, hasPictures ? cacheBytes / 2 : cacheBytes);
  const pictures = new LRUCache<number, Uint8Array>({
    maxSize: Math.max(1, Math.floor(cacheBytes)),
    sizeCalculation: ({ length }) => length + 1,
  });
  let scratch = new ArrayBuffer(0);
  const samplesFor = ({ bands, sampleType, bits }: RasterPixels, pixels: number): PixelSamples => {
    const bytes = pixels * bands * Math.max(1, bits / 8);
    if (scratch.byteLength < bytes) scratch = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
    return samplesOf(sampleType, scratch).subarray(0, pixels * bands);
  };
  const pictureOf = async (number: number): Promise<Uint8Array> => {
    const known = pictures.get(number);
    if (known) return known;
    const { path, name, width, height, mask } = sheets[number]!;
    const decoded = await decode(codec, { path, name, width, height });
    if (mask) await hideByMask(decoded, mask, { width, height, name });
    pictures.set(number, decoded);
    return decoded;
  };
  return {
    async readSamples(number, window) {
      // reading waits for the file, and an abort may come in between
      await setImmediate();
      const sheet = sheets[number]!;
      if (!sheet.raster) return { samples: cut(await pictureOf(number), sheet.width, window) };
      try {
        const samples = samplesFor(sheet.raster, window.width * window.height);
        const { raster, colours } = sheet;
        return await readRaster(samples, { raster, colours, opened: await opened.get(number), window });
      } catch (error) {
        throw brokenSheet(sheet.name, error);
      }
    },
    async copySamples(number, samples, window) {
      const { name, raster } = sheets[number]!;
      try {
        const { image } = await opened.get(number);
        const meaning = { bands: raster!.bands, noData: undefined };
        const placed = { sheet: raster!, column: 0, row: 0 };
        const pixels = { placed, image, mask: undefined, window, meaning, isFirst: true };
        return (await copyPixels({ samples }, pixels)) === 'all';
      } catch (error) {
        throw brokenSheet(name, error);
      }
    },
    close: () => opened.close(),
  };
}

interface RasterWindow {
  readonly raster: RasterPixels;
  readonly colours: ColourPlan;
  readonly opened: OpenSheet;
  readonly window: SheetWindow;
}

async function readRaster(
  samples: PixelSamples,
  { raster, colours, opened: { image, mask }, window: { column, row, width, height } }: RasterWindow,
): Promise<PixelSquare | undefined> {
  const { bands, noData } = raster;
  fillWithNothing(samples, colours);
  const square = { samples, ...(mask && { mask: new Uint8Array(width * height) }) };
  const window = { left: column, top: row, width, height };
  const placed = { sheet: raster, column: 0, row: 0 };
  const pixels = { placed, image, mask, window, meaning: { bands, noData }, isFirst: true };
  const blocks = await copyPixels(square, pixels);
  return blocks !== 'none' || mask || !hidesNothing(colours) ? square : undefined;
}

/** Whether blocks that the file leaves out are hidden. */
function hidesNothing({ noData, noDataOfBands, alphaBand }: ColourPlan): boolean {
  return noData.length > 0 || noDataOfBands !== undefined || alphaBand !== undefined;
}

/** What blocks are that the file leaves out. */
function fillWithNothing(samples: PixelSamples, { bands, noData, noDataOfBands }: ColourPlan): void {
  if (!noDataOfBands) samples.fill(noData[0] ?? 0);
  else for (let i = 0; i < samples.length; i++) samples[i] = noDataOfBands[i % bands] ?? 0;
}

interface Picture {
  readonly path: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

async function decode(codec: ImageCodec, { path, name, width, height }: Picture): Promise<Uint8Array> {
  const maxPixels = width * height;
  try {
    const image = await codec.decode(await readFile(path), { bands: 4, maxPixels, maxSeconds: 300 });
    if (image.width !== width || image.height !== height)
      throw new ImageError('damaged', 'The image has another size than its header declares.');
    return image.samples as Uint8Array;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new JobFailure('brokenFile', `${name}: ${error.message} Upload it again.`, { cause: error });
  }
}

function cut(rgba: Uint8Array, side: number, { column, row, width, height }: SheetWindow): Uint8Array {
  const part = new Uint8Array(width * height * 4);
  for (let i = 0; i < height; i++) {
    const from = ((row + i) * side + column) * 4;
    part.set(rgba.subarray(from, from + width * 4), i * width * 4);
  }
  return part;
}
