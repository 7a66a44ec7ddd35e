/** Rings of longitude and latitude; the last position of each may repeat its first. */
export interface DegreeRings {
  readonly coordinates: Float64Array;
  /** For each ring the index behind its last position. */
  readonly ringEnds: ArrayLike<number>;
}

/** A square of cells in degrees; rows count from the north. */
export interface DegreeCells {
  readonly west: number;
  readonly north: number;
  /** Degrees on a side of a cell. */
  readonly step: number;
  /** Cells on a side of the square. */
  readonly side: number;
}

/**
 * Visits the cells whose middles are inside of rings by the even-odd rule, as runs of a row. @param to exclusive
 */
export function eachRunInRings(
  { coordinates, ringEnds }: DegreeRings,
  { west, north, step, side }: DegreeCells,
  onRun: (row: number, from: number, to: number) => void,
): void {
  // A crossing is one number, so that sorting needs no comparator.
  const stride = side + 1;
  const crossings: number[] = [];
  for (let ring = 0, start = 0; ring < ringEnds.length; ring++) {
    const end = ringEnds[ring]!;
    let [x, y] = [coordinates[end * 2 - 2]!, coordinates[end * 2 - 1]!];
    for (let at = start * 2; at < end * 2; at += 2) {
      const [fromX, fromY] = [x, y];
      [x, y] = [coordinates[at]!, coordinates[at + 1]!];
      // rows whose middles lie between the ends of the edge
      const first = Math.max(0, Math.ceil((north - Math.max(fromY, y)) / step - 0.5));
      const last = Math.min(side, Math.ceil((north - Math.min(fromY, y)) / step - 0.5));
      for (let row = first; row < last; row++) {
        const lat = north - (row + 0.5) * step;
        const lon = fromX + ((x - fromX) * (lat - fromY)) / (y - fromY);
        const column = Math.ceil((lon - west) / step - 0.5);
        crossings.push(row * stride + Math.max(0, Math.min(side, column)));
      }
    }
    start = end;
  }
  const sorted = Float64Array.from(crossings).toSorted();
  for (let i = 0; i + 1 < sorted.length; i += 2) {
    const row = Math.floor(sorted[i]! / stride);
    const [from, to] = [sorted[i]! - row * stride, sorted[i + 1]! - row * stride];
    if (to > from) onRun(row, from, to);
  }
}
