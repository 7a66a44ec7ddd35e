import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import type { RasterShape } from '../pyramid/raster-shape.ts';
import type { TakeSquare } from '../pyramid/square-pool.ts';
import type { UnitPlace } from '../pyramid/unit-order.ts';
import { JobFailure } from '../../job-type.ts';
import { brokenSheet } from '../../raster-source/broken-sheet.ts';
import { copyPixels, type PixelWindow, type PlacedSheet } from '../../raster-source/copy-pixels.ts';
import type { Mosaic } from './one-grid.ts';
import { openSheets } from '../../raster-source/open-sheets.ts';

/** Reads units of a mosaic. */
export interface MosaicReader {
  read(place: UnitPlace, take: TakeSquare): Promise<PixelSquare | undefined>;
  close(): Promise<void>;
}

/**
 * @param cacheBytes for unpacked blocks of sheets
 * @param onBroken takes the failure of a sheet, of which the blocks until there are kept; without it, it is thrown
 */
export function openMosaic(
  { sheets }: Mosaic,
  shape: RasterShape,
  cacheBytes: number,
  onBroken?: (name: string, failure: JobFailure) => void,
): MosaicReader {
  const opened = openSheets(
    sheets.map(({ sheet }) => sheet),
    cacheBytes,
  );
  return {
    async read({ column, row }, take) {
      const side = shape.unitSide;
      const window = { left: column * side, top: row * side, width: side, height: side };
      let square: PixelSquare | undefined;
      for (const [number, placed] of sheets.entries()) {
        if (!touches(placed, window)) continue;
        try {
          const { image, mask } = await opened.get(number);
          square ??= take();
          const { meaning } = shape;
          await copyPixels(square, { placed, image, mask, window, meaning, isFirst: number === 0 });
        } catch (error) {
          const { name } = placed.sheet;
          const failure = brokenSheet(name, error);
          if (!onBroken || !(failure instanceof JobFailure)) throw failure;
          onBroken(name, failure);
        }
      }
      return square && isEmpty(square, shape) ? undefined : square;
    },
    close: () => opened.close(),
  };
}

function touches({ sheet, column, row }: PlacedSheet, { left, top, width, height }: PixelWindow): boolean {
  return (
    column < left + width && row < top + height && column + sheet.width > left && row + sheet.height > top
  );
}

/** Squares without data are left out of the file: readers take them for no data. */
function isEmpty({ samples }: PixelSquare, { meaning: { noData = 0 }, hasMask }: RasterShape): boolean {
  return !hasMask && samples.every((value) => Object.is(value, noData));
}
