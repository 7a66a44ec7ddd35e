import type { ShapeMesh } from './shape.ts';

/** A face that is added: the triangles are numbers of its own vertices. */
export interface BuiltFace {
  readonly positions: ArrayLike<number>;
  readonly uvs: ArrayLike<number> | undefined;
  readonly triangles: ArrayLike<number>;
  readonly normal: readonly [x: number, y: number, z: number];
  readonly role: number;
  readonly look: number;
}

/** Collects faces into a mesh. */
export function createMeshBuilder() {
  const positions: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  const vertexEnds: number[] = [];
  const indexEnds: number[] = [];
  const normals: number[] = [];
  const roles: number[] = [];
  const looks: number[] = [];
  let hasUvs = false;
  return {
    add(face: BuiltFace): void {
      const first = positions.length / 3;
      for (let i = 0; i < face.positions.length; i++) positions.push(face.positions[i]!);
      const count = face.positions.length / 3;
      for (let i = 0; i < count * 2; i++) uvs.push(face.uvs?.[i] ?? NaN);
      hasUvs ||= face.uvs !== undefined;
      for (let i = 0; i < face.triangles.length; i++) indices.push(first + face.triangles[i]!);
      vertexEnds.push(positions.length / 3);
      indexEnds.push(indices.length);
      normals.push(...face.normal);
      roles.push(face.role);
      looks.push(face.look);
    },
    build: (): ShapeMesh => ({
      positions: Float32Array.from(positions),
      uvs: hasUvs ? Float32Array.from(uvs) : undefined,
      indices: Uint32Array.from(indices),
      vertexEnds: Uint32Array.from(vertexEnds),
      indexEnds: Uint32Array.from(indexEnds),
      normals: Float32Array.from(normals),
      roles: Uint8Array.from(roles),
      looks: Int32Array.from(looks),
    }),
  };
}
