/**
 * `compoundHorizontal`: heights are left as they are; `missingGrid`: the exact datum shift needs a file that is not
 * here, and a plainer one is used; `unknownDatumShift`: its datum is old and its shift to WGS 84 not known.
 */
export interface CrsNote {
  readonly code: 'compoundHorizontal' | 'missingGrid' | 'unknownDatumShift';
  readonly message: string;
}

/** West, south, east, north in degrees of WGS 84. West is greater than east across 180°. */
export type Area = readonly [number, number, number, number];

/** A coordinate reference system whose coordinates can be turned into longitudes and latitudes of WGS 84. */
export interface Crs {
  /** `EPSG:25832`, `ESRI:54009`; undefined where only its definition is known. */
  readonly code?: string;
  readonly name: string;
  /**
   * `lonLat` already is what toLonLat makes: degrees from Greenwich on WGS 84, or on a datum that agrees with it
   * to a metre or two; `geographic` is on another datum, or in other units or from another meridian.
   */
  readonly kind: 'lonLat' | 'webMercator' | 'projected' | 'geographic';
  /** The area of use. */
  readonly area?: Area;
  readonly notes: readonly CrsNote[];
  /** The authority puts the latitude or the northing first: GML and WFS then have it first. */
  readonly northingFirst: boolean;
  /**
   * Transforms in place; easting or longitude comes first, northing or latitude second. The result is in degrees, with
   * longitudes within ±180. Both values are NaN if a position cannot be transformed; never infinite, and no error is
   * thrown.
   */
  readonly toLonLat: (coordinates: Float64Array, count: number) => void;
  /** The other way. */
  readonly fromLonLat: (coordinates: Float64Array, count: number) => void;
}
