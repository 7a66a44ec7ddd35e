import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { JobFailure } from '../job-type.ts';
import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import { placePixels } from '@platen/geo/raster/control-grid';
import { tapsOf, widenedFrom, type Resampling } from '@platen/geo/raster/kernels';
import { warpRgba, windowFor } from '@platen/geo/raster/warp-rgba';
import type { WarpKernel } from '@platen/geo/raster/weigh-pixels';
import { pixelMetres, type MercatorBox } from './mercator-frame.ts';
import { placesInSheet, scaleInSheet } from './place-sheet.ts';
import type { SheetReader, SheetWindow } from './read-sheets.ts';
import { toRgba } from './to-rgba.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';

export interface Mosaic {
  /** The first is on top. */
  readonly sheets: readonly MosaicSheet[];
  readonly reader: SheetReader;
  readonly resampling: Resampling;
  /** A sheet that cannot be read is left out; without it, it throws. */
  readonly onBroken?: (sheet: MosaicSheet, failure: JobFailure) => void;
}

/** A square of pixels of a zoom of web mercator. */
export interface MosaicSquare {
  readonly zoom: number;
  /** Pixels of the zoom that are left of it and above. */
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** Creates what makes RGBA of squares of web mercator; undefined where no sheet has a pixel. */
export function createMosaicReader({ sheets, reader, resampling, onBroken }: Mosaic) {
  const systems = new Map<string, Crs>();
  const placed = sheets.map((sheet) => {
    const crs = systems.get(sheet.crs) ?? findCrs(sheet.crs);
    systems.set(sheet.crs, crs);
    return { ...sheet, crs };
  });
  const kernels = new Map<string, WarpKernel | undefined>();
  /** One for all of a sheet, so that it does not depend on how the image is divided. */
  const kernelOf = (number: number, zoom: number): WarpKernel | undefined => {
    if (resampling === 'nearest' || sheets[number]!.isNearest) return undefined;
    const key = `${number} ${zoom}`;
    if (!kernels.has(key)) {
      const [across, down] = scaleInSheet(placed[number]!, zoom);
      const isPlain = resampling === 'bilinear' && across <= widenedFrom && down <= widenedFrom;
      const kernel = isPlain
        ? undefined
        : { across: tapsOf(resampling, across), down: tapsOf(resampling, down) };
      kernels.set(key, kernel);
    }
    return kernels.get(key);
  };
  let scratch: Uint8Array = new Uint8Array(0);
  const readSamples = async (number: number, window: SheetWindow): Promise<PixelSquare | undefined> => {
    try {
      return await reader.readSamples(number, window);
    } catch (error) {
      if (!onBroken || !(error instanceof JobFailure)) throw error;
      onBroken(sheets[number]!, error);
      return undefined;
    }
  };
  /** @param numbers of the sheets that may have pixels there; all by default. @throws JobFailure */
  return async (square: MosaicSquare, numbers: Iterable<number> = placed.keys()) => {
    const box = boxOf(square);
    let rgba: Uint8Array | undefined;
    for (const number of numbers) {
      const sheet = placed[number]!;
      if (!overlap(sheet.box, box)) continue;
      if (rgba && isFull(rgba)) break;
      const places = placePixels(square.side, placesInSheet(sheet, square));
      const { width, height } = sheet;
      const kernel = kernelOf(number, square.zoom);
      const window = windowFor(places, { width, height, kernel });
      if (!window) continue;
      const samples = await readSamples(number, window);
      if (!samples) continue;
      rgba ??= new Uint8Array(square.side ** 2 * 4);
      const pixels = toRgba(samples, sheet.colours, scratch);
      if (pixels.length > scratch.length) scratch = pixels;
      const isNearest = sheet.isNearest || resampling === 'nearest';
      const from = { ...window, rgba: pixels };
      warpRgba(rgba, places, { width, height, isNearest, kernel, window: from });
    }
    return rgba;
  };
}

function boxOf({ zoom, left, top, side }: MosaicSquare): MercatorBox {
  const metres = pixelMetres(zoom);
  const half = pixelMetres(0) * 128;
  return [
    left * metres - half,
    half - (top + side) * metres,
    (left + side) * metres - half,
    half - top * metres,
  ];
}

function isFull(rgba: Uint8Array): boolean {
  for (let alpha = 3; alpha < rgba.length; alpha += 4) if (rgba[alpha] === 0) return false;
  return true;
}

function overlap(a: MercatorBox, b: MercatorBox): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
