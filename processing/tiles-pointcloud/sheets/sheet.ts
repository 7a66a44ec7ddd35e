import type { LasHeader } from '@platen/formats/las/read-header';
import type { HeightFacts } from '../../heights/open-heights.ts';
import type { HeightOptions } from '../../heights/height-options.ts';

/** What turns heights of sheets into metres above the ellipsoid. */
export interface SheetHeights {
  readonly options: HeightOptions;
  readonly facts: HeightFacts;
}

/** A file of points with its place. Plain data. */
export interface PointSheet {
  readonly path: string;
  readonly name: string;
  readonly header: LasHeader;
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
