import type { Vector } from './geocentric.ts';

/** Transforms places in bulk: x, y, z of each, in place. */
export type TransformPlaces = (places: Float64Array, count: number) => void;

/** Nodes of a cell: 3 × 3 in the plane, 2 in height. */
const nodes = 18;
const maxCells = 4096;
/** Cells of an axis that a key tells apart. */
const keySpan = 2 ** 20;

/**
 * A transformation that is exact at the nodes of cells, and interpolated between them: quadratically in the plane, linearly in height.
 * Each cell becomes a polynomial of 18 terms for each axis when the first point lies in it. Of cells of 1024 m × 400 m, projected and geographic
 * coordinates become places on Earth with an error below a thousandth of a millimetre.
 * @param cell the sides of a cell in units of the source @param origin near the data
 */
export function createLattice(exact: TransformPlaces, cell: Vector, origin: Vector): TransformPlaces {
  const cells = new Map<number, Float64Array>();
  const create = (ix: number, iy: number, iz: number): Float64Array => {
    const places = new Float64Array(nodes * 3);
    for (let node = 0; node < nodes; node++) {
      places[node * 3] = origin[0] + (ix + (node % 3) / 2) * cell[0];
      places[node * 3 + 1] = origin[1] + (iy + (Math.floor(node / 3) % 3) / 2) * cell[1];
      places[node * 3 + 2] = origin[2] + (iz + Math.floor(node / 9)) * cell[2];
    }
    exact(places, nodes);
    if (cells.size >= maxCells) cells.clear();
    return polynomialOf(places);
  };
  const [west, south, bottom] = origin;
  const [width, depth, height] = cell;
  return (places, count) => {
    let lastKey = NaN;
    let terms = new Float64Array(0);
    for (let i = 0; i < 3 * count; i += 3) {
      const u = (places[i]! - west) / width;
      const v = (places[i + 1]! - south) / depth;
      const w = (places[i + 2]! - bottom) / height;
      const ix = Math.floor(u);
      const iy = Math.floor(v);
      const iz = Math.floor(w);
      const key = (ix * keySpan + iy) * 4096 + iz;
      if (key !== lastKey) {
        lastKey = key;
        let known = cells.get(key);
        if (known === undefined) cells.set(key, (known = create(ix, iy, iz)));
        terms = known as Float64Array<ArrayBuffer>;
      }
      const a = u - ix;
      const b = v - iy;
      const c = w - iz;
      // a loop of three turns would be compiled by itself, and left for each point
      places[i] = planeAt(terms, 0, a, b) + c * planeAt(terms, 9, a, b);
      places[i + 1] = planeAt(terms, 18, a, b) + c * planeAt(terms, 27, a, b);
      places[i + 2] = planeAt(terms, 36, a, b) + c * planeAt(terms, 45, a, b);
    }
  };
}

function planeAt(terms: Float64Array, at: number, u: number, v: number): number {
  const row0 = terms[at]! + u * (terms[at + 1]! + u * terms[at + 2]!);
  const row1 = terms[at + 3]! + u * (terms[at + 4]! + u * terms[at + 5]!);
  const row2 = terms[at + 6]! + u * (terms[at + 7]! + u * terms[at + 8]!);
  return row0 + v * (row1 + v * row2);
}

/** Coefficients of 1, u, u² by the values at 0, 1/2 and 1. */
const basis = [
  [1, -3, 2],
  [0, 4, -4],
  [0, -1, 2],
] as const;

/** Of each axis: nine terms of the lower plane, and nine of the difference of the upper one. */
function polynomialOf(values: Float64Array): Float64Array {
  const terms = new Float64Array(nodes * 3);
  for (let axis = 0; axis < 3; axis++) {
    for (let node = 0; node < 9; node++) {
      const lower = values[node * 3 + axis]!;
      const rise = values[(node + 9) * 3 + axis]! - lower;
      const [inX, inY] = [basis[node % 3]!, basis[Math.floor(node / 3)]!];
      for (let q = 0; q < 3; q++) {
        for (let p = 0; p < 3; p++) {
          const factor = inX[p]! * inY[q]!;
          terms[axis * nodes + q * 3 + p]! += lower * factor;
          terms[axis * nodes + 9 + q * 3 + p]! += rise * factor;
        }
      }
    }
  }
  return terms;
}
