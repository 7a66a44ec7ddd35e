import type { Property } from '@platen/formats/gltf/property-table';
import type { AttributeFacts } from '../models/attribute-facts.ts';
import type { Region } from '../models/region.ts';
import type { PackedContent } from '../models/write-tile-tree.ts';
import type { JobInput } from '../job-type.ts';
import type { SideFile } from '../models/find-side-file.ts';
import type { MeshFile } from '../models/read-mesh-file.ts';
import type { UsedHeights } from '../models/used-heights.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';
import type { Settings } from './settings.ts';
import type { CellGrid, PlannedCell } from './tree/plan-cells.ts';

export interface ModelFile extends MeshFile {
  /** Of the input. */
  readonly crs: string | undefined;
}

/** What every thread gets. Plain data. */
export interface Setup {
  readonly settings: Settings;
  readonly models: readonly ModelFile[];
  readonly images: readonly SideFile[];
  readonly sides: readonly SideFile[];
  readonly inputs: readonly JobInput[];
  readonly geoidFolder: string | undefined;
  readonly folder: string;
  readonly attempt: number;
  /** The number of the thread. */
  readonly worker: number;
  /** For decoded images, in bytes. */
  readonly imageBytes: number;
  /** For meshes packed by Draco of one file, in bytes. */
  readonly maxDecodingBytes: number;
}

/** Degrees and metres above the ellipsoid: the origin of all positions. */
export interface Origin {
  readonly lon: number;
  readonly lat: number;
  readonly height: number;
}

export type Task =
  | { readonly kind: 'find'; readonly model: number }
  | { readonly kind: 'read'; readonly model: number; readonly origin: Origin }
  | {
      readonly kind: 'cut';
      readonly model: number;
      readonly mesh: FileRange;
      readonly root: PlannedCell;
      readonly isTextured: boolean;
    }
  | TileTask
  | { readonly kind: 'survey'; readonly model: number }
  | ConvertTask;

/** Converts the contents of a tile of a tileset. */
export interface ConvertTask {
  readonly kind: 'convert';
  readonly name: string;
  readonly models: readonly number[];
  /** Of the whole output. */
  readonly properties: readonly Property[];
}

/** The attributes of a content of a tileset. */
export interface SurveyAnswer {
  readonly kind: 'survey';
  readonly model: number;
  readonly facts: AttributeFacts;
  readonly features: number;
  readonly failure: Fault | undefined;
}

/** A tile of a tileset that a thread has converted. */
export interface ConvertedTile {
  readonly kind: 'convert';
  readonly name: string;
  /** Undefined if nothing is drawn. */
  readonly content: PackedContent | undefined;
  readonly region: Region | undefined;
  readonly triangles: number;
  readonly features: number;
  readonly warnings: readonly CountedWarning[];
  readonly failure?: Fault | undefined;
}

export interface TileTask {
  readonly kind: 'tile';
  readonly name: string;
  readonly box: PlannedCell['box'];
  readonly origin: Origin;
  /** Pieces of a leaf, or those of the tiles below. */
  readonly pieces: readonly FileRange[];
  /** Undefined for a leaf; the largest error of the tiles below, in metres. */
  readonly errorBelow: number | undefined;
  readonly keepsBorder: boolean;
  /** Metres to which positions are rounded at least. */
  readonly minStep: number;
  readonly hasSkirts: boolean;
  readonly hasParent: boolean;
}

/** Where a model is, if it has a position. */
export interface FoundAnswer {
  readonly kind: 'find';
  readonly model: number;
  readonly origin: Origin | undefined;
  readonly failure: Fault | undefined;
}

export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** What a thread has read of a model. */
export interface ReadAnswer {
  readonly kind: 'read';
  readonly model: number;
  /** Undefined without triangles. */
  readonly mesh: FileRange | undefined;
  readonly grid: CellGrid;
  readonly hasImages: boolean;
  /** Metres above the ellipsoid. */
  readonly lowest: number;
  readonly triangles: number;
  readonly heights: UsedHeights | undefined;
  readonly warnings: readonly CountedWarning[];
  /** Why the file cannot be used, if it cannot. */
  readonly failure: Fault | undefined;
}

export interface CutAnswer {
  readonly kind: 'cut';
  readonly model: number;
  readonly pieces: readonly { readonly leaf: string; readonly range: FileRange }[];
  readonly warnings: readonly CountedWarning[];
}

/** A tile that a thread has made. */
export interface MadeTile {
  readonly kind: 'tile';
  readonly name: string;
  /** Undefined if nothing is drawn. */
  readonly content: PackedContent | undefined;
  readonly error: number;
  readonly region: Region | undefined;
  /** The piece for the tile above. */
  readonly piece: FileRange | undefined;
  readonly triangles: number;
}

export type Answer = FoundAnswer | ReadAnswer | CutAnswer | MadeTile | SurveyAnswer | ConvertedTile;
