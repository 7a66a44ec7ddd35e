import type { Resampling } from '@platen/geo/raster/kernels';
import type { RgbSquare } from '@platen/geo/raster/rgb-square';
import { shownRgba } from '@platen/geo/raster/testing-squares';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import type { JobInput } from '../job-type.ts';
import { testContext } from '../testing-context.ts';
import { createGridCopier } from './copy-on-grid.ts';
import { findMosaicSheets } from './find-sheets.ts';
import { readMask, type MaskOptions } from './mask/mask-settings.ts';
import { pixelMetres, zoomOf } from './mercator-frame.ts';
import type { MosaicSquare } from './mosaic-tiles.ts';
import { createMosaicReader } from './read-mosaic.ts';
import { openSheetReader } from './read-sheets.ts';
import { openSheetPixels } from './sheet-pixels.ts';

interface MosaicLook {
  readonly resampling?: Resampling;
  readonly mask?: MaskOptions;
  /** Pixels a side. */
  readonly side: number;
  /** For what is found of collars. */
  readonly folder?: string;
}

export interface MosaicPicture {
  readonly rgba: Uint8Array;
  readonly square: MosaicSquare;
  /** The same, if the pixels can be copied. */
  readonly copied: Uint8Array | undefined;
}

/** RGBA of a square around the middle of the first input, of whole tiles, at the zoom of the finest sheet. */
export async function readAround(
  inputs: readonly JobInput[],
  { resampling = 'bilinear', mask = {}, side, folder = '' }: MosaicLook,
): Promise<MosaicPicture> {
  const settings = readMask(mask);
  const sheetBytes = 1 << 26;
  const options = { strict: true, bands: undefined, mask: settings, sheetBytes };
  const sheets = await findMosaicSheets(inputs, options, testContext({ inputs }));
  const reader = openSheetReader(sheets, await requireImageCodec(), sheetBytes);
  const { collar, feather } = settings;
  const pixels = openSheetPixels({ sheets, reader, collar, collarPath: `${folder}/collar` });
  const readMosaic = createMosaicReader({ sheets, pixels, resampling, feather });
  const { box } = sheets.find(({ name }) => name === inputs[0]!.name)!;
  const zoom = zoomOf(Math.min(...sheets.map(({ metres }) => metres)));
  const metres = pixelMetres(zoom);
  const half = pixelMetres(0) * 128;
  const square = {
    zoom,
    left: Math.round(((box[0] + box[2]) / 2 + half) / metres / 256) * 256 - side / 2,
    top: Math.round((half - (box[1] + box[3]) / 2) / metres / 256) * 256 - side / 2,
    side,
  };
  const copyOnGrid = createGridCopier({ sheets, reader, resampling });
  const blank = (): RgbSquare => ({
    rgb: new Uint8Array(side ** 2 * 3),
    alpha: new Uint8Array(side ** 2),
    side,
  });
  try {
    const rgba = (await readMosaic(square)) ?? new Uint8Array(side ** 2 * 4);
    const copy = await copyOnGrid(square, blank);
    const copied = copy && shownRgba(copy);
    return { rgba, square, copied };
  } finally {
    await reader.close();
  }
}
