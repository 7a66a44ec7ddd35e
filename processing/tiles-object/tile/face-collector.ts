import type { FacedPrimitive } from '../../models/glb/encode-primitive.ts';
import { grown } from '../../models/grown.ts';
import type { Paint, TilePrimitive } from '../../models/glb/write-feature-tile.ts';

/**
 * The faces of a draw call while they are collected. Who adds one reserves room for it first, counts its vertices and indices,
 * and ends it. Its memory is used for one tile after the other.
 */
export class FaceCollector {
  positions = new Float64Array(0);
  indices = new Uint32Array(0);
  vertexCount = 0;
  indexCount = 0;
  #vertexEnds = new Uint32Array(0);
  #normals = new Float32Array(0);
  #colours = new Uint32Array(0);
  #features = new Uint32Array(0);
  #faceCount = 0;
  #uvs: Float32Array | undefined;

  get isEmpty(): boolean {
    return this.#faceCount === 0;
  }

  /** Begins a draw call. What the last one has made is no longer valid. */
  clear(): void {
    this.vertexCount = 0;
    this.indexCount = 0;
    this.#faceCount = 0;
    this.#uvs = undefined;
  }

  reserve(vertices: number, indices: number, faces: number): void {
    this.positions = grown(this.positions, (this.vertexCount + vertices) * 3);
    this.indices = grown(this.indices, this.indexCount + indices);
    if (this.#faceCount + faces <= this.#vertexEnds.length) return;
    this.#vertexEnds = grown(this.#vertexEnds, this.#faceCount + faces);
    this.#normals = grown(this.#normals, this.#vertexEnds.length * 4);
    this.#colours = grown(this.#colours, this.#vertexEnds.length);
    this.#features = grown(this.#features, this.#vertexEnds.length);
  }

  /** @param normals east, north and up of a face at `from` */
  endFace(colour: number, feature: number, normals: Float32Array, from: number): void {
    const face = this.#faceCount++;
    this.#vertexEnds[face] = this.vertexCount;
    this.#normals[face * 4] = normals[from]!;
    this.#normals[face * 4 + 1] = normals[from + 2]!;
    this.#normals[face * 4 + 2] = -normals[from + 1]!;
    this.#colours[face] = colour;
    this.#features[face] = feature;
  }

  /** Of the vertices of the face that is added. */
  setUvs(uvs: ArrayLike<number>): void {
    const at = this.vertexCount * 2;
    this.#uvs = grown(this.#uvs ?? new Float32Array(0), at + uvs.length);
    this.#uvs.set(uvs, at);
  }

  finish(paint: Paint): TilePrimitive {
    const hasImage = paint.page !== undefined;
    const faced: FacedPrimitive = {
      positions: this.positions.subarray(0, this.vertexCount * 3),
      uvs: hasImage ? grown(this.#uvs!, this.vertexCount * 2).subarray(0, this.vertexCount * 2) : undefined,
      indices: this.indices.subarray(0, this.indexCount),
      vertexEnds: this.#vertexEnds.subarray(0, this.#faceCount),
      normals: this.#normals.subarray(0, this.#faceCount * 4),
      colours: hasImage ? undefined : this.#colours.subarray(0, this.#faceCount),
      features: this.#features.subarray(0, this.#faceCount),
    };
    return { ...faced, paint };
  }
}
