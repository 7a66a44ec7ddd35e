import type { RasterFacts } from '@platen/contract/inspect';
import { findCrs } from '@platen/formats/crs/find-crs';
import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { mercatorOf } from '../../raster-source/mercator-frame.ts';
import { metresInMercator } from '../../raster-source/place-sheet.ts';
import type { Place } from '../place/resolve-place.ts';

interface PlacedRaster {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly transform?: GeoTransform | undefined;
  readonly place: Place;
}

/** Where pixels are, and how large; undefined without a place. What a sample says of them is added by those who read it. */
export function rasterFactsOf({
  name,
  width,
  height,
  transform,
  place,
}: PlacedRaster): RasterFacts | undefined {
  const { bbox, crs } = place;
  if (!bbox || !(width > 0 && height > 0)) return undefined;
  const [west, south, east, north] = mercatorOf(bbox as [number, number, number, number]);
  const [across, down] = [east - west, north - south];
  if (!(across > 0 && down > 0)) return undefined;
  const exact =
    transform && crs?.code !== undefined
      ? metresInMercator({ name, width, height, matrix: transform.matrix, crs: findCrs(crs.code) })
      : NaN;
  return {
    sheets: 1,
    pixels: width * height,
    metres: Number.isFinite(exact) && exact > 0 ? exact : Math.min(across / width, down / height),
    degrees: degreesOf(place, bbox, [width, height]),
    area: across * down,
    outline: 2 * (across + down),
  };
}

/** Of latitude, that a pixel is wide or high, whichever is less. */
function degreesOf(
  { crs }: Place,
  [west, south, east, north]: readonly number[],
  [width, height]: readonly [width: number, height: number],
): number {
  const isGeographic = crs?.code !== undefined && /^(lonLat|geographic)$/.test(findCrs(crs.code).kind);
  const narrow = isGeographic ? 1 : Math.cos((((south! + north!) / 2) * Math.PI) / 180);
  return Math.min(((east! - west!) * narrow) / width, (north! - south!) / height);
}
