import { cellsPerTile as last, verticesPerSide as side } from './tile-grid.ts';

/** A mesh on the grid of a tile. */
export interface GridMesh {
  /** Places in the grid, row by row from the north, in the order in which the triangles first use them. */
  readonly vertices: Uint16Array;
  /** Three vertices each, counter-clockwise seen from above. */
  readonly triangles: Uint16Array;
}

/**
 * A right-triangulated irregular network (Evans, Kirkpatrick and Townsend 2001). Two triangles are halved at the middle of
 * their longest sides until none is off by more than an error. Errors add up along the halvings, so that the mesh is
 * within the error at every vertex of the grid, and not only near the middles that are left out.
 */
export interface Rtin {
  /** @param heights of the grid. @param forced vertices of the edges that the mesh must have */
  measure(heights: Float64Array, forced: Uint8Array): void;
  /** The mesh of the heights last measured. @param maxError below 0: the whole grid */
  mesh(maxError: number): GridMesh;
}

/** After so many, two sides of a triangle are those of a cell. */
const maxHalvings = 2 * Math.log2(last);

export function createRtin(): Rtin {
  const errors = new Float64Array(side * side);
  const numbers = new Int32Array(side * side);
  const vertices = new Uint16Array(side * side);
  const triangles = new Uint16Array(last * last * 6);
  return {
    measure(heights, forced) {
      for (let half = 1; half < last; half *= 2) {
        measureSides(heights, forced, { errors, half });
        measureDiagonals(heights, { errors, half });
      }
    },
    mesh(maxError) {
      numbers.fill(-1);
      let vertexCount = 0;
      let length = 0;
      const use = (vertex: number): void => {
        let number = numbers[vertex]!;
        if (number < 0) {
          number = vertexCount++;
          numbers[vertex] = number;
          vertices[number] = vertex;
        }
        triangles[length++] = number;
      };
      /** The middle of a and b halves the triangle. @param halvings by which it was made */
      const divide = (a: number, b: number, c: number, halvings: number): void => {
        const middle = (a + b) >> 1;
        if (halvings < maxHalvings && errors[middle]! > maxError) {
          divide(c, a, middle, halvings + 1);
          divide(b, c, middle, halvings + 1);
          return;
        }
        use(a);
        use(b);
        use(c);
      };
      const [northWest, northEast] = [0, last];
      const [southWest, southEast] = [last * side, last * side + last];
      divide(northWest, southEast, northEast, 0);
      divide(southEast, northWest, southWest, 0);
      return { vertices: vertices.slice(0, vertexCount), triangles: triangles.slice(0, length) };
    },
  };
}

interface Level {
  readonly errors: Float64Array;
  /** Columns from a vertex to the ends of its side. */
  readonly half: number;
}

/** The middles of horizontal and vertical sides: at the corners of the triangles beside them are finer diagonals. */
function measureSides(heights: Float64Array, forced: Uint8Array, { errors, half }: Level): void {
  const quarter = half >> 1;
  for (let row = 0; row <= last; row += half) {
    const isOddRow = (row / half) % 2 === 1;
    const step = isOddRow ? side * half : half;
    for (let column = isOddRow ? 0 : half; column <= last; column += 2 * half) {
      const at = row * side + column;
      let below = 0;
      if (quarter > 0) {
        const [north, south] = [at - quarter * side, at + quarter * side];
        if (row > 0) {
          if (column > 0) below = Math.max(below, errors[north - quarter]!);
          if (column < last) below = Math.max(below, errors[north + quarter]!);
        }
        if (row < last) {
          if (column > 0) below = Math.max(below, errors[south - quarter]!);
          if (column < last) below = Math.max(below, errors[south + quarter]!);
        }
      }
      const own = Math.abs(heights[at]! - (heights[at - step]! + heights[at + step]!) / 2);
      errors[at] = forced[at] === 1 ? Infinity : own + below;
    }
  }
}

/** The middles of squares: their diagonal runs through the middle of the square of twice the size. */
function measureDiagonals(heights: Float64Array, { errors, half }: Level): void {
  for (let row = half; row < last; row += 2 * half) {
    const south = ((row - half) / (2 * half)) % 2 === 1 ? -half : half;
    for (let column = half; column < last; column += 2 * half) {
      const east = ((column - half) / (2 * half)) % 2 === 1 ? -half : half;
      const at = row * side + column;
      const toCorner = south * side + east;
      const own = Math.abs(heights[at]! - (heights[at - toCorner]! + heights[at + toCorner]!) / 2);
      const acrossColumns = Math.max(errors[at - half]!, errors[at + half]!);
      const acrossRows = Math.max(errors[at - half * side]!, errors[at + half * side]!);
      errors[at] = own + Math.max(acrossColumns, acrossRows);
    }
  }
}
