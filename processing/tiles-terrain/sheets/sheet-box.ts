import type { Crs } from '@platen/formats/crs/find-crs';
import { JobFailure } from '../../job-type.ts';
import type { Sheet } from './sheet.ts';

/** West, south, east, north in degrees; the east may exceed 180. */
export type SheetBox = readonly [west: number, south: number, east: number, north: number];

/** Places on each edge that are transformed. */
const places = 33;

/** @throws JobFailure where the sheet is not on Earth */
export function boxOfSheet(sheet: Sheet, crs: Crs): SheetBox {
  const { width, height, name } = sheet;
  const edge: number[] = [];
  for (let i = 0; i < places; i++) {
    const share = i / (places - 1);
    for (const [column, row] of [
      [share * width, 0],
      [share * width, height],
      [0, share * height],
      [width, share * height],
    ] as const)
      edge.push(...positionOf(sheet, column, row));
  }
  const [middleLon] = toDegrees(Float64Array.from(positionOf(sheet, width / 2, height / 2)), crs);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const degrees = toDegrees(Float64Array.from(edge), crs);
  for (let i = 0; i < degrees.length; i += 2) {
    const lat = degrees[i + 1]!;
    let lon = degrees[i]!;
    // on the same side of the antimeridian as the middle
    lon -= 360 * Math.round((lon - middleLon!) / 360);
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

/** A sheet around a pole has all longitudes, which its edges do not show. */
function polesWithin(sheet: Sheet, crs: Crs): number[] {
  if (crs.kind !== 'projected') return [];
  return [-90, 90].filter((lat) => {
    const position = Float64Array.of(0, lat);
    crs.fromLonLat(position, 1);
    const [a, b, c, d, e, f] = sheet.matrix;
    const [x, y] = [position[0]! - c, position[1]! - f];
    const determinant = a * e - b * d;
    const [column, row] = [(e * x - b * y) / determinant, (a * y - d * x) / determinant];
    return column > 0 && row > 0 && column < sheet.width && row < sheet.height;
  });
}

/** The size of a pixel in the middle of the sheet. */
export function pixelDegreesOf(sheet: Sheet, crs: Crs): number {
  const [column, row] = [sheet.width / 2, sheet.height / 2];
  const corners = [
    ...positionOf(sheet, column, row),
    ...positionOf(sheet, column + 1, row),
    ...positionOf(sheet, column, row + 1),
  ];
  const [lon, lat, eastLon, eastLat, southLon, southLat] = toDegrees(
    Float64Array.from(corners),
    crs,
  ) as unknown as [number, number, number, number, number, number];
  const narrow = crs.kind === 'projected' || crs.kind === 'webMercator' ? Math.cos((lat * Math.PI) / 180) : 1;
  const right = Math.hypot((eastLon - lon) * narrow, eastLat - lat);
  const down = Math.hypot((southLon - lon) * narrow, southLat - lat);
  return Math.min(right, down);
}

function positionOf({ matrix: [a, b, c, d, e, f] }: Sheet, column: number, row: number): [number, number] {
  return [a * column + b * row + c, d * column + e * row + f];
}

function toDegrees(positions: Float64Array, crs: Crs): Float64Array {
  // longitudes beyond 180 stay as they are
  if (crs.kind !== 'lonLat') crs.toLonLat(positions, positions.length / 2);
  return positions;
}
