import type { PackedMember } from '@platen/formats/zip/pack-member';
import type { Cell } from '@platen/geo/point-tree/cloud';
import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobInput } from '../job-type.ts';
import type { FileRange } from '../kit/scratch-file.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';
import type { MosaicSheet } from '../raster-source/mosaic-sheet.ts';
import type { ChosenAttributes } from './attributes.ts';
import type { RootCube } from './place/root-cube.ts';
import type { RecordColumns } from './record-columns.ts';
import type { Settings } from './settings.ts';
import type { PointSheet, SheetHeights } from './sheets/sheet.ts';
import type { BucketRanges } from './bucket-ranges.ts';
import type { PointStatistics } from './statistics.ts';
import type { TileProperty } from './tile/tile-properties.ts';
import type { BucketPlan } from './tree/plan-buckets.ts';

/** What every thread gets. Plain data. */
export interface Setup {
  readonly settings: Settings;
  /** Those of the older cloud come last. */
  readonly sheets: readonly PointSheet[];
  /** The number of the first sheet of the older cloud. */
  readonly olderFrom: number;
  readonly heights: readonly SheetHeights[];
  readonly root: RootCube;
  readonly attributes: ChosenAttributes;
  readonly columns: RecordColumns;
  readonly buckets: BucketPlan;
  /** Where points get colours from: the first counts. */
  readonly images: readonly MosaicSheet[];
  /** For unpacked blocks of images, of each thread. */
  readonly imageBytes: number;
  /** Points of the older cloud that a thread holds at a time. */
  readonly olderPoints: number;
  /** In an update, 1 for each bucket whose points are needed. */
  readonly needed: Uint8Array | undefined;
  /** The same for points of the older cloud. */
  readonly olderNeeded: Uint8Array | undefined;
  readonly folder: string;
  readonly attempt: number;
  /** The number of the thread. */
  readonly worker: number;
  /** For a geoid grid among them. */
  readonly inputs: readonly JobInput[];
  readonly geoidFolder: string | undefined;
}

export interface ReadAnswer {
  readonly kind: 'read';
  readonly task: number;
  readonly ranges: readonly BucketRanges[];
  readonly statistics: PointStatistics;
  readonly warnings: readonly CountedWarning[];
  /** The file is damaged there. */
  readonly failure: { readonly code: FailureCode; readonly message: string } | undefined;
}

/** A tile whose content is complete. */
export interface MadeTile {
  readonly cell: Cell;
  /** Of the parts of a leaf that is too large for one tile: 1, 2, … */
  readonly part: number;
  readonly count: number;
  /** Undefined of a tile that only has children. */
  readonly content:
    | (Pick<PackedMember, 'packing' | 'size' | 'crc32'> & { readonly range: FileRange })
    | undefined;
  /** Of its points in units of the tree: lowest and highest x, y, z. */
  readonly box: readonly number[];
}

/** A node whose own tile waits for its parent; its points lie packed in a file, those to choose from first. */
export interface HandedNode {
  readonly cell: Cell;
  readonly total: number;
  readonly isLeaf: boolean;
  readonly candidates: number;
  /** Points in the file. */
  readonly count: number;
  readonly range: FileRange;
  /** Points in and below it that were left out. */
  readonly duplicates: number;
  /** Points in and below it that should get a colour, and lie outside of all images. */
  readonly uncoloured: number;
}

/** A part of the tree that is complete below its highest node. */
export interface NodeAnswer {
  readonly kind: 'node';
  readonly node: HandedNode;
  readonly tiles: readonly MadeTile[];
  readonly warnings: readonly CountedWarning[];
  /** Nodes below that the next update can use. */
  readonly inner: readonly HandedNode[];
}

export interface SplitAnswer {
  readonly kind: 'split';
  readonly cell: Cell;
  /** By octant. */
  readonly ranges: readonly BucketRanges[];
}

export interface RootAnswer {
  readonly kind: 'root';
  readonly tiles: readonly MadeTile[];
}

export interface PreparedAnswer {
  readonly kind: 'prepared';
}

export type Answer = ReadAnswer | NodeAnswer | SplitAnswer | RootAnswer | PreparedAnswer;

export interface BucketTask {
  readonly cell: Cell;
  readonly ranges: readonly FileRange[];
  /** Rows of older points that may be near. */
  readonly older: readonly FileRange[];
}

export type Task =
  | {
      readonly kind: 'properties';
      readonly properties: readonly TileProperty[];
      readonly hasColours: boolean;
    }
  | {
      readonly kind: 'read';
      readonly task: number;
      readonly sheet: number;
      readonly firstPart: number;
      readonly endPart: number;
    }
  | { readonly kind: 'split'; readonly cell: Cell; readonly ranges: readonly FileRange[] }
  | ({ readonly kind: 'bucket' } & BucketTask)
  | { readonly kind: 'join'; readonly cell: Cell; readonly children: readonly HandedNode[] }
  | { readonly kind: 'root'; readonly node: HandedNode };

/** What a checkpoint keeps. */
export type MadeUnit = ReadAnswer | NodeAnswer | SplitAnswer;

/** It can only be used where the same is read and made. */
export interface SavedUnit {
  readonly scope: string;
  readonly unit: MadeUnit;
}
