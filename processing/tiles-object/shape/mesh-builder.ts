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
  return {
    add(face: BuiltFace): void {
      const first = positions.length / 3;
      for (let i = 0; i < face.positions.length; i++) positions.push(face.positions[i]!);
      if (face.uvs !== undefined) {
        // faces before this one have none
        while (uvs.length < first * 2) uvs.push(NaN);
        for (let i = 0; i < face.uvs.length; i++) uvs.push(face.uvs[i]!);
      }
      for (let i = 0; i < face.triangles.length; i++) indices.push(first + face.triangles[i]!);
      vertexEnds.push(positions.length / 3);
      indexEnds.push(indices.length);
      normals.push(face.normal[0], face.normal[1], face.normal[2]);
      roles.push(face.role);
      looks.push(face.look);
    },
    build(): ShapeMesh {
      while (uvs.length > 0 && uvs.length < (positions.length / 3) * 2) uvs.push(NaN);
      return {
        positions: new Float32Array(positions),
        uvs: uvs.length > 0 ? new Float32Array(uvs) : undefined,
        indices: new Uint32Array(indices),
        vertexEnds: new Uint32Array(vertexEnds),
        indexEnds: new Uint32Array(indexEnds),
        normals: new Float32Array(normals),
        roles: new Uint8Array(roles),
        looks: new Int32Array(looks),
      };
    },
  };
}
