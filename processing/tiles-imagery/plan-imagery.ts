import { JobFailure, type JobContext } from '../job-type.ts';
import { degreesOf, zoomOf } from '../raster-source/mercator-frame.ts';
import { boxAround, warnIfFarApart } from '../raster-source/far-apart.ts';
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
  /** West, south, east, north in degrees; the east is beyond 180 where sheets cross it. */
  readonly bbox: [west: number, south: number, east: number, north: number];
}

const highestZoom = 24;
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
  warnIfFarApart(sheets, context, () => 'Tiles between them are left out, but maps show the whole area.');
  return { shape, maxZoom, base, bbox: degreesOf(boxAround(sheets)) };
}
