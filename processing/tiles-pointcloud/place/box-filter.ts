import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { fromLocal, type LocalFrame } from '@platen/geo/geodesy/local-frame';
import { JobFailure, type JobContext } from '../../job-type.ts';
import type { FoundSheets } from '../sheets/find-sheets.ts';
import type { PointSheet } from '../sheets/sheet.ts';

/** West, south, east, north in degrees; west > east crosses the antimeridian. */
export type Box = readonly [west: number, south: number, east: number, north: number];

type SheetBox = PointSheet['box'];

/** @throws JobFailure if the box has no area */
export function checkBox(box: readonly number[] | undefined): Box | undefined {
  if (box === undefined) return undefined;
  const [west, south, east, north] = box as unknown as Box;
  if (!(south < north) || west === east || Math.max(Math.abs(west), Math.abs(east)) > 180)
    throw new JobFailure(
      'invalidOption',
      '/modelOptions/box: give west, south, east and north in degrees, south below north.',
    );
  return [west, south, east, north];
}

/** Leaves out sheets that lie outside of the box. @throws JobFailure if no other is left */
export function sheetsWithin(
  found: FoundSheets,
  box: Box | undefined,
  { log }: Pick<JobContext, 'log'>,
): FoundSheets {
  if (box === undefined) return found;
  const isWithin = found.sheets.map((sheet) => touches(sheet.box, box));
  const sheets = found.sheets.filter((_, i) => isWithin[i]);
  if (sheets.length === 0)
    throw new JobFailure(
      'nothingUsable',
      `None of the point clouds lies in the box ${box.join(', ')} of the task (west, south, east, north). Draw another one, or leave it out.`,
    );
  const count = found.sheets.length - sheets.length;
  if (count > 0)
    log('info', `${count} of ${found.sheets.length} point clouds lie outside of the box, and are not read.`);
  return { ...found, sheets, contents: found.contents.filter((_, i) => isWithin[i]) };
}

/** Whether a place in metres of the frame lies in the box; undefined if all of the sheet does. */
export function boxFilter(
  frame: LocalFrame,
  sheet: SheetBox,
  box: Box | undefined,
): ((x: number, y: number, z: number) => boolean) | undefined {
  if (box === undefined || encloses(box, sheet)) return undefined;
  const [, south, , north] = box;
  return (x, y, z) => {
    const [lon, lat] = geodeticOf(fromLocal(frame, [x, y, z]));
    return lat >= south && lat <= north && isBetween(lon, box);
  };
}

/** What a box leaves of the extent of the sheets. */
export function clipExtent([west, south, east, north]: SheetBox, box: Box | undefined): SheetBox {
  if (box === undefined) return [west, south, east, north];
  const [low, high] = box[0] < box[2] ? [Math.max(west, box[0]), Math.min(east, box[2])] : [west, east];
  return [low, Math.max(south, box[1]), high, Math.min(north, box[3])];
}

const isBetween = (lon: number, [west, , east]: Box): boolean =>
  west < east ? lon >= west && lon <= east : lon >= west || lon <= east;

function touches([west, south, east, north]: SheetBox, box: Box): boolean {
  if (north < box[1] || south > box[3]) return false;
  return (
    isBetween(west, box) || isBetween(east, box) || (box[0] < box[2] && west <= box[0] && east >= box[2])
  );
}

function encloses(box: Box, [west, south, east, north]: SheetBox): boolean {
  // a sheet that begins and ends within a box across the antimeridian may lie around the earth: points are looked at
  return box[0] < box[2] && south >= box[1] && north <= box[3] && west >= box[0] && east <= box[2];
}
