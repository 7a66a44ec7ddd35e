import { cellsPerTile, verticesPerSide as side } from './tile-grid.ts';

/** A tile's cells and one more on every side. */
export const windowSide = cellsPerTile + 2;

export interface VertexSurface {
  /** Metres. */
  readonly heights: Float64Array;
  /** Metres from cell to cell, towards the east and towards the north. */
  readonly eastward: Float32Array;
  readonly northward: Float32Array;
}

/**
 * The heights at the corners of cells: means of the four cells around them, so that tiles with a common edge agree there.
 * @param cells of a window; all have values
 */
export function fillVertices(cells: Float32Array, { heights, eastward, northward }: VertexSurface): void {
  for (let row = 0, at = 0; row < side; row++) {
    for (let column = 0; column < side; column++, at++) {
      const upper = row * windowSide + column;
      const northWest = cells[upper]!;
      const northEast = cells[upper + 1]!;
      const southWest = cells[upper + windowSide]!;
      const southEast = cells[upper + windowSide + 1]!;
      heights[at] = (northWest + northEast + (southWest + southEast)) / 4;
      eastward[at] = (northEast - northWest + (southEast - southWest)) / 2;
      northward[at] = (northWest - southWest + (northEast - southEast)) / 2;
    }
  }
}

/**
 * Takes the slopes from vertices beside cells without a value: light and shade do not show the ramp that leads from the data
 * to the outside.
 * @param cells of a window; NaN outside of the data
 */
export function levelOutside(cells: Float32Array, { eastward, northward }: VertexSurface): void {
  if (!cells.includes(NaN)) return;
  for (let row = 0, at = 0; row < side; row++) {
    for (let column = 0; column < side; column++, at++) {
      const upper = row * windowSide + column;
      const sum =
        cells[upper]! + cells[upper + 1]! + cells[upper + windowSide]! + cells[upper + windowSide + 1]!;
      if (Number.isNaN(sum)) eastward[at] = northward[at] = 0;
    }
  }
}

export function createVertexSurface(): VertexSurface {
  return {
    heights: new Float64Array(side * side),
    eastward: new Float32Array(side * side),
    northward: new Float32Array(side * side),
  };
}
