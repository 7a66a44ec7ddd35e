import { multiply, transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import type { Vector } from '@platen/geo/geodesy/geocentric';
import type { MeshPart } from './mesh-model.ts';
import type { GltfInstance } from './gltf-instances.ts';

export interface PartPlaces {
  /** Of the node. */
  readonly matrix: Matrix;
  /** Undefined: the part is shown once. */
  readonly instances: readonly GltfInstance[] | undefined;
  /** Added once z is upwards. */
  readonly center: readonly number[] | undefined;
  readonly upAxis: 'x' | 'y' | 'z';
}

/** A part at its places, with z upwards. */
export function placeParts(part: MeshPart, { matrix, instances, center, upAxis }: PartPlaces): MeshPart[] {
  const outer = multiply(center === undefined ? uprights[upAxis] : moved(uprights[upAxis], center), matrix);
  if (instances === undefined) return [transformPart(part, outer)];
  return instances.map((one) => {
    const placed = transformPart(part, multiply(outer, one.matrix));
    if (one.feature < 0) return placed;
    return { ...placed, features: new Int32Array(part.positions.length / 3).fill(one.feature) };
  });
}

/** From the axes of a file to those where z is upwards. */
const uprights: Readonly<Record<'x' | 'y' | 'z', Matrix>> = {
  x: [0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1],
  y: [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1],
  z: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
};

const moved = (matrix: Matrix, by: readonly number[]): Matrix => [
  ...matrix.slice(0, 12),
  matrix[12]! + by[0]!,
  matrix[13]! + by[1]!,
  matrix[14]! + by[2]!,
  1,
];

/** A part in other axes; triangles stay what they are seen from outside. */
export function transformPart(part: MeshPart, matrix: Matrix): MeshPart {
  const { positions, normals, indices } = part;
  const placed = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3)
    placed.set(transformPosition(matrix, vectorAt(positions, i)), i);
  return {
    ...part,
    positions: placed,
    indices: isMirrored(matrix) ? turned(indices) : indices,
    ...(normals !== undefined && { normals: turnNormals(normals, matrix) }),
  };
}

const vectorAt = (values: Float64Array | Float32Array, at: number): Vector => [
  values[at]!,
  values[at + 1]!,
  values[at + 2]!,
];

/** Normals by the cofactors of the matrix, which keep them upright where scales differ. */
function turnNormals(normals: Float32Array, m: Matrix): Float32Array {
  const column = (at: number): Vector => [m[at]!, m[at + 1]!, m[at + 2]!];
  const [a, b, c] = [column(0), column(4), column(8)];
  const cofactors = [cross(b, c), cross(c, a), cross(a, b)];
  const sign = isMirrored(m) ? -1 : 1;
  const result = new Float32Array(normals.length);
  for (let i = 0; i < normals.length; i += 3) {
    const turnedNormal = [0, 1, 2].map(
      (axis) => sign * cofactors.reduce((sum, one, k) => sum + one[axis]! * normals[i + k]!, 0),
    );
    const length = Math.hypot(...turnedNormal) || 1;
    for (let axis = 0; axis < 3; axis++) result[i + axis] = turnedNormal[axis]! / length;
  }
  return result;
}

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A matrix with a negative determinant turns triangles around. */
function isMirrored(m: Matrix): boolean {
  const minor = (a: number, b: number, c: number, d: number): number => m[a]! * m[d]! - m[b]! * m[c]!;
  return m[0]! * minor(5, 6, 9, 10) - m[4]! * minor(1, 2, 9, 10) + m[8]! * minor(1, 2, 5, 6) < 0;
}

function turned(triangles: Uint32Array): Uint32Array {
  const result = triangles.slice();
  for (let i = 0; i < triangles.length; i += 3) {
    result[i + 1] = triangles[i + 2]!;
    result[i + 2] = triangles[i + 1]!;
  }
  return result;
}
