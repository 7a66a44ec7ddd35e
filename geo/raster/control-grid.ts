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

/**
 * Transforms pixels at the nodes of a grid, which is halved until the middles of its cells and of their edges are right. The
 * middles of cells are not enough: where a transform keeps angles, as most from one map to another do nearly, what it bends along
 * rows and along columns cancels out there.
 */
export function placePixels(side: number, transform: Transform): PixelPlaces {
  for (let step = Math.min(widestStep, side); ; step /= 2) {
    const count = side / step + 1;
    const at = (columns: number, rows: number): Nodes => nodesAt({ step, count, columns, rows, transform });
    const nodes = at(count, count);
    const { places } = nodes;
    if (step === 1) return { side, step, count, places };
    if (
      areClose(nodes, at(count - 1, count - 1)) &&
      areClose(nodes, at(count - 1, count)) &&
      areClose(nodes, at(count, count - 1))
    )
      return { side, step, count, places };
  }
}

/** Nodes, or middles between them: of those there is one less across, down or both. */
interface Nodes {
  readonly columns: number;
  readonly rows: number;
  readonly places: Float64Array;
}

interface NodesOptions {
  readonly step: number;
  /** Of nodes on a side. */
  readonly count: number;
  readonly columns: number;
  readonly rows: number;
  readonly transform: Transform;
}

function nodesAt({ step, count, columns, rows, transform }: NodesOptions): Nodes {
  const places = new Float64Array(columns * rows * 2);
  const [right, down] = [columns < count ? step / 2 : 0, rows < count ? step / 2 : 0];
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      places[at++] = column * step + right + 0.5;
      places[at++] = row * step + down + 0.5;
    }
  }
  transform(places);
  return { columns, rows, places };
}

function areClose({ columns, rows, places }: Nodes, middles: Nodes): boolean {
  const right = middles.columns < columns ? 2 : 0;
  const down = middles.rows < rows ? columns * 2 : 0;
  for (let row = 0, middle = 0; row < middles.rows; row++) {
    for (let column = 0; column < middles.columns; column++) {
      const at = (row * columns + column) * 2;
      for (let axis = 0; axis < 2; axis++, middle++) {
        const corners = [at, at + right, at + down, at + right + down].map((node) => places[node + axis]!);
        const mean = corners.reduce((sum, corner) => sum + corner) / 4;
        const exact = middles.places[middle]!;
        const isNowhere = Number.isNaN(exact) && corners.every(Number.isNaN);
        if (!isNowhere && !(Math.abs(mean - exact) <= tolerance)) return false;
      }
    }
  }
  return true;
}
