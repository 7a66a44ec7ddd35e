/** Where pixels of a square lie in another image, of which the middle of the first pixel is at 0.5. */
export interface PixelPlaces {
  /** Pixels a side. */
  readonly side: number;
  /** Pixels between the nodes of the grid. */
  readonly step: number;
  /** Nodes on a side; the last are beyond the square. */
  readonly count: number;
  /** Column and row at each node; between them they are linear along rows and columns. */
  readonly places: Float64Array;
}

/** Replaces columns and rows of the square, in pairs, by those in the other image; NaN where there are none. */
export type Transform = (places: Float64Array) => void;

/** Pixels that places may be off by. */
const tolerance = 0.125;
const widestStep = 64;

/** Transforms pixels at the nodes of a grid, which is halved until the middles of its cells are right. */
export function placePixels(side: number, transform: Transform): PixelPlaces {
  for (let step = Math.min(widestStep, side); ; step /= 2) {
    const nodes = nodesAt({ side, step, shift: 0 });
    transform(nodes.places);
    if (step === 1) return { side, ...nodes };
    const middles = nodesAt({ side, step, shift: step / 2 });
    transform(middles.places);
    if (areClose(nodes, middles)) return { side, ...nodes };
  }
}

interface Nodes {
  /** On a side. */
  readonly count: number;
  readonly step: number;
  readonly places: Float64Array;
}

function nodesAt({
  side,
  step,
  shift,
}: {
  readonly side: number;
  readonly step: number;
  readonly shift: number;
}): Nodes {
  const count = side / step + (shift === 0 ? 1 : 0);
  const places = new Float64Array(count * count * 2);
  for (let row = 0, at = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      places[at++] = column * step + shift + 0.5;
      places[at++] = row * step + shift + 0.5;
    }
  }
  return { count, step, places };
}

function areClose({ count, places }: Nodes, middles: Nodes): boolean {
  for (let row = 0, middle = 0; row < middles.count; row++) {
    for (let column = 0; column < middles.count; column++) {
      const at = (row * count + column) * 2;
      for (let axis = 0; axis < 2; axis++, middle++) {
        const corners = [at, at + 2, at + count * 2, at + count * 2 + 2].map((node) => places[node + axis]!);
        const mean = corners.reduce((sum, corner) => sum + corner) / 4;
        const exact = middles.places[middle]!;
        const isNowhere = Number.isNaN(exact) && corners.every(Number.isNaN);
        if (!isNowhere && !(Math.abs(mean - exact) <= tolerance)) return false;
      }
    }
  }
  return true;
}
