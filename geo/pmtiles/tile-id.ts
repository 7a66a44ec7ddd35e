import { hilbertCell, hilbertOf } from '../hilbert/hilbert.ts';

/** Ids are exact in a double up to this zoom. */
export const maxIdZoom = 26;

/** The id of the first tile of a zoom: the number of tiles of all lower zooms. */
export function firstTileId(zoom: number): number {
  return (4 ** zoom - 1) / 3;
}

/** Ids run zoom by zoom, along the Hilbert curve within each. PMTiles v3, "Tile ID". */
export function tileIdOf(z: number, x: number, y: number): number {
  return firstTileId(z) + hilbertOf(z, x, y);
}

/** Inverse of tileIdOf. */
export function tileOfId(id: number): [z: number, x: number, y: number] {
  let z = 0;
  while (firstTileId(z + 1) <= id) z++;
  return [z, ...hilbertCell(z, id - firstTileId(z))];
}
