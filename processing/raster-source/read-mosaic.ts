import { placePixels } from '@platen/geo/raster/control-grid';
import { edgeWeights } from '@platen/geo/raster/feather';
import type { Resampling } from '@platen/geo/raster/kernels';
import { reachOf, windowFor, type WarpedImage } from '@platen/geo/raster/warp-rgba';
import { JobFailure } from '../job-type.ts';
import { findGridNeighbours } from './grid-neighbours.ts';
import { overlap, tileSide, type MercatorBox } from './mercator-frame.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import { boxOf, createTileFiller, tilesOf, type MosaicSquare } from './mosaic-tiles.ts';
import { placesInSheet } from './place-sheet.ts';
import { readOn } from './read-on.ts';
import type { SheetWindow } from './read-sheets.ts';
import { kernelsOf, withSystems } from './sheet-kernels.ts';
import type { SheetPixels } from './sheet-pixels.ts';

export interface Mosaic {
  /** The first is on top. */
  readonly sheets: readonly MosaicSheet[];
  readonly pixels: SheetPixels;
  readonly resampling: Resampling;
  /** Pixels of a sheet over which it fades into those below. */
  readonly feather: number;
  /** A sheet that cannot be read is left out; without it, it throws. */
  readonly onBroken?: (sheet: MosaicSheet, failure: JobFailure) => void;
}

const noMargin = { across: 0, down: 0 };

/** Creates what makes RGBA of squares of web mercator; undefined where no sheet has a pixel. */
export function createMosaicReader({ sheets, pixels, resampling, feather, onBroken }: Mosaic) {
  const placed = withSystems(sheets);
  const kernelOf = kernelsOf(placed, resampling);
  /** In the square that is being made. */
  const broken = new Set<number>();
  const read = async (number: number, window: SheetWindow): Promise<Uint8Array | undefined> => {
    if (broken.has(number)) return undefined;
    try {
      return await pixels.read(number, window);
    } catch (error) {
      if (!onBroken || !(error instanceof JobFailure)) throw error;
      broken.add(number);
      onBroken(sheets[number]!, error);
      return undefined;
    }
  };
  const readWindow = readOn({ sheets, findNeighbours: findGridNeighbours(sheets), read });
  const fill = createTileFiller();

  /** How much the pixels of a sheet count: less near the edge of what it shows. */
  const weightsOf = async (number: number, window: SheetWindow): Promise<WarpedImage | undefined> => {
    const { width, height } = sheets[number]!;
    const around = withinSheet(window, feather, { width, height });
    const rgba = await read(number, around);
    if (!rgba) return undefined;
    const weights = edgeWeights({ ...around, rgba }, { width, height }, feather);
    return { width, height, isNearest: true, window: { ...around, rgba: weights } };
  };

  /**
   * @param numbers of the sheets that may have pixels there, or near it; all by default
   * @param blank makes what a square is put into, all of it hidden. @throws JobFailure
   */
  return async (
    square: MosaicSquare,
    numbers: Iterable<number> = placed.keys(),
    blank = (): Uint8Array => new Uint8Array(square.side ** 2 * 4),
  ) => {
    broken.clear();
    const among = new Set(numbers);
    const box = boxOf(square);
    const near = [...among].filter((number) => overlap(sheets[number]!.box, box));
    const fades = (tile: MercatorBox): boolean =>
      feather > 0 && near.filter((number) => overlap(sheets[number]!.box, tile)).length > 1;
    const tiles = tilesOf(square, fades);
    let rgba: Uint8Array | undefined;
    for (const number of near) {
      const sheet = placed[number]!;
      const open = tiles.filter((tile) => !tile.isFull && overlap(sheet.box, tile.box));
      const places = open.map(({ left, top }) => {
        const corner = { zoom: square.zoom, left: square.left + left, top: square.top + top };
        return placePixels(tileSide, placesInSheet(sheet, corner));
      });
      const { width, height } = sheet;
      const kernel = kernelOf(number, square.zoom);
      const isNearest = sheet.isNearest || resampling === 'nearest';
      const window = windowFor(places, { width, height, kernel }, isNearest ? noMargin : reachOf(kernel));
      if (!window) continue;
      const weights = open.some(({ cover }) => cover) ? await weightsOf(number, window) : undefined;
      const source = await readWindow(number, window, among);
      if (!source) continue;
      rgba ??= blank();
      const image = { width, height, isNearest, kernel, window: { ...window, rgba: source } };
      for (const [i, tile] of open.entries())
        fill({ rgba, side: square.side }, tile, { places: places[i]!, image, weights });
    }
    return rgba;
  };
}

function withinSheet(
  { column, row, width, height }: SheetWindow,
  margin: number,
  sheet: { readonly width: number; readonly height: number },
): SheetWindow {
  const [left, top] = [Math.max(0, column - margin), Math.max(0, row - margin)];
  return {
    column: left,
    row: top,
    width: Math.min(sheet.width, column + width + margin) - left,
    height: Math.min(sheet.height, row + height + margin) - top,
  };
}
