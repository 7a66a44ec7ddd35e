import { createGeometryBuffer, type GeometryBuffer } from './geometry-buffer.ts';

/** One feature of a file; readers use the same object for all of them, overwritten by the next. */
export interface Feature {
  id: string | number | undefined;
  /** Strings, numbers and booleans as the format has them; objects and arrays where it has such; null where nothing is known. */
  properties: Record<string, unknown>;
  /** In the layer's CRS: easting or longitude first, whatever order the file has. No parts: no geometry. */
  readonly geometry: GeometryBuffer;
  /** What is wrong with it, though the file can be read on behind it. Such a feature is set aside. */
  problem: string | undefined;
  /** The problem is the record itself, such as a line that is no JSON, and not its geometry alone. */
  isBroken?: boolean;
}

/** Where a feature lies in its file; what a format cannot tell is absent. */
export interface FeaturePlace {
  /** From 1, in the order of the file. */
  readonly feature: number;
  /** From 1; of text. */
  readonly line?: number;
  /** From 0, in the unpacked file. */
  readonly byte?: number;
  /** Of a table: the row's own number. */
  readonly row?: number;
}

/** The feature is only valid during the call; `place` is dear and valid during the call. */
export type VisitFeature = (feature: Feature, place: () => FeaturePlace) => void;

export function createFeature(): Feature {
  return { id: undefined, properties: {}, geometry: createGeometryBuffer(), problem: undefined };
}
