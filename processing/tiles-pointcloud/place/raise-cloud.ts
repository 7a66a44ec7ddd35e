import { readPointPlaces } from '@platen/formats/tiles-3d/read-point-places';
import { geodeticOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { unpackMember } from '@platen/formats/zip/pack-member';
import { fromLocal, localFrameAt } from '@platen/geo/geodesy/local-frame';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { HeightMode } from '../../heights/height-mode.ts';
import type { JobContext } from '../../job-type.ts';
import { readInto } from '../../kit/scratch-file.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import { unpackMeshopt } from '@platen/formats/mesh/unpack-meshopt';
import type { PlacedTerrain } from '../../terrain-source/find-terrain.ts';
import { terrainHeights } from '../../terrain-source/terrain-heights.ts';
import type { MadeTile } from '../tasks.ts';
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
}

/**
 * Puts a cloud onto the ellipsoid or onto terrain by the points of its coarsest tiles, which are spread evenly. Only the root's transform depends on
 * it, so that updates need no other tiles. @returns undefined where the cloud stays where it is
 */
export async function findRise(
  tiles: readonly MadeTile[],
  { mode, offset, terrain, root }: Raising,
  context: Pick<JobContext, 'warn' | 'signal'>,
): Promise<Rise | undefined> {
  if (mode === 'ellipsoid' || mode === 'asGiven') return undefined;
  const points = await coarsestPoints(tiles, root, context.signal);
  const height = terrain ? await heightAbove(terrain, points) : quantileOf([...points.heights], lowShare);
  if (height === undefined) {
    context.warn(
      'outsideTerrain',
      `None of the points lies where ${terrain!.source.name} has data: they stand at the heights of the files.`,
    );
    return undefined;
  }
  const metres = offset - height;
  const { up } = localFrameAt(points.middle[0], points.middle[1], 0);
  const [x, y, z] = up;
  return { metres, vector: [x * metres, y * metres, z * metres] };
}

interface GroundPoints {
  /** Longitude and latitude of each, in degrees. */
  readonly places: Float64Array;
  /** In metres above the ellipsoid. */
  readonly heights: Float64Array;
  readonly middle: readonly [lon: number, lat: number];
}

const [minPoints, maxPoints] = [50_000, 300_000];

/** All points of the uppermost levels, which are the same however the tree was made. */
async function coarsestPoints(
  tiles: readonly MadeTile[],
  { frame }: RootCube,
  signal: AbortSignal,
): Promise<GroundPoints> {
  await MeshoptDecoder.ready;
  const [places, heights]: [number[], number[]] = [[], []];
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (const tile of coarsestTiles(tiles)) {
    await takeTurn(signal);
    const metres = await readPointPlaces(contentOf(tile), unpackMeshopt);
    for (let at = 0; at < metres.length; at += 3) {
      const place = geodeticOf(fromLocal(frame, [metres[at]!, metres[at + 1]!, metres[at + 2]!]));
      heights.push(place[2]);
      for (const axis of [0, 1]) {
        places.push(place[axis]!);
        low[axis] = Math.min(low[axis]!, place[axis]!);
        high[axis] = Math.max(high[axis]!, place[axis]!);
      }
    }
  }
  return {
    places: Float64Array.from(places),
    heights: Float64Array.from(heights),
    middle: [(low[0]! + high[0]!) / 2, (low[1]! + high[1]!) / 2],
  };
}

function contentOf({ content }: MadeTile): Uint8Array {
  const { packing, range } = content!;
  const bytes = new Uint8Array(range.end - range.start);
  readInto(bytes, 0, range);
  return unpackMember({ packing, bytes });
}

/** Of whole levels, until they have enough points. */
function coarsestTiles(tiles: readonly MadeTile[]): MadeTile[] {
  const levels = new Map<number, MadeTile[]>();
  for (const tile of tiles)
    if (tile.content !== undefined)
      levels.set(tile.cell.level, [...(levels.get(tile.cell.level) ?? []), tile]);
  const taken: MadeTile[] = [];
  let points = 0;
  for (const level of [...levels.keys()].toSorted((a, b) => a - b)) {
    const own = levels.get(level)!;
    const count = own.reduce((sum, tile) => sum + tile.count, 0);
    if (taken.length > 0 && (points >= minPoints || points + count > maxPoints)) break;
    taken.push(...own);
    points += count;
  }
  return taken;
}

/** The share of points that may lie deeper than the ground: errors, mostly. */
const lowShare = 0.005;
/** Parts of a cloud along its sides, in each of which the lowest points are ground. */
const gridSide = 16;

/** How far ground is above terrain in most parts of a cloud; undefined if it is beside it. */
async function heightAbove(
  terrain: PlacedTerrain,
  { places, heights }: GroundPoints,
): Promise<number | undefined> {
  const beneath = await terrainHeights(terrain, places);
  const [west, east] = rangeOf(places, 0);
  const [south, north] = rangeOf(places, 1);
  const cells = new Map<number, number[]>();
  const partOf = (value: number, low: number, high: number): number =>
    Math.min(gridSide - 1, Math.floor(((value - low) / (high - low || 1)) * gridSide));
  for (const [i, height] of heights.entries()) {
    const above = height - beneath[i]!;
    if (Number.isNaN(above)) continue;
    const cell = partOf(places[i * 2]!, west, east) * gridSide + partOf(places[i * 2 + 1]!, south, north);
    const own = cells.get(cell);
    if (own) own.push(above);
    else cells.set(cell, [above]);
  }
  if (cells.size === 0) return undefined;
  return quantileOf(
    [...cells.values()].map((own) => quantileOf(own, lowShare)),
    0.5,
  );
}

function rangeOf(places: Float64Array, axis: 0 | 1): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = axis; i < places.length; i += 2) {
    low = Math.min(low, places[i]!);
    high = Math.max(high, places[i]!);
  }
  return [low, high];
}

function quantileOf(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  return values[Math.floor(values.length * share)]!;
}
