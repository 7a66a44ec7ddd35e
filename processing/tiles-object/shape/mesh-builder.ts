import { grown } from '../../models/grown.ts';
import { contentBytes, meshAt, type Counts } from './shape-layout.ts';
import type { ShapeMesh } from './shape.ts';

export type Normal = readonly [x: number, y: number, z: number];

/** A face that is added: the triangles are numbers of its own vertices. */
export interface BuiltFace {
  readonly positions: ArrayLike<number>;
  /** Of its positions, those that count. */
  readonly count: number;
  readonly uvs: ArrayLike<number> | undefined;
  readonly triangles: ArrayLike<number>;
  readonly normal: Normal;
}

/** Collects faces into a mesh. Its memory is used for one mesh after the other. */
export class MeshBuilder {
  faceCount = 0;
  #vertexCount = 0;
  #indexCount = 0;
  #positions = new Float32Array(3 * 256);
  #indices = new Uint32Array(3 * 256);
  #vertexEnds = new Uint32Array(64);
  #indexEnds = new Uint32Array(64);
  #normals = new Float64Array(3 * 64);
  #roles = new Uint8Array(64);
  #looks = new Int32Array(64);
  readonly #uvs: number[] = [];

  clear(): void {
    this.faceCount = 0;
    this.#vertexCount = 0;
    this.#indexCount = 0;
    this.#uvs.length = 0;
  }

  add({ positions, count, uvs, triangles, normal }: BuiltFace, role: number, look: number): void {
    this.#reserve(count, triangles.length);
    const first = this.#vertexCount;
    const [ownPositions, indices] = [this.#positions, this.#indices];
    for (let from = 0, to = first * 3; from < count * 3; from++, to++) ownPositions[to] = positions[from]!;
    if (uvs !== undefined) {
      this.#fillUvs(first); // faces before this one have none
      for (let i = 0; i < uvs.length; i++) this.#uvs.push(uvs[i]!);
    }
    let index = this.#indexCount;
    for (let i = 0; i < triangles.length; i++) indices[index++] = first + triangles[i]!;
    this.#indexCount = index;
    this.#vertexCount = first + count;
    const face = this.faceCount++;
    this.#vertexEnds[face] = this.#vertexCount;
    this.#indexEnds[face] = index;
    this.#normals[face * 3] = normal[0];
    this.#normals[face * 3 + 1] = normal[1];
    this.#normals[face * 3 + 2] = normal[2];
    this.#roles[face] = role;
    this.#looks[face] = look;
  }

  /** Turns all faces around from the first of them on. @param roleOf the role of a turned face by its normal */
  turn(firstFace: number, roleOf: (role: number, normal: Normal) => number): void {
    const [indices, normals] = [this.#indices, this.#normals];
    for (let face = firstFace; face < this.faceCount; face++) {
      for (let i = face === 0 ? 0 : this.#indexEnds[face - 1]!; i < this.#indexEnds[face]!; i += 3) {
        const kept = indices[i]!;
        indices[i] = indices[i + 2]!;
        indices[i + 2] = kept;
      }
      for (let i = face * 3; i < face * 3 + 3; i++) normals[i] = -normals[i]!;
      const normal = [normals[face * 3]!, normals[face * 3 + 1]!, normals[face * 3 + 2]!] as const;
      this.#roles[face] = roleOf(this.#roles[face]!, normal);
    }
  }

  build(): ShapeMesh {
    if (this.#uvs.length > 0) this.#fillUvs(this.#vertexCount);
    const counts: Counts = [this.#vertexCount, this.#indexCount, this.faceCount, this.#uvs.length / 2];
    const mesh = meshAt(new ArrayBuffer(contentBytes(counts)), 0, counts);
    mesh.positions.set(this.#positions.subarray(0, mesh.positions.length));
    if (mesh.uvs !== undefined) mesh.uvs.set(this.#uvs);
    mesh.indices.set(this.#indices.subarray(0, mesh.indices.length));
    mesh.vertexEnds.set(this.#vertexEnds.subarray(0, mesh.vertexEnds.length));
    mesh.indexEnds.set(this.#indexEnds.subarray(0, mesh.indexEnds.length));
    mesh.normals.set(this.#normals.subarray(0, mesh.normals.length));
    mesh.roles.set(this.#roles.subarray(0, mesh.roles.length));
    mesh.looks.set(this.#looks.subarray(0, mesh.looks.length));
    return mesh;
  }

  #fillUvs(vertices: number): void {
    while (this.#uvs.length < vertices * 2) this.#uvs.push(NaN);
  }

  #reserve(vertices: number, indices: number): void {
    this.#positions = grown(this.#positions, (this.#vertexCount + vertices) * 3);
    this.#indices = grown(this.#indices, this.#indexCount + indices);
    if (this.faceCount < this.#vertexEnds.length) return;
    const faces = this.#vertexEnds.length * 2;
    this.#vertexEnds = grown(this.#vertexEnds, faces);
    this.#indexEnds = grown(this.#indexEnds, faces);
    this.#normals = grown(this.#normals, faces * 3);
    this.#roles = grown(this.#roles, faces);
    this.#looks = grown(this.#looks, faces);
  }
}
