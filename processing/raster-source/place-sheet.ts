import type { Crs } from '@platen/formats/crs/find-crs';
import type { Transform } from '@platen/geo/raster/control-grid';
import { JobFailure } from '../job-type.ts';
import { pixelMetres, type MercatorBox } from './mercator-frame.ts';
import {
  createPixelFinder,
  edgeMiddlePositions,
  edgePositions,
  middlePositions,
  polesWithin,
  type SheetFrame,
} from './sheet-frame.ts';

interface SheetPlace extends SheetFrame {
  readonly name: string;
  readonly crs: Crs;
}

const earthRadius = 6_378_137;
const halfWorld = Math.PI * earthRadius;

/** Around all pixels, as far as web mercator goes. @throws JobFailure where the sheet is not on Earth */
export function boxInMercator(sheet: SheetPlace): { readonly box: MercatorBox; readonly isCut: boolean } {
  const { name, crs } = sheet;
  const at = toMercator(edgePositions(sheet), crs);
  let [south, north] = [Infinity, -Infinity];
  for (let i = 1; i < at.length; i += 2) {
    if (Number.isNaN(at[i - 1]!) || Number.isNaN(at[i]!)) continue;
    south = Math.min(south, at[i]!);
    north = Math.max(north, at[i]!);
  }
  let [west, east] = longitudesOf(at, toMercator(middlePositions(sheet), crs)[0]!);
  for (const pole of polesWithin(sheet, crs)) {
    [west, east] = [-halfWorld, halfWorld];
    if (pole < 0) south = -Infinity;
    else north = Infinity;
  }
  const [bottom, top] = [Math.max(-halfWorld, south), Math.min(halfWorld, north)];
  if (!(west < east && bottom < top))
    throw new JobFailure(
      'invalidCoordinates',
      `${name} is not on Earth in ${crs.name}, or nearer to a pole than web maps go. Check its georeference, and set the right coordinate system of the input in the task.`,
    );
  return { box: [west, bottom, east, top], isCut: bottom - south > 1 || north - top > 1 };
}

/** Of a sheet that is as wide, nothing is known of where it begins. */
const maxTurn = 0.9 * 2 * halfWorld;

/**
 * From the west to the east of some places, which are less than half the world from a middle: of a sheet that crosses 180°, the
 * east is beyond it.
 */
function longitudesOf(at: Float64Array, middle: number): [west: number, east: number] {
  let [west, east, min, max] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < at.length; i += 2) {
    const x = at[i]!;
    if (Number.isNaN(x) || Number.isNaN(at[i + 1]!)) continue;
    const turned = Math.abs(x - middle) > halfWorld ? x - Math.sign(x - middle) * 2 * halfWorld : x;
    [west, east] = [Math.min(west, turned), Math.max(east, turned)];
    [min, max] = [Math.min(min, x), Math.max(max, x)];
  }
  if (max - min >= maxTurn && east - west >= maxTurn) [west, east] = [min, max];
  if (east - west >= 2 * halfWorld - 1) return [-halfWorld, halfWorld];
  const turns = Math.floor((west + halfWorld) / (2 * halfWorld)) * 2 * halfWorld;
  return [west - turns, east - turns];
}

/** The size of a pixel in the middle of the sheet, in metres of web mercator; around a pole, at its edge. */
export function metresInMercator(sheet: SheetPlace): number {
  const hasPole = polesWithin(sheet, sheet.crs).length > 0;
  const positions = hasPole ? edgeMiddlePositions(sheet) : middlePositions(sheet);
  const at = toMercator(positions, sheet.crs);
  const [x, y] = [at[0]!, at[1]!];
  return Math.min(Math.hypot(at[2]! - x, at[3]! - y), Math.hypot(at[4]! - x, at[5]! - y));
}

/** Where pixels of a square of a zoom lie in the sheet. */
export function placesInSheet(
  sheet: SheetPlace,
  { zoom, left, top }: { readonly zoom: number; readonly left: number; readonly top: number },
): Transform {
  const metres = pixelMetres(zoom);
  const toPixels = createPixelFinder(sheet, sheet.crs);
  return (at) => {
    for (let i = 0; i < at.length; i += 2) {
      const x = (at[i]! + left) * metres - halfWorld;
      const y = halfWorld - (at[i + 1]! + top) * metres;
      at[i] = degrees(x / earthRadius);
      at[i + 1] = degrees(2 * Math.atan(Math.exp(y / earthRadius)) - Math.PI / 2);
    }
    toPixels(at);
  };
}

/** How many columns and rows of the sheet a pixel of a zoom is wide and high, in the middle of the sheet. */
export function scaleInSheet(
  sheet: SheetPlace & { readonly box: MercatorBox },
  zoom: number,
): [across: number, down: number] {
  const metres = pixelMetres(zoom);
  const [west, south, east, north] = sheet.box;
  const left = Math.floor(((west + east) / 2 + halfWorld) / metres);
  const top = Math.floor((halfWorld - (south + north) / 2) / metres);
  const at = Float64Array.of(0.5, 0.5, 1.5, 0.5, 0.5, 1.5);
  placesInSheet(sheet, { zoom, left, top })(at);
  const across = Math.hypot(at[2]! - at[0]!, at[4]! - at[0]!);
  const down = Math.hypot(at[3]! - at[1]!, at[5]! - at[1]!);
  return [limitScale(across), limitScale(down)];
}

/** Sheets that are far finer than the image would need all of their pixels at once. */
const maxScale = 16;

function limitScale(scale: number): number {
  return Number.isFinite(scale) ? Math.min(maxScale, Math.max(1 / maxScale, scale)) : 1;
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

/** Replaces positions in a CRS by metres. */
function toMercator(positions: Float64Array, crs: Crs): Float64Array {
  if (crs.kind !== 'lonLat') crs.toLonLat(positions, positions.length / 2);
  for (let i = 0; i < positions.length; i += 2) {
    const [lon, lat] = [(positions[i]! * Math.PI) / 180, (positions[i + 1]! * Math.PI) / 180];
    positions[i] = lon * earthRadius;
    positions[i + 1] = Math.log(Math.tan(Math.PI / 4 + lat / 2)) * earthRadius;
  }
  return positions;
}
