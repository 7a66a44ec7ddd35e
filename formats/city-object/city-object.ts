import type { SurfaceSet } from './surface-set.ts';

/** A value of an attribute, in the type that the file gives it. */
export type AttributeValue = string | number | boolean;

/** Attributes by name; those of nested structures have the names of all levels, joined by dots. */
export type Attributes = Map<string, AttributeValue>;

/** A city object, or a part of one. */
export interface CityPart {
  /** Empty if the file has none. */
  id: string;
  /** The name of its class without prefix: `BuildingPart`. Those of CityJSON extensions begin with `+`. */
  readonly class: string;
  /** The number of the part that it belongs to; -1 for the object itself. */
  readonly parent: number;
  readonly attributes: Attributes;
}

/** How surfaces look that are not coloured by what they are. */
export interface Look {
  /** Red, green, blue and alpha from 0 to 1, in sRGB. */
  readonly colour?: readonly [red: number, green: number, blue: number, alpha: number];
  /** The image as the file names it. */
  readonly image?: string;
  /** Whether the image repeats beyond its edges. */
  readonly repeats?: boolean;
  /** Image coordinates count pixels to the right of and above the upper left corner of the image, instead of images. */
  readonly inPixels?: boolean;
}

/** Surfaces that stand for a part in one level of detail. */
export interface CityGeometry {
  /** The number of the part. */
  readonly part: number;
  /** Tenths of a level: 22 is LoD 2.2. */
  readonly lod: number;
  readonly isSolid: boolean;
  /** Where positions count from in metres east, north and up. Without it, they are in the CRS of the file. */
  readonly anchor?: readonly [x: number, y: number, z: number];
  readonly surfaces: SurfaceSet;
}

/**
 * A city object of the top level with everything below it. Positions have the easting or longitude first, whatever the
 * order of the file.
 */
export interface CityObject {
  /** The object itself comes first. */
  readonly parts: CityPart[];
  readonly geometries: CityGeometry[];
  readonly looks: Look[];
}

/** What a reader skips or cannot resolve. */
export type CityNotice =
  | 'badPositions'
  | 'badIndices'
  | 'missingSurface'
  | 'libraryObject'
  | 'surfaceAttribute'
  | 'unsupportedAppearance'
  | 'circularParts'
  | 'missingParent'
  | 'brokenObject';

/** Tells what was left out: of which object, and what. */
export type NoticeVisitor = (notice: CityNotice, id: string, detail: string) => void;
