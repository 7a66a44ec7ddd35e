import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import type { Matrix } from '@platen/geo/geodesy/matrix';
import type { HeightOptions } from '../heights/height-options.ts';
import { openHeights, type OpenedHeights } from '../heights/open-heights.ts';
import type { JobContext } from '../job-type.ts';
import type { PlacementOptions } from './placement-options.ts';

/** A place on the globe at which upright data stand as a rigid body. */
export interface Anchor {
  /** From their coordinates to EPSG:4978. */
  readonly matrix: Matrix;
  readonly heights: OpenedHeights;
}

interface AnchorContext {
  readonly placement: PlacementOptions;
  readonly heights: HeightOptions;
  readonly context: Pick<JobContext, 'inputs' | 'warn' | 'geoidFolder'>;
}

/** Scales, turns and moves data by their placement at a longitude and latitude. @throws JobFailure if its height cannot be used */
export async function openAnchor(
  [lon, lat]: readonly [number, number],
  { placement, heights: options, context }: AnchorContext,
): Promise<Anchor> {
  const { height = 0, heading = 0, scale = 1 } = placement;
  const vertical =
    options.vertical === undefined || options.vertical === 'auto' ? 'ellipsoid' : options.vertical;
  const heights = await openHeights({ ...options, vertical }, { vertical: undefined }, context);
  const level = Float64Array.of(lon, lat, height);
  heights.toEllipsoid(level, 1);
  const { origin, east, north, up } = localFrameAt(lon, lat, level[2]!);
  const [sin, cos] = [Math.sin((heading * Math.PI) / 180), Math.cos((heading * Math.PI) / 180)];
  const x = east.map((value, axis) => (value * cos - north[axis]! * sin) * scale);
  const y = east.map((value, axis) => (value * sin + north[axis]! * cos) * scale);
  const z = up.map((value) => value * scale);
  return { matrix: [...x, 0, ...y, 0, ...z, 0, ...origin, 1], heights };
}
