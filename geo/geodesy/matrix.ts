import type { Vector } from './geocentric.ts';

/** 4 × 4, column by column, as glTF and 3D Tiles write them. */
export type Matrix = readonly number[];

export const identity: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** The matrix that applies `inner` first and then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const product = Array.from<number>({ length: 16 });
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += outer[i * 4 + row]! * inner[column * 4 + i]!;
      product[column * 4 + row] = sum;
    }
  }
  return product;
}

export function transformPosition(matrix: Matrix, [x, y, z]: Vector): [number, number, number] {
  const along = (row: number): number =>
    matrix[row]! * x + matrix[4 + row]! * y + matrix[8 + row]! * z + matrix[12 + row]!;
  return [along(0), along(1), along(2)];
}

export interface Placement {
  readonly translation: Vector;
  /** x, y, z, w */
  readonly rotation: readonly [number, number, number, number];
  readonly scale: Vector;
}

/** The matrix that scales first, then rotates, then translates. */
export function compose({ translation, rotation: [x, y, z, w], scale }: Placement): Matrix {
  const [sx, sy, sz] = scale;
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    ...translation,
    1,
  ];
}
