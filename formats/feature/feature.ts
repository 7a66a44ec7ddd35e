import { createGeometryBuffer, type GeometryBuffer } from './geometry-buffer.ts';

/** One feature of a file; readers use the same object for all of them, overwritten by the next. */
export interface Feature {
  id: string | number | undefined;
  /**
   * Strings, numbers and booleans as the format has them; objects and arrays where it has such; null where nothing is
   * known.
   */
  properties: Record<string, unknown>;
  /** In the layer's CRS, easting or longitude first, whatever the order in the file. No parts means no geometry. */
  readonly geometry: GeometryBuffer;
  /** The reason why the feature is rejected; the file can be read beyond it. */
  problem: string | undefined;
  /** The problem is the record itself, such as a line that is not JSON, and not its geometry alone. */
  isBroken?: boolean;
}

/** The position of a feature in its file. Fields that a format cannot provide are absent. */
export interface FeaturePlace {
  /** From 1, in file order. */
  readonly feature: number;
  /** Line of a text, from 1. */
  readonly line?: number;
  /** From 0, in the unpacked file. */
  readonly byte?: number;
  /** The row number of a table. */
  readonly row?: number;
}

/** The feature is only valid during the call; `place` is dear and valid during the call. */
export type VisitFeature = (feature: Feature, place: () => FeaturePlace) => void;

/** @param keepsHeights as in `ReadPartOptions` */
export function createFeature(keepsHeights = false): Feature {
  const geometry = createGeometryBuffer(keepsHeights);
  return { id: undefined, properties: {}, geometry, problem: undefined };
}
