import { JobFailure } from '../../job-type.ts';
import type { PlannedSheet } from '../plan-sheets.ts';
import { maxUnits, planUnits, type BaseUnit } from '../../raster-source/plan-units.ts';
import type { PyramidShape } from '../../raster-source/zoom-layers.ts';
import { maxBaseZoom, naturalZoomOf } from './natural-zoom.ts';
import { makesLineFile, type Settings } from '../settings.ts';
import type { Setup } from '../tasks.ts';

/** A unit of a vector tile is a decimetre there. */
const maxContourZoom = 16;

/** Cells of 64 a side make meshes of 65 vertices a side, and of 256 a side images. */
export function shapeOf(
  { kind, format, maxZoom }: Pick<Settings, 'kind' | 'format' | 'maxZoom'>,
  sheets: readonly PlannedSheet[],
): PyramidShape {
  const isMesh = kind === 'quantizedMesh';
  const grid = isMesh
    ? ({ kind: 'geographic', side: 64 } as const)
    : ({ kind: 'mercator', side: 256 } as const);
  const finest = Math.min(
    ...sheets.map(({ pixelDegrees, box }) => {
      const middle = ((box[1] + box[3]) / 2) * (Math.PI / 180);
      // cells of web mercator are smaller away from the equator
      return isMesh ? pixelDegrees : pixelDegrees / Math.max(0.05, Math.cos(middle));
    }),
  );
  const natural = naturalZoomOf(finest, isMesh ? 180 : 360, grid.side);
  const highest = kind === 'contours' && !makesLineFile({ format }) ? maxContourZoom : maxBaseZoom;
  const baseZoom = Math.min(highest, Math.max(0, natural, maxZoom ?? 0));
  return { grid, baseZoom, depth: isMesh ? 4 : 2 };
}

/** The highest zoom that has tiles. */
export function highestZoomOf({ shape, settings }: Pick<Setup, 'shape' | 'settings'>): number {
  return Math.min(shape.baseZoom, settings.maxZoom ?? shape.baseZoom);
}

/** Along the Hilbert curve. @throws JobFailure if there are too many */
export function planTerrainUnits(shape: PyramidShape, sheets: readonly PlannedSheet[]): BaseUnit[] {
  const units = planUnits(shape, sheets);
  if (units) return units;
  throw new JobFailure(
    'tooLarge',
    `The sheets cover so much that terrain at the resolution of the finest one (${sheets[0]!.name}) would have more than ${maxUnits * 64} tiles. Make terrain of fine and coarse sheets apart.`,
  );
}
