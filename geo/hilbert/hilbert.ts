/**
 * The Hilbert curve over a square of 2^order × 2^order cells, as PMTiles walks it. Plain numbers, exact up to
 * order 26; 32-bit operators would overflow from order 16 on.
 */

/** The index of cell x, y along the curve. */
export function hilbertOf(order: number, x: number, y: number): number {
  let place = 0;
  for (let side = 2 ** (order - 1); side >= 1; side /= 2) {
    const right = x >= side;
    const low = y >= side;
    if (right) x -= side;
    if (low) y -= side;
    place += side * side * (right ? (low ? 2 : 3) : low ? 1 : 0);
    if (!low) {
      if (right) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      const swapped = x;
      x = y;
      y = swapped;
    }
  }
  return place;
}

/** Inverse of hilbertOf: the cell at an index. */
export function hilbertCell(order: number, place: number): [x: number, y: number] {
  let x = 0;
  let y = 0;
  const sides = 2 ** order;
  for (let side = 1; side < sides; side *= 2) {
    const quarter = place % 4;
    place = (place - quarter) / 4;
    const right = quarter >= 2;
    const low = quarter === 1 || quarter === 2;
    if (!low) {
      if (right) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      const swapped = x;
      x = y;
      y = swapped;
    }
    if (right) x += side;
    if (low) y += side;
  }
  return [x, y];
}
