import type { CollarSettings } from './mask/mask-settings.ts';
import { openCollars } from './mask/collars.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import type { SheetReader, SheetWindow } from './read-sheets.ts';
import { toRgba } from './to-rgba.ts';

/** The colours of sheets. */
export interface SheetPixels {
  /**
   * RGBA of a window, hidden where nothing is shown, valid until the next; undefined: the file has nothing there.
   * @throws JobFailure
   */
  read(number: number, window: SheetWindow): Promise<Uint8Array | undefined>;
}

export interface SheetPixelOptions {
  readonly sheets: readonly MosaicSheet[];
  readonly reader: SheetReader;
  readonly collar: CollarSettings | undefined;
  /** For what is found of collars; names of files begin with it. */
  readonly collarPath: string;
}

/** Pixels of a sheet that are looked at together for its collar. */
const scannedPixels = 4 << 20;
const pictureRows = 256;

export function openSheetPixels({ sheets, reader, collar, collarPath }: SheetPixelOptions): SheetPixels {
  let scratch: Uint8Array = new Uint8Array(0);
  const read = async (number: number, window: SheetWindow): Promise<Uint8Array | undefined> => {
    const samples = await reader.readSamples(number, window);
    if (!samples) return undefined;
    const rgba = toRgba(samples, sheets[number]!.colours, scratch);
    if (rgba.length > scratch.length) scratch = rgba;
    return rgba;
  };
  if (!collar) return { read };
  const collars = openCollars(collarPath, (number) => {
    const { width, height, raster } = sheets[number]!;
    const blockWidth = Math.min(width, raster?.blockWidth ?? width);
    const blockHeight = Math.min(
      raster?.blockHeight ?? pictureRows,
      Math.max(1, Math.floor(scannedPixels / blockWidth)),
    );
    return {
      width,
      height,
      blockWidth,
      blockHeight,
      ...collar,
      read: async (window) =>
        (await read(number, window)) ?? new Uint8Array(window.width * window.height * 4),
    };
  });
  return {
    async read(number, window) {
      await collars.find(number);
      const rgba = await read(number, window);
      if (rgba) await collars.hide(rgba, number, window);
      return rgba;
    },
  };
}
