import type { Crs } from '@platen/formats/crs/find-crs';
import { JobFailure } from '../../job-type.ts';
import { edgePositions, middlePositions, polesWithin } from '../../raster-source/sheet-frame.ts';
import type { Sheet } from './sheet.ts';

/** West, south, east, north in degrees; the east may exceed 180. */
export type SheetBox = readonly [west: number, south: number, east: number, north: number];

/** @throws JobFailure where the sheet is not on Earth */
export function boxOfSheet(sheet: Sheet, crs: Crs): SheetBox {
  const { name } = sheet;
  const middleLon = toDegrees(middlePositions(sheet), crs)[0]!;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const degrees = toDegrees(edgePositions(sheet), crs);
  for (let i = 0; i < degrees.length; i += 2) {
    const lat = degrees[i + 1]!;
    let lon = degrees[i]!;
    // on the same side of the antimeridian as the middle
    lon -= 360 * Math.round((lon - middleLon) / 360);
    if (!Number.isFinite(lon) || !Number.isFinite(lat)) continue;
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  if (!(west < east && south < north && south > -91 && north < 91 && east - west <= 361))
    throw new JobFailure(
      'invalidCoordinates',
      `${name} is not on Earth in ${crs.name}. Check its georeference, and set the right coordinate system of the input in the task.`,
    );
  const poles = polesWithin(sheet, crs);
  if (poles.length > 0)
    return [-180, poles.includes(-90) ? -90 : south, 180, poles.includes(90) ? 90 : north];
  return [west, Math.max(-90, south), east, Math.min(90, north)];
}

/** The size of a pixel in the middle of the sheet. */
export function pixelDegreesOf(sheet: Sheet, crs: Crs): number {
  const [lon, lat, eastLon, eastLat, southLon, southLat] = toDegrees(
    middlePositions(sheet),
    crs,
  ) as unknown as [number, number, number, number, number, number];
  const narrow = crs.kind === 'projected' || crs.kind === 'webMercator' ? Math.cos((lat * Math.PI) / 180) : 1;
  const right = Math.hypot((eastLon - lon) * narrow, eastLat - lat);
  const down = Math.hypot((southLon - lon) * narrow, southLat - lat);
  return Math.min(right, down);
}

function toDegrees(positions: Float64Array, crs: Crs): Float64Array {
  // longitudes beyond 180 stay as they are
  if (crs.kind !== 'lonLat') crs.toLonLat(positions, positions.length / 2);
  return positions;
}
