import type { Matrix } from '@platen/geo/geodesy/matrix';
import type { VerticalCrs } from '../crs/vertical-crs.ts';
import type { LayeredField } from '../las/decode/decode-layered.ts';
import type { PointBuffer } from './point-buffer.ts';

/** A number of each point that only some files have. Plain data. */
export interface PointExtra {
  readonly name: string;
  /** The type as which the file's own numbers, without a scale, fit into viewers. */
  readonly kind: 'byte' | 'short' | 'float';
  /** Numbers between these steps do not occur; undefined of floats. */
  readonly step: number | undefined;
  readonly mayBeMissing: boolean;
}

/** What whoever reads points needs of them: other attributes may be anything, and need not be decoded. */
export interface PointSelection {
  readonly fields: ReadonlySet<LayeredField>;
  readonly extras: readonly string[];
}

export type Place = readonly [x: number, y: number, z: number];

/** Something that whoever uses the points of a file should know. The message follows the name of the file. */
export interface PointNote {
  readonly code: 'cutSheet' | 'unreadableRows' | 'unusedContent';
  readonly message: string;
  /** How many rows or points are concerned. */
  readonly times: number;
}

/** A file of points that is read part by part, in any order and by several threads. */
export interface PointFile {
  /** The box of its points as it is known before they are read, in the coordinates that parts have. */
  readonly min: Place;
  readonly max: Place;
  readonly hasColours: boolean;
  readonly hasTimes: boolean;
  /** Further numbers of each point, by their names. */
  readonly extras?: readonly PointExtra[];
  /** Points of each part; some of them may turn out to be unusable. */
  readonly partPoints: readonly number[];
  /** What a pass over the whole file has found: `openPoints` takes it instead of making another. Plain data. */
  readonly scan?: unknown;
  readonly notes: readonly PointNote[];
  /** What the file says of its coordinates: a text for findCrs. */
  readonly crs: string | undefined;
  /** From its coordinates to those of its CRS, where these differ. */
  readonly matrix?: Matrix;
  /** What its heights count from, apart from the CRS. */
  readonly vertical: VerticalCrs | undefined;
  /** The largest colour channel of a sample; undefined without colours. @throws BytesError where it is damaged */
  brightest(): Promise<number | undefined>;
  /** @throws BytesError where it is damaged */
  readPart(part: number): Promise<PointBuffer>;
  /**
   * The same in blocks that stay in the processor's cache, each valid until the next, of whatever part; undefined of formats that read parts as a whole.
   * @throws BytesError where it is damaged
   */
  readonly readBlocks?: (part: number) => Promise<Iterable<PointBuffer>>;
}

/** Points of a part, unless the format says otherwise. */
export const partPoints = 65_536;
