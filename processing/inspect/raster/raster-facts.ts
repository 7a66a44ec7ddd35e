import type { RasterFacts } from '@platen/contract/inspect';
import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { mercatorOf, metresOfDegree } from '../../raster-source/mercator-frame.ts';
import { boxInMercator, metresInMercator } from '../../raster-source/place-sheet.ts';
import type { Place } from '../place/resolve-place.ts';

interface PlacedRaster {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly transform?: GeoTransform | undefined;
  /** Undefined: not known, so that sizes of pixels follow from the box. */
  readonly crs: Crs | undefined;
  readonly bbox: readonly number[] | undefined;
}

/** Where pixels are, and how large; undefined without a place. What a sample says of them is added by those who read it. */
export function rasterFactsOf({
  name,
  width,
  height,
  transform,
  crs,
  bbox,
}: PlacedRaster): RasterFacts | undefined {
  if (!bbox || !(width > 0 && height > 0)) return undefined;
  const [west, south, east, north] = bbox as [number, number, number, number];
  const sheet = transform && crs && { name, width, height, matrix: transform.matrix, crs };
  const exact = sheet ? metresInMercator(sheet) : NaN;
  // degrees of what crosses 180° are those of all the world
  const isAround = east - west > 359 && Number.isFinite(exact);
  const box = isAround ? boxInMercator(sheet!).box : mercatorOf([west, south, east, north]);
  const [across, down] = [box[2] - box[0], box[3] - box[1]];
  if (!(across > 0 && down > 0)) return undefined;
  const isGeographic = crs?.kind === 'lonLat' || crs?.kind === 'geographic';
  const metres = exact > 0 && Number.isFinite(exact) ? exact : Math.min(across / width, down / height);
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  return {
    sheets: 1,
    pixels: width * height,
    metres,
    degrees: isGeographic
      ? Math.min((east - west) / width, (north - south) / height)
      : (metres * narrow) / metresOfDegree,
    area: across * down,
    outline: 2 * (across + down),
  };
}

/** The facts of a place in a report. */
export function factsAt(
  raster: Omit<PlacedRaster, 'crs' | 'bbox'>,
  { crs, bbox }: Place,
): RasterFacts | undefined {
  return rasterFactsOf({ ...raster, bbox, crs: crs?.code === undefined ? undefined : findCrs(crs.code) });
}
