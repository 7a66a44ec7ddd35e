import type { WaitingObject, WaitingObjects } from '@platen/formats/citygml/read-city-gml';
import type { Property } from '@platen/formats/gltf/property-table';
import type { CountedWarning } from '../kit/warning-counter.ts';
import type { JobInput } from '../job-type.ts';
import type { PlacedTerrain } from '../terrain-source/find-terrain.ts';
import type { RejectedFeature } from '../rejects.ts';
import type { RejectCode } from '../warning-codes.ts';
import type { AttributeFacts } from '../models/attribute-facts.ts';
import type { Region } from '../models/region.ts';
import type { UsedHeights } from '../models/used-heights.ts';
import type { PackedContent } from '../models/write-tile-tree.ts';
import type { Settings } from './settings.ts';
import type { ShapeTable } from './shape/shape-index.ts';
import type { ShapeRun } from './shape/shape-runs.ts';
import type { CodeLists } from './source/code-lists.ts';
import type { FoundModels } from './source/find-models.ts';

/** What every thread gets. Plain data. */
export interface Setup {
  readonly settings: Settings;
  readonly found: FoundModels;
  readonly codeLists: CodeLists;
  readonly inputs: readonly JobInput[];
  readonly geoidFolder: string | undefined;
  /** What objects are put onto; undefined if they are not. */
  readonly terrain: PlacedTerrain | undefined;
  readonly folder: string;
  readonly attempt: number;
  /** The number of the thread. */
  readonly worker: number;
  /** For decoded images, in bytes. */
  readonly imageBytes: number;
  /** For meshes packed by Draco of one file, in bytes. */
  readonly maxDecodingBytes: number;
}

export interface ReadTask {
  readonly kind: 'read';
  readonly model: number;
  /** Objects of a part of a file that waited for those of others; undefined: all of the model. */
  readonly links: WaitingObjects | undefined;
}

/** Finds out which surfaces are in a part of a file. */
export interface FindTask {
  readonly kind: 'find';
  readonly model: number;
  readonly ids: readonly string[];
}

export type Task =
  | ReadTask
  | FindTask
  | {
      readonly kind: 'tile';
      readonly name: string;
      readonly properties: readonly Property[];
      /** Shapes of a leaf, or what the tiles below hand up. */
      readonly shapes: readonly ShapeRun[];
      /** Undefined for a leaf; the largest error of the tiles below. */
      readonly leastError: number | undefined;
      /** Whether there are tiles above. */
      readonly hasParent: boolean;
    };

export interface CountedReject {
  readonly code: RejectCode;
  readonly message: string;
  readonly feature: RejectedFeature;
}

/** What a thread has read of a model. */
export interface ReadModelAnswer {
  readonly kind: 'read';
  readonly model: number;
  readonly table: ShapeTable;
  readonly facts: AttributeFacts;
  readonly heights: UsedHeights | undefined;
  readonly warnings: readonly CountedWarning[];
  readonly rejects: readonly CountedReject[];
  /** Whether these are the objects that waited. */
  readonly isLinked: boolean;
  /** Objects that refer to surfaces which are not in the same object, and are not read yet. */
  readonly waiting: readonly WaitingObject[];
  /** The bits of a filter of the ids of surfaces that were read of a part of a file; undefined if it may have others, too. */
  readonly surfaceIds: Uint8Array | undefined;
  /** Why the file cannot be used, if it cannot. */
  readonly failure: { readonly code: string; readonly message: string } | undefined;
}

/** A tile that a thread has made. */
export interface MadeTile {
  readonly kind: 'tile';
  readonly name: string;
  /** Undefined if nothing is drawn. */
  readonly content: PackedContent | undefined;
  readonly error: number;
  readonly region: Region | undefined;
  /** Shapes for the tiles above. */
  readonly handedUp: readonly ShapeRun[];
  readonly triangles: number;
  readonly warnings: readonly CountedWarning[];
}

export interface FoundIds {
  readonly kind: 'find';
  readonly model: number;
  readonly present: readonly string[];
}

export type Answer = ReadModelAnswer | FoundIds | MadeTile;
