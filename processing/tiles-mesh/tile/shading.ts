import { decodeSrgb } from '@platen/formats/mesh-model/gltf-materials';

const linear = Uint8Array.from({ length: 256 }, (_, value) => Math.round(255 * decodeSrgb(value / 255)));

/** Colours in sRGB as glTF has them. */
export const linearBytes = (colours: Uint8Array): Uint8Array =>
  colours.map((value, i) => (i % 4 === 3 ? value : linear[value]!));

/** x, y, z and 0 of each vertex: the mean of the triangles around it, by their areas. */
export function normalsOf(positions: Float64Array, indices: Uint32Array): Float32Array {
  const normals = new Float32Array((positions.length / 3) * 4);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
    const edge = (to: number, axis: number): number => positions[to * 3 + axis]! - positions[a * 3 + axis]!;
    const cross = [
      edge(b, 1) * edge(c, 2) - edge(b, 2) * edge(c, 1),
      edge(b, 2) * edge(c, 0) - edge(b, 0) * edge(c, 2),
      edge(b, 0) * edge(c, 1) - edge(b, 1) * edge(c, 0),
    ];
    for (const vertex of [a, b, c])
      for (let axis = 0; axis < 3; axis++) normals[vertex * 4 + axis]! += cross[axis]!;
  }
  for (let i = 0; i < normals.length; i += 4) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!);
    if (length > 0) for (let axis = 0; axis < 3; axis++) normals[i + axis]! /= length;
    else normals[i + 1] = 1;
  }
  return normals;
}
