import type { Vector } from '@platen/geo/geodesy/geocentric';
import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import type { HeightMode } from '../../heights/height-mode.ts';
import type { JobContext, JobFailure } from '../../job-type.ts';
import type { PlacedTerrain } from '../../terrain-source/find-terrain.ts';
import { terrainHeights } from '../../terrain-source/terrain-heights.ts';
import type { MadeTile } from '../tasks.ts';
import { readCoarsePoints, type CoarsePoints } from './coarse-points.ts';
import { groundsOf, rangeOf } from './find-ground.ts';
import type { RootCube } from './root-cube.ts';

/** How a cloud is moved as a whole: upwards, where its middle is. */
export interface Rise {
  readonly metres: number;
  /** In EPSG:4978. */
  readonly vector: Vector;
}

interface Raising {
  readonly mode: HeightMode;
  /** Of the ground above what it is put onto, in metres. */
  readonly offset: number;
  readonly terrain: PlacedTerrain | undefined;
  readonly root: RootCube;
  /** A damaged tile of the terrain fails the job. */
  readonly strict: boolean;
}

const sampleSize = { min: 50_000, max: 300_000 };

/**
 * Puts a cloud onto the ellipsoid or onto terrain by points of its coarsest tiles, which lie all over it. Only the root's
 * transform depends on it, so that updates need no other tiles. @returns undefined where the cloud stays where it is
 */
export async function findRise(
  tiles: readonly MadeTile[],
  { mode, offset, terrain, root, strict }: Raising,
  context: Pick<JobContext, 'warn' | 'signal'>,
): Promise<Rise | undefined> {
  if (mode === 'ellipsoid' || mode === 'asGiven') return undefined;
  const points = await readCoarsePoints(tiles, root, { size: sampleSize, signal: context.signal });
  const onDamaged = ({ message }: JobFailure): void =>
    context.warn('unreadableSheet', `${message} The coarser tile above it counts instead.`, {
      file: terrain!.source.name,
    });
  const height = terrain
    ? await heightAbove(terrain, points, strict ? undefined : onDamaged)
    : lowestGround(points);
  if (height === undefined)
    context.warn(
      'outsideTerrain',
      `None of the points lies where ${terrain!.source.name} has data: they stand at the heights of the files.`,
    );
  const metres = offset - (height ?? 0);
  if (metres === 0) return undefined;
  const [lon, lat] = [rangeOf(points.places, 0), rangeOf(points.places, 1)].map(
    ({ low, high }) => (low + high) / 2,
  );
  const [x, y, z] = localFrameAt(lon!, lat!, 0).up;
  return { metres, vector: [x * metres, y * metres, z * metres] };
}

/** The share of parts whose ground may lie deeper: what is taken for ground there may be none. */
const lowShare = 0.02;

/** What the lowest parts of a cloud stand on. */
const lowestGround = ({ places, heights }: CoarsePoints): number =>
  quantileOf(groundsOf(places, heights), lowShare);

/** How far ground is above terrain in most parts of a cloud; undefined if it is beside it. */
async function heightAbove(
  terrain: PlacedTerrain,
  { places, heights }: CoarsePoints,
  onDamaged: ((failure: JobFailure) => void) | undefined,
): Promise<number | undefined> {
  const beneath = await terrainHeights(terrain, places, onDamaged);
  const above = heights.map((height, i) => height - beneath[i]!);
  const grounds = groundsOf(places, above);
  return grounds.length === 0 ? undefined : quantileOf(grounds, 0.5);
}

const quantileOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
