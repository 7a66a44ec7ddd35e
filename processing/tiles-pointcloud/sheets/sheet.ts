import type { Place, PointExtra } from '@platen/formats/points/point-file';
import type { Matrix } from '@platen/geo/geodesy/matrix';
import type { HeightFacts } from '../../heights/open-heights.ts';
import type { HeightOptions } from '../../heights/height-options.ts';

/** What turns heights of sheets into metres above the ellipsoid. */
export interface SheetHeights {
  readonly options: HeightOptions;
  readonly facts: HeightFacts;
}

/** A box in the coordinates of a file. */
export interface SheetBounds {
  readonly min: Place;
  readonly max: Place;
}

/** A file of points with its place. Plain data. */
export interface PointSheet extends SheetBounds {
  readonly path: string;
  readonly name: string;
  readonly hasColours: boolean;
  readonly hasTimes: boolean;
  /** See PointFile. */
  readonly extras: readonly PointExtra[];
  /** See PointFile. */
  readonly scan: unknown;
  /** From the coordinates of the file to those of the coordinate system; undefined where they are the same. */
  readonly matrix: Matrix | undefined;
  readonly crs: string;
  /** West, south, east, north in degrees. */
  readonly box: readonly [number, number, number, number];
  /** The number of its heights among those of the plan; undefined of geocentric places, which have none of their own. */
  readonly heightsOf: number | undefined;
  /** Points of each part that can be read alone. */
  readonly partPoints: readonly number[];
  /** The largest colour channel of a sample. */
  readonly brightest: number | undefined;
}
