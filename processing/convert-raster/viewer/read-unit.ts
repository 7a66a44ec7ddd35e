import { rgbOf, type PixelSquare } from '@platen/geo/raster/halve-pixels';
import { splitRgba, type RgbSquare } from '@platen/geo/raster/rgb-square';
import { JobFailure } from '../../job-type.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import { createGridCopier } from '../../raster-source/copy-on-grid.ts';
import { createMosaicReader, type Mosaic } from '../../raster-source/read-mosaic.ts';
import type { CollarSettings } from '../../raster-source/mask/mask-settings.ts';
import type { MercatorFrame } from '../../raster-source/mercator-frame.ts';
import type { SheetReader } from '../../raster-source/read-sheets.ts';
import type { PixelMaker } from '../pyramid/make-pyramid.ts';

interface UnitForm {
  readonly frame: MercatorFrame;
  readonly unitSide: number;
  readonly collar: CollarSettings | undefined;
  readonly signal: AbortSignal;
}

/** Pixels a side of what is warped at a time: more would not be in the cache of the processor. */
const warpedSide = 1024;

/** Creates what makes the colours of a unit of the image: by copying pixels where all are on its grid, or else by warping them. */
export function createUnitReader(
  mosaic: Mosaic & { readonly reader: SheetReader },
  { frame, unitSide, collar, signal }: UnitForm,
): PixelMaker['read'] {
  const { zoom } = frame;
  const readMosaic = createMosaicReader(mosaic);
  const copyOnGrid = createGridCopier(mosaic);
  const canCopy = collar === undefined && mosaic.feather === 0;
  const scratch = new Uint8Array(warpedSide ** 2 * 4);
  const warp = async (left: number, top: number, take: () => RgbSquare): Promise<void> => {
    const side = warpedSide;
    for (let down = 0; down < unitSide; down += side) {
      for (let right = 0; right < unitSide; right += side) {
        await takeTurn(signal);
        const part = { zoom, left: left + right, top: top + down, side };
        const rgba = await readMosaic(part, undefined, () => scratch.fill(0));
        if (rgba) splitRgba(rgba, take(), { left: right, top: down, side });
      }
    }
  };
  return async ({ column, row }, takeSquare) => {
    const [left, top] = [frame.left + column * unitSide, frame.top + row * unitSide];
    let square: PixelSquare | undefined;
    const take = (): RgbSquare => rgbOf((square ??= takeSquare()), unitSide);
    const copy = async (): Promise<boolean> => {
      try {
        return (await copyOnGrid({ zoom, left, top, side: unitSide }, take)) !== undefined;
      } catch (error) {
        if (!mosaic.onBroken || !(error instanceof JobFailure)) throw error;
        square = undefined; // it may have a part of the sheet
        return false;
      }
    };
    if (!canCopy || !(await copy())) await warp(left, top, take);
    return square;
  };
}
