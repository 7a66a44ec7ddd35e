import type { Histogram } from '../kit/histogram.ts';

/** Statistics of an attribute over all features. */
export interface DescribedField {
  readonly name: string;
  /** Bits: 1 numbers, 2 booleans, 4 strings. */
  readonly types: number;
  /** Number of features that have it. */
  readonly valueCount: number;
  /** The first distinct values. */
  readonly values: ReadonlySet<string | number | boolean>;
  /** Whether it has further values, which are too long to be listed. */
  readonly hasLongTexts: boolean;
  /** Range of its numbers; min is above max if there is none. */
  readonly min: number;
  readonly max: number;
  readonly histogram?: Histogram | undefined;
}

export interface DescribedLayer {
  readonly name: string;
  /** Its features only say where the labels of others are: they count for nothing, and are not drawn. */
  readonly holdsLabels?: boolean;
  readonly features: number;
  /** Number of features by geometry type. */
  readonly geometries: { readonly Point: number; readonly LineString: number; readonly Polygon: number };
  readonly attributes: ReadonlyMap<string, DescribedField>;
  /** Defaults to the tileset's zooms. */
  readonly minZoom?: number;
  readonly maxZoom?: number;
}

export interface DescribedLabels {
  /** With their text. */
  readonly attribute: string;
  /** Of their font, in pixels. */
  readonly size: number;
}

export interface DescribedTileset {
  readonly name: string;
  readonly attribution?: string | undefined;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** How labels were placed in the tiles; undefined: not at all. */
  readonly labels?: DescribedLabels | undefined;
  /** The lowest first. */
  readonly layers: readonly DescribedLayer[];
}

export type GeometryKind = 'Polygon' | 'LineString' | 'Point';

/** From the bottom of the map to its top. */
export const geometryKinds: readonly GeometryKind[] = ['Polygon', 'LineString', 'Point'];

export function kindsOf({ geometries }: DescribedLayer): GeometryKind[] {
  return geometryKinds.filter((kind) => geometries[kind] > 0);
}
