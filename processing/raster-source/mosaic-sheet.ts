import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import type { RasterPixels, SheetPart } from './raster-sheet.ts';
import type { MercatorBox } from './mercator-frame.ts';
import type { ColourPlan } from './plan-of-colours.ts';
import type { ClassName } from './sidecars.ts';

/** A sheet with its place in web mercator, and how it becomes colours. Plain data, as it is sent to threads. */
export interface MosaicSheet {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly matrix: GeoTransform['matrix'];
  /** For `findCrs`. */
  readonly crs: string;
  readonly box: MercatorBox;
  /** Metres of web mercator that a pixel is wide or high in its middle, whichever is less. */
  readonly metres: number;
  /** Undefined: a JPEG, PNG or WebP, which is decoded as a whole. */
  readonly raster: RasterPixels | undefined;
  /** Beside a JPEG, PNG or WebP. */
  readonly mask?: SheetPart | undefined;
  readonly colours: ColourPlan;
  /** What the numbers of a palette mean, as far as it is known. */
  readonly classNames?: readonly ClassName[];
  readonly isNearest: boolean;
}
