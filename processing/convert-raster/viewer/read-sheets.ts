import { readFile } from 'node:fs/promises';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { LRUCache } from 'lru-cache';
import { JobFailure } from '../../job-type.ts';
import type { ImageCodec } from '../../kit/images/image-codec.ts';
import { ImageError } from '../../kit/images/image-error.ts';
import { brokenSheet } from '../analysis/broken-sheet.ts';
import { copyPixels } from '../analysis/copy-pixels.ts';
import { openSheets } from '../analysis/open-sheets.ts';
import type { RasterSheet } from '../analysis/raster-sheet.ts';
import { samplesOf } from '../pyramid/raster-shape.ts';
import type { ViewerSheet } from './viewer-sheet.ts';

/** In pixels of a sheet. */
export interface SheetWindow {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/** Reads windows of sheets by their numbers. @throws JobFailure */
export interface SheetReader {
  readSamples(number: number, window: SheetWindow): Promise<PixelSquare>;
  close(): Promise<void>;
}

/** @param cacheBytes for unpacked blocks and decoded pictures */
export function openSheetReader(
  sheets: readonly ViewerSheet[],
  codec: ImageCodec,
  cacheBytes: number,
): SheetReader {
  const hasPictures = sheets.some(({ raster }) => !raster);
  const rasters = sheets.map(({ raster }) => raster as RasterSheet);
  const opened = openSheets(rasters, hasPictures ? cacheBytes / 2 : cacheBytes);
  const pictures = new LRUCache<number, Uint8Array>({
    maxSize: Math.max(1, Math.floor(cacheBytes)),
    sizeCalculation: ({ length }) => length + 1,
  });
  const pictureOf = async (number: number): Promise<Uint8Array> => {
    const known = pictures.get(number);
    if (known) return known;
    const { path, name, width, height } = sheets[number]!;
    const decoded = await decode(codec, { path, name, maxPixels: width * height });
    pictures.set(number, decoded);
    return decoded;
  };
  return {
    async readSamples(number, window) {
      const sheet = sheets[number]!;
      if (!sheet.raster) return { samples: cut(await pictureOf(number), sheet.width, window) };
      try {
        return await readRaster(sheet.raster, await opened.get(number), window);
      } catch (error) {
        throw brokenSheet(sheet.name, error);
      }
    },
    close: () => opened.close(),
  };
}

async function readRaster(
  sheet: RasterSheet,
  { image, mask }: Awaited<ReturnType<ReturnType<typeof openSheets>['get']>>,
  { column, row, width, height }: SheetWindow,
): Promise<PixelSquare> {
  const { bands, sampleType, noData } = sheet;
  const samples = samplesOf(sampleType, width * height * bands);
  if (noData !== undefined) samples.fill(noData);
  const square = { samples, ...(mask && { mask: new Uint8Array(width * height) }) };
  const window = { left: column, top: row, width, height };
  const placed = { sheet, column: 0, row: 0 };
  await copyPixels(square, { placed, image, mask, window, meaning: { bands, noData }, isFirst: true });
  return square;
}

interface Picture {
  readonly path: string;
  readonly name: string;
  readonly maxPixels: number;
}

async function decode(codec: ImageCodec, { path, name, maxPixels }: Picture): Promise<Uint8Array> {
  try {
    const { samples } = await codec.decode(await readFile(path), { bands: 4, maxPixels, maxSeconds: 300 });
    return samples as Uint8Array;
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
