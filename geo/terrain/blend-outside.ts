/** Lengths of steps to a neighbour and to a diagonal one, as whole numbers so that sums are exact. */
const straight = 5;
const diagonal = 7;

export interface OutsideBlend {
  /** Cells on a side of the square. */
  readonly side: number;
  /** Cells until the heights of the outside hold alone. */
  readonly blend: number;
  /** Cells at the edges of the square that only the distances of others need: they stay as they are. */
  readonly rim: number;
  /** The height of the outside at a cell. */
  readonly outsideAt: (column: number, row: number) => number;
}

/**
 * Gives cells without a value the height of the outside, led there from the nearest value in a smooth ramp, so that no wall
 * stands at the edge of the data. Values further than the blend have no effect: squares that overlap agree.
 */
export function blendOutside(cells: Float32Array, { side, blend, rim, outsideAt }: OutsideBlend): void {
  const distances = new Uint16Array(cells.length);
  const nearest = Float32Array.from(cells);
  for (let i = 0; i < cells.length; i++) if (Number.isNaN(cells[i]!)) distances[i] = 0xffff;
  spread({ distances, nearest, side }, 1);
  spread({ distances, nearest, side }, -1);
  for (let row = rim; row < side - rim; row++) {
    for (let column = rim, i = row * side + rim; column < side - rim; column++, i++) {
      if (distances[i] === 0) continue;
      const outside = outsideAt(column, row);
      const away = distances[i]! / straight / (blend + 1);
      const ramp = away >= 1 ? 0 : 1 - away * away * (3 - 2 * away);
      cells[i] = ramp === 0 ? outside : outside + (nearest[i]! - outside) * ramp;
    }
  }
}

interface Spread {
  readonly distances: Uint16Array;
  readonly nearest: Float32Array;
  readonly side: number;
}

/** One pass of a chamfer distance transform (Borgefors 1986). @param direction 1: from the north-west, -1: back */
function spread({ distances, nearest, side }: Spread, direction: 1 | -1): void {
  const count = distances.length;
  const line = direction * side;
  for (let n = 0, column = 0; n < count; n++) {
    const i = direction === 1 ? n : count - 1 - n;
    const [hasBefore, hasAfter, hasLine] = [column > 0, column < side - 1, n >= side];
    column = hasAfter ? column + 1 : 0;
    let best = distances[i]!;
    if (best === 0) continue;
    let from = i;
    let distance = hasBefore ? distances[i - direction]! + straight : Infinity;
    if (distance < best) [best, from] = [distance, i - direction];
    distance = hasLine ? distances[i - line]! + straight : Infinity;
    if (distance < best) [best, from] = [distance, i - line];
    distance = hasLine && hasBefore ? distances[i - line - direction]! + diagonal : Infinity;
    if (distance < best) [best, from] = [distance, i - line - direction];
    distance = hasLine && hasAfter ? distances[i - line + direction]! + diagonal : Infinity;
    if (distance < best) [best, from] = [distance, i - line + direction];
    if (from === i) continue;
    distances[i] = best;
    nearest[i] = nearest[from]!;
  }
}
