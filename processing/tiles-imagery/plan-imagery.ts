import { JobFailure, type JobContext } from '../job-type.ts';
import { degreesOf, zoomOf } from '../raster-source/mercator-frame.ts';
import type { MosaicSheet } from '../raster-source/mosaic-sheet.ts';
import { maxUnits, planUnits, type BaseUnit } from '../raster-source/plan-units.ts';
import { reachedBoxes } from '../raster-source/sheet-kernels.ts';
import type { PyramidShape } from '../raster-source/zoom-layers.ts';
import { tileSide } from './encode-square.ts';
import type { Settings } from './settings.ts';

export interface ImageryPlan {
  readonly shape: PyramidShape;
  /** The highest zoom with tiles. */
  readonly maxZoom: number;
  readonly base: readonly BaseUnit[];
  /** West, south, east, north in degrees. */
  readonly bbox: [west: number, south: number, east: number, north: number];
}

const highestZoom = 24;
/** From here on, the sheets lie so far apart that somebody may have mistaken a place. */
const farApart = 50;

/** The zooms and units of a pyramid as fine as the finest sheet. @param depth zooms of a unit. @throws JobFailure */
export function planImagery(
  sheets: readonly MosaicSheet[],
  {
    depth,
    settings,
    context,
  }: { readonly depth: number; readonly settings: Settings; readonly context: JobContext },
): ImageryPlan {
  const natural = zoomOf(Math.min(...sheets.map(({ metres }) => metres)));
  const maxZoom = settings.maxZoom ?? Math.min(highestZoom, Math.max(natural, settings.minZoom));
  // pixels are means of those of the finest zoom, whatever zooms are asked for
  const baseZoom = Math.min(highestZoom, Math.max(natural, maxZoom));
  const shape = { grid: { kind: 'mercator', side: tileSide } as const, baseZoom, depth };
  const reached = reachedBoxes(sheets, settings.resampling, baseZoom);
  const base = planUnits(
    shape,
    reached.map((box) => ({ box: degreesOf(box) })),
  );
  if (!base)
    throw new JobFailure(
      'tooLarge',
      `The sheets cover so much that tiles at the resolution of the finest one (${sheets[0]!.name}) would be more than ${maxUnits}. Make tiles of fine and coarse sheets in tasks of their own.`,
    );
  const bbox = sheets.map(({ box }) => degreesOf(box)).reduce(unionOf);
  warnOfGaps(sheets, context);
  return { shape, maxZoom, base, bbox };
}

type Box = [west: number, south: number, east: number, north: number];

function unionOf(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** Says which sheets are at the edges, if the area around all is far larger than the sheets. */
function warnOfGaps(sheets: readonly MosaicSheet[], { log }: JobContext): void {
  const boxes = sheets.map(({ box }) => [...box] as Box);
  const whole = boxes.reduce(unionOf);
  const areaOf = ([west, south, east, north]: Box): number => (east - west) * (north - south);
  const factor = areaOf(whole) / boxes.reduce((sum, box) => sum + areaOf(box), 0);
  if (factor <= farApart) return;
  const at = (edge: 0 | 1 | 2 | 3): string => sheets.find(({ box }) => box[edge] === whole[edge])!.name;
  log(
    'warning',
    `The area around all sheets is ${Math.round(factor)} times as large as the sheets. The westernmost sheet is ${at(0)}, the easternmost ${at(2)}, the southernmost ${at(1)}, the northernmost ${at(3)}.`,
  );
}
