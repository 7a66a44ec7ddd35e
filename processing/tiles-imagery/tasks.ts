import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { FileRange } from '../kit/scratch-file.ts';
import type { UnitTiles } from '../kit/tile-log.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';
import type { MosaicSheet } from '../raster-source/mosaic-sheet.ts';
import type { PyramidShape } from '../raster-source/zoom-layers.ts';
import type { ImageryMemory } from './memory.ts';
import type { Settings } from './settings.ts';

/** What every thread gets. Plain data. */
export interface Setup {
  readonly settings: Settings;
  readonly sheets: readonly MosaicSheet[];
  readonly shape: PyramidShape;
  /** The highest zoom with tiles, which may be below the base of the pyramid. */
  readonly maxZoom: number;
  readonly folder: string;
  readonly attempt: number;
  /** The number of the thread. */
  readonly worker: number;
  readonly memory: ImageryMemory;
}

/** What has been made of a unit: its tiles, and half the pixels a side of its highest tile: its part of the unit above. */
export interface MadeUnit {
  readonly unit: BlockPlace;
  /** Undefined: no pixel is shown. */
  readonly root: FileRange | undefined;
  readonly tiles: UnitTiles;
  readonly warnings: readonly CountedWarning[];
}

export interface RootOfUnit {
  readonly unit: BlockPlace;
  readonly root: FileRange;
}

export type Task =
  | { readonly kind: 'sample'; readonly unit: BlockPlace; readonly sheets: readonly number[] }
  | {
      readonly kind: 'combine';
      readonly unit: BlockPlace;
      readonly below: readonly RootOfUnit[];
    };
