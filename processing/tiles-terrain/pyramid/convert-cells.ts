import type { ConvertHeights } from './sheet-heights.ts';

/** Cells of a square, by the degrees of its columns and rows. */
interface DegreeSquare {
  readonly cells: Float32Array;
  readonly lons: Float64Array;
  readonly lats: Float64Array;
}

/** Points that are converted at a time: more would not be in the cache of the processor. */
const chunkCells = 4096;

/** Creates what converts the heights of some cells where they are. */
export function createCellConverter() {
  const points = new Float64Array(chunkCells * 3);
  return (square: DegreeSquare, numbers: Uint32Array, convert: ConvertHeights): void => {
    for (let first = 0; first < numbers.length; first += chunkCells) {
      const chunk = numbers.subarray(first, first + chunkCells);
      readPoints(points, square, chunk);
      convert(points, chunk.length);
      writeHeights(points, square, chunk);
    }
  };
}

function readPoints(points: Float64Array, { cells, lons, lats }: DegreeSquare, numbers: Uint32Array): void {
  const width = lons.length;
  for (let i = 0, at = 0; i < numbers.length; i++, at += 3) {
    const cell = numbers[i]!;
    const row = Math.floor(cell / width);
    points[at] = lons[cell - row * width]!;
    points[at + 1] = lats[row]!;
    points[at + 2] = cells[cell]!;
  }
}

function writeHeights(points: Float64Array, { cells }: DegreeSquare, numbers: Uint32Array): void {
  for (let i = 0; i < numbers.length; i++) cells[numbers[i]!] = points[i * 3 + 2]!;
}
