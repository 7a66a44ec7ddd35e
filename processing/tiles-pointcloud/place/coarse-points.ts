import { readPointPlaces } from '@platen/formats/tiles-3d/read-point-places';
import { unpackMeshopt } from '@platen/formats/mesh/unpack-meshopt';
import { unpackMember } from '@platen/formats/zip/pack-member';
import { compareCells } from '@platen/geo/point-tree/cloud';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { fromLocal } from '@platen/geo/geodesy/local-frame';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { readInto } from '../../kit/scratch-file.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import type { MadeTile } from '../tasks.ts';
import type { RootCube } from './root-cube.ts';

export interface CoarsePoints {
  /** Longitude and latitude of each, in degrees; longitudes beyond ±180 where the cloud crosses the antimeridian. */
  readonly places: Float64Array;
  /** In metres above the ellipsoid. */
  readonly heights: Float64Array;
}

/** @param min points that are enough @param max points that fit into memory */
export interface SampleSize {
  readonly min: number;
  readonly max: number;
}

/** Points of the uppermost levels, all over the cloud: the same however its tree was made. */
export async function readCoarsePoints(
  tiles: readonly MadeTile[],
  { frame }: RootCube,
  { size, signal }: { readonly size: SampleSize; readonly signal: AbortSignal },
): Promise<CoarsePoints> {
  await MeshoptDecoder.ready;
  const taken = coarsestTiles(tiles, size);
  const count = taken.reduce((sum, tile) => sum + tile.count, 0);
  const [places, heights] = [new Float64Array(2 * count), new Float64Array(count)];
  const [middle] = geodeticOf(fromLocal(frame, [0, 0, 0]));
  let next = 0;
  for (const tile of taken) {
    await takeTurn(signal);
    const metres = await readPointPlaces(contentOf(tile), unpackMeshopt);
    for (let at = 0; at < metres.length; at += 3) {
      const [lon, lat, height] = geodeticOf(
        fromLocal(frame, [metres[at]!, metres[at + 1]!, metres[at + 2]!]),
      );
      places[next * 2] = lon - 360 * Math.round((lon - middle) / 360);
      places[next * 2 + 1] = lat;
      heights[next++] = height;
    }
  }
  return { places, heights };
}

function contentOf({ content }: MadeTile): Uint8Array {
  const { packing, range } = content!;
  const bytes = new Uint8Array(range.end - range.start);
  readInto(bytes, 0, range);
  return unpackMember({ packing, bytes });
}

/** Of levels, the coarsest first, until they have enough points: every tile, or every so many of a level that has too many. */
export function coarsestTiles<Tile extends Pick<MadeTile, 'cell' | 'content' | 'count'>>(
  tiles: readonly Tile[],
  { min, max }: SampleSize,
): Tile[] {
  const levels = Map.groupBy(
    tiles.filter(({ content }) => content !== undefined),
    ({ cell }) => cell.level,
  );
  const taken: Tile[] = [];
  let points = 0;
  for (const level of [...levels.keys()].toSorted((a, b) => a - b)) {
    if (points >= min) break;
    const own = levels.get(level)!.toSorted((one, other) => compareCells(one.cell, other.cell));
    const count = own.reduce((sum, tile) => sum + tile.count, 0);
    const stride = Math.ceil(count / (max - points));
    for (const [i, tile] of own.entries()) {
      if (i % stride > 0) continue;
      taken.push(tile);
      points += tile.count;
    }
  }
  return taken;
}
