import { boxOf } from './box-of.ts';
import {
  verticesOfFaces,
  type FacedPrimitive,
  type GlbParts,
  type PositionGrid,
  type Primitive,
} from './encode-primitive.ts';

/** Writes one draw call for 3D Tiles 1.0: without any extension, and the number of its feature as `_BATCHID`. */
export function encodePlainPrimitive(
  given: Primitive | FacedPrimitive,
  { origin }: PositionGrid,
  { buffer, accessors }: GlbParts,
): Record<string, unknown> {
  const primitive = 'vertexEnds' in given ? verticesOfFaces(given) : given;
  const count = primitive.positions.length / 3;
  const positions = Float32Array.from(primitive.positions, (value, i) => value - origin[i % 3]!);
  const [min, max] = boxOf(positions);
  const add = (array: Float32Array | Uint8Array | Uint32Array, target: number, fields: object): number => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const bufferView = buffer.addView(bytes, { target });
    return accessors.push({ bufferView, count, ...fields }) - 1;
  };
  const vertices = 34_962;
  const attributes: Record<string, number> = {
    POSITION: add(positions, vertices, { componentType: 5126, type: 'VEC3', min, max }),
  };
  if (primitive.normals !== undefined) {
    const normals = new Float32Array(count * 3);
    for (let i = 0; i < count; i++) normals.set(primitive.normals.subarray(i * 4, i * 4 + 3), i * 3);
    attributes['NORMAL'] = add(normals, vertices, { componentType: 5126, type: 'VEC3' });
  }
  if (primitive.features !== undefined)
    attributes['_BATCHID'] = add(Float32Array.from(primitive.features), vertices, {
      componentType: 5126,
      type: 'SCALAR',
    });
  if (primitive.colours !== undefined)
    attributes['COLOR_0'] = add(primitive.colours, vertices, {
      componentType: 5121,
      normalized: true,
      type: 'VEC4',
    });
  if (primitive.uvs !== undefined)
    attributes['TEXCOORD_0'] = add(primitive.uvs, vertices, { componentType: 5126, type: 'VEC2' });
  const indices = add(primitive.indices, 34_963, {
    componentType: 5125,
    type: 'SCALAR',
    count: primitive.indices.length,
  });
  return { attributes, indices };
}
