/** Cells on a side of a tile; vertices lie at their corners. */
export const cellsPerTile = 64;
export const verticesPerSide = cellsPerTile + 1;

/** A tile of the geographic grid of two by one tiles at zoom 0; rows count from the north. */
export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Degrees on a side. */
export function tileDegrees(z: number): number {
  return 180 / 2 ** z;
}

/** The longitude of a vertex: every tile gives the same number for the same meridian. */
export function longitudeOfVertex({ z, x }: TilePlace, column: number): number {
  return (x * cellsPerTile + column) * (tileDegrees(z) / cellsPerTile) - 180;
}

/** The latitude of a vertex: every tile gives the same number for the same parallel. */
export function latitudeOfVertex({ z, y }: TilePlace, row: number): number {
  return 90 - (y * cellsPerTile + row) * (tileDegrees(z) / cellsPerTile);
}

/** Metres that a tile may differ from the heights by, as Cesium expects it of a zoom. */
export function geometricErrorOf(z: number): number {
  return 77_067.34 / 2 ** z;
}
