import type { Gltf, GltfPrimitive } from '../mesh/gltf.ts';
import { readAccessor, type AccessorReading } from '../mesh/read-accessor.ts';
import type { MeshReading } from './mesh-model.ts';

/** Three vertices of each triangle. Undefined if its indices cannot be read. */
export async function readTriangles(
  gltf: Gltf,
  { mode, indices }: GltfPrimitive,
  count: number,
  accessors: AccessorReading,
): Promise<Uint32Array | undefined> {
  if (indices === undefined)
    return trianglesOf(
      mode,
      Float64Array.from({ length: count }, (_, i) => i),
    );
  const values = await readAccessor(gltf, indices, 1, accessors);
  return values && trianglesOf(mode, values);
}

/** Triangles of triangles, strips and fans (glTF 2.0, 3.7.2.1). */
function trianglesOf(mode: number, indices: Float64Array): Uint32Array {
  if (mode === 4) return Uint32Array.from(indices.subarray(0, indices.length - (indices.length % 3)));
  const triangles = new Uint32Array(Math.max(0, indices.length - 2) * 3);
  for (let i = 0; i + 2 < indices.length; i++) {
    const isOdd = i % 2 === 1;
    const corners = mode === 6 ? [i + 1, i + 2, 0] : [i, i + (isOdd ? 2 : 1), i + (isOdd ? 1 : 2)];
    for (let corner = 0; corner < 3; corner++) triangles[i * 3 + corner] = indices[corners[corner]!]!;
  }
  return triangles;
}

/** Triangles whose corners exist and are somewhere. */
export function usableTriangles(
  triangles: Uint32Array,
  positions: Float64Array,
  onNotice: MeshReading['onNotice'],
): Uint32Array {
  const isFinite = (vertex: number): boolean =>
    Number.isFinite(positions[vertex * 3]! + positions[vertex * 3 + 1]! + positions[vertex * 3 + 2]!);
  const usable = new Uint32Array(triangles.length);
  let kept = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = triangles.subarray(i, i + 3);
    if (corners.some((corner) => corner * 3 >= positions.length))
      onNotice('badIndices', `vertex ${Math.max(...corners)}`);
    else if (!corners.every(isFinite)) onNotice('badPositions', `vertex ${corners[0]}`);
    else {
      usable.set(corners, kept);
      kept += 3;
    }
  }
  return usable.slice(0, kept);
}
