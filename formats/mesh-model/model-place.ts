import type { Vector } from '@platen/geo/geodesy/geocentric';
import type { Matrix } from '@platen/geo/geodesy/matrix';

/** Where on earth a model says that it stands. */
export type ModelPlace = PlaceInCrs | PlaceOfSite;

export interface PlaceInCrs {
  readonly kind: 'crs';
  /** Of the coordinates after `matrix`, such as `EPSG:25832`. */
  readonly crs: string;
  /** From metres of the model to coordinates. */
  readonly matrix: Matrix;
}

export interface PlaceOfSite {
  readonly kind: 'site';
  /** What stands there, in metres of the model. */
  readonly origin: Vector;
  /** Of `origin`, in degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** Metres above sea level. */
  readonly height: number;
  /** Degrees clockwise from north to the y axis of the model. */
  readonly heading: number;
}
