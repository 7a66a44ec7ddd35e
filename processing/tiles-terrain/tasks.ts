import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { Layers } from '../features/layers.ts';
import type { TerrainSource } from '../terrain-source/open-terrain.ts';
import type { HeightOptions } from '../heights/height-options.ts';
import type { JobInput } from '../job-type.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import type { UnitTiles } from '../kit/tile-log.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';
import type { TerrainMemory } from './memory.ts';
import type { PlannedSheet } from './plan-sheets.ts';
import type { Signature } from '../raster-source/sign-units.ts';
import type { PyramidShape } from '../raster-source/zoom-layers.ts';
import type { Settings } from './settings.ts';
import type { WaterHeights, WaterLevel } from './water/flatten-water.ts';
import type { WaterIndex } from './water/water-polygons.ts';

/** What every thread gets. Plain data. */
export interface Setup {
  readonly settings: Settings;
  readonly heights: HeightOptions;
  readonly sheets: readonly PlannedSheet[];
  readonly shape: PyramidShape;
  readonly folder: string;
  readonly attempt: number;
  /** The number of the thread. */
  readonly worker: number;
  readonly memory: TerrainMemory;
  /** For a geoid grid among them. */
  readonly inputs: readonly JobInput[];
  readonly geoidFolder: string | undefined;
  /** Undefined: there are no polygons of water. */
  readonly water: WaterIndex | undefined;
  /** Undefined: there is no terrain beneath. */
  readonly base: TerrainSource | undefined;
}

/** Where a unit of the pyramid is, and which of its blocks have data: a byte for each. */
export interface MadeUnit {
  readonly unit: BlockPlace;
  /** Undefined: none has. */
  readonly range: FileRange | undefined;
  readonly hasData: Uint8Array;
  /** Whether all of its cells have. */
  readonly isFull: boolean;
}

export type UnitRanges = readonly (readonly [key: string, range: FileRange])[];

/** Cells of a unit that an update takes from the same one of the former run. */
export interface KeptCells {
  readonly range: FileRange;
  /** The keys of the units below whose cells they are the means of. */
  readonly below: readonly string[];
}

/** A tile to make, with what only the whole pyramid knows. */
export interface TileOrder {
  readonly place: BlockPlace;
  /** The tiles below it, for the metadata of quantized-mesh. */
  readonly metadata?: object;
}

export type Task =
  | { readonly kind: 'sample'; readonly unit: BlockPlace; readonly sheets: readonly number[] }
  | {
      readonly kind: 'flatten';
      readonly unit: BlockPlace;
      readonly range: FileRange;
      readonly levels: readonly WaterLevel[];
    }
  | {
      readonly kind: 'combine';
      readonly unit: BlockPlace;
      readonly below: UnitRanges;
      readonly kept: KeptCells | undefined;
    }
  | { readonly kind: 'surroundings'; readonly unit: BlockPlace; readonly units: UnitRanges }
  | { readonly kind: 'tiles'; readonly tiles: readonly TileOrder[]; readonly units: UnitRanges };

export type Answer =
  | {
      readonly kind: 'unit';
      readonly made: MadeUnit;
      readonly warnings: readonly CountedWarning[];
      /** Heights of water that reaches beyond the unit. */
      readonly water: readonly WaterHeights[];
    }
  | { readonly kind: 'surroundings'; readonly signature: Signature }
  | { readonly kind: 'tiles'; readonly tiles: UnitTiles; readonly lines: Layers };
