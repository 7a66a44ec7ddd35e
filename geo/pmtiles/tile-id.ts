import { hilbertCell, hilbertOf } from '../hilbert/hilbert.ts';

/** Ids stay exact in a double up to here. */
export const highestZoom = 26;

/** How many tiles all zooms below this one have: the id of the first tile of a zoom. */
export function firstTileId(zoom: number): number {
  return (4 ** zoom - 1) / 3;
}

/** The id of a tile: zoom by zoom, along the Hilbert curve within each. PMTiles v3, "Tile ID". */
export function tileIdOf(z: number, x: number, y: number): number {
  return firstTileId(z) + hilbertOf(z, x, y);
}

/** The tile of an id. */
export function tileOfId(id: number): [z: number, x: number, y: number] {
  let z = 0;
  while (firstTileId(z + 1) <= id) z++;
  return [z, ...hilbertCell(z, id - firstTileId(z))];
}
