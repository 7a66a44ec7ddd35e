import type { Resampling } from '@platen/geo/raster/kernels';
import type { RgbSquare } from '@platen/geo/raster/rgb-square';
import { boxOf, type MosaicSquare } from './mosaic-tiles.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import { overlap } from './mercator-frame.ts';
import { placesInSheet } from './place-sheet.ts';
import type { SheetReader } from './read-sheets.ts';
import { kernelsOf, withSystems, type PlacedSheet } from './sheet-kernels.ts';
import { isPlainRgb } from './to-rgba.ts';

interface GridMosaic {
  /** The first is on top. */
  readonly sheets: readonly MosaicSheet[];
  readonly reader: SheetReader;
  readonly resampling: Resampling;
}

/**
 * Creates what makes squares of which all sheets have the pixels of web maps and plain colours: they are copied. It gives the same
 * as `createMosaicReader`; undefined where that has to make the square.
 */
export function createGridCopier({ sheets, reader, resampling }: GridMosaic) {
  const placed = withSystems(sheets);
  const kernelOf = kernelsOf(placed, resampling);
  const isCopied = placed.map((sheet) => !sheet.isNearest && isPlainRgb(sheet));
  const canCopy = isCopied.includes(true);
  return async (square: MosaicSquare, take: () => RgbSquare): Promise<RgbSquare | undefined> => {
    if (!canCopy) return undefined;
    const box = boxOf(square);
    const copies: { readonly number: number; readonly left: number; readonly top: number }[] = [];
    for (const [number, sheet] of placed.entries()) {
      if (!overlap(sheet.box, box)) continue;
      if (!isCopied[number] || kernelOf(number, square.zoom)) return undefined;
      const place = gridPlaceOf(sheet, square);
      if (!place) return undefined;
      copies.push({ number, ...place });
    }
    if (copies.length === 0) return undefined;
    const { side } = square;
    const target = take();
    for (const { number, left, top } of copies.toReversed()) {
      const { width, height } = sheets[number]!;
      const isWhole = await reader.copySamples(number, target.rgb, { left, top, width: side, height: side });
      if (!isWhole) {
        target.alpha.fill(0);
        return undefined;
      }
      const [first, end] = [Math.max(0, -left), Math.min(side, width - left)];
      for (let row = Math.max(0, -top); row < Math.min(side, height - top); row++)
        target.alpha.fill(255, row * side + first, row * side + Math.max(first, end));
    }
    return target;
  };
}

/** Pixels that both may be apart; warping rounds to as much. */
const tolerance = 1 / 512;

/** Where a square begins in a sheet whose pixels are those of the square. */
function gridPlaceOf(
  sheet: PlacedSheet,
  square: MosaicSquare,
): { readonly left: number; readonly top: number } | undefined {
  const { side } = square;
  const last = side - 0.5;
  const own = [0.5, 0.5, last, 0.5, 0.5, last, last, last, side / 2, side / 2];
  const at = Float64Array.from(own);
  placesInSheet(sheet, square)(at);
  const [left, top] = [Math.round(at[0]! - 0.5), Math.round(at[1]! - 0.5)];
  const isOnGrid = at.every(
    (value, i) => Math.abs(value - own[i]! - (i % 2 === 0 ? left : top)) <= tolerance,
  );
  return isOnGrid ? { left, top } : undefined;
}
