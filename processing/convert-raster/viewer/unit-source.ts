import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { requireImageCodec } from '../../kit/images/image-codec.ts';
import type { MercatorFrame } from '../../raster-source/mercator-frame.ts';
import type { MosaicSheet } from '../../raster-source/mosaic-sheet.ts';
import { openSheetReader } from '../../raster-source/read-sheets.ts';
import { openSheetPixels } from '../../raster-source/sheet-pixels.ts';
import type { PixelMaker } from '../pyramid/make-pyramid.ts';
import type { UnitPlace } from '../pyramid/unit-order.ts';
import type { Settings } from '../settings.ts';
import { createUnitReader } from './read-unit.ts';

/** What the pixels of units are made of. Plain data. */
export interface UnitSetup {
  readonly sheets: readonly MosaicSheet[];
  readonly settings: Pick<Settings, 'resampling' | 'mask' | 'strict'>;
  readonly frame: MercatorFrame;
  readonly unitSide: number;
  /** For unpacked blocks of sheets. */
  readonly sheetBytes: number;
  /** For what is found of collars; names of files begin with it. */
  readonly collarPath: string;
}

/** A unit that a thread makes. */
export interface UnitTask {
  readonly place: UnitPlace;
  /** Without data; it moves to the thread and back. */
  readonly square: PixelSquare;
}

export interface MadeUnit {
  readonly square: PixelSquare;
  /** No pixel of it is data. */
  readonly isEmpty: boolean;
  readonly broken: readonly BrokenSheet[];
}

/** A sheet of which a part could not be read, by its name, and the reason. */
export type BrokenSheet = readonly [name: string, reason: string];

/** Opened sheets, and what makes units of them. */
export interface UnitSource {
  readonly read: PixelMaker['read'];
  close(): Promise<void>;
}

export async function openUnitSource(
  { sheets, settings, frame, unitSide, sheetBytes, collarPath }: UnitSetup,
  signal: AbortSignal,
  onBroken: (...sheet: BrokenSheet) => void,
): Promise<UnitSource> {
  const { resampling, strict, mask } = settings;
  const { collar, feather } = mask;
  const reader = openSheetReader(sheets, await requireImageCodec(), sheetBytes);
  const pixels = openSheetPixels({ sheets, reader, collar, collarPath });
  const canLeaveOut = !strict && sheets.length > 1;
  const mosaic = {
    sheets,
    reader,
    pixels,
    resampling,
    feather,
    ...(canLeaveOut && {
      onBroken: ({ name }: MosaicSheet, { message }: Error) => onBroken(name, message),
    }),
  };
  return {
    read: createUnitReader(mosaic, { frame, unitSide, collar, signal }),
    close: () => reader.close(),
  };
}
