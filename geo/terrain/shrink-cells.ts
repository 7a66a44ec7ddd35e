/**
 * Puts the means of two by two cells into a quarter of a block of the zoom above. Cells without a value do not count; without any,
 * there is none.
 * @param quarter 0 to 3: north-west, north-east, south-west, south-east
 * @returns whether any cell has a value
 */
export function shrinkCells(cells: Float32Array, target: Float32Array, quarter: number): boolean {
  const side = Math.sqrt(cells.length);
  const half = side / 2;
  const corner = (quarter >> 1) * half * side + (quarter & 1) * half;
  let hasValues = false;
  for (let row = 0; row < half; row++) {
    for (let column = 0; column < half; column++) {
      const upper = 2 * row * side + 2 * column;
      const lower = upper + side;
      let mean = (cells[upper]! + cells[upper + 1]! + (cells[lower]! + cells[lower + 1]!)) / 4;
      if (mean !== mean)
        mean = meanOfSome([cells[upper]!, cells[upper + 1]!, cells[lower]!, cells[lower + 1]!]);
      hasValues ||= mean === mean;
      target[corner + row * side + column] = mean;
    }
  }
  return hasValues;
}

function meanOfSome(values: readonly number[]): number {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? NaN : sum / count;
}
