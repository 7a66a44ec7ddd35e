/** What is known of an attribute once all features are read. */
export interface DescribedField {
  readonly name: string;
  /** Bits: 1 numbers, 2 booleans, 4 strings. */
  readonly types: number;
  /** The first distinct values. */
  readonly values: ReadonlySet<string | number | boolean>;
  /** Of its numbers; min above max where there is none. */
  readonly min: number;
  readonly max: number;
}

export interface DescribedLayer {
  readonly name: string;
  readonly features: number;
  /** How many features are of each kind. */
  readonly geometries: { readonly Point: number; readonly LineString: number; readonly Polygon: number };
  readonly attributes: ReadonlyMap<string, DescribedField>;
  /** Where they are not those of the tileset. */
  readonly minZoom?: number;
  readonly maxZoom?: number;
}

export interface DescribedTileset {
  readonly name: string;
  readonly attribution?: string | undefined;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** The lowest first. */
  readonly layers: readonly DescribedLayer[];
}

export type GeometryKind = 'Polygon' | 'LineString' | 'Point';

/** From the bottom of the map to its top. */
export const geometryKinds: readonly GeometryKind[] = ['Polygon', 'LineString', 'Point'];

export function kindsOf({ geometries }: DescribedLayer): GeometryKind[] {
  return geometryKinds.filter((kind) => geometries[kind] > 0);
}
