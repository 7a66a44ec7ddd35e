import type { FacedPrimitive } from '../../models/glb/encode-primitive.ts';
import type { Paint, TilePrimitive } from '../../models/glb/write-feature-tile.ts';

type Numbers = Float64Array | Float32Array | Uint32Array;

/** The faces of a draw call while they are collected. Who adds one reserves room for it first, and counts it. */
export class FaceCollector {
  positions: Float64Array;
  indices: Uint32Array;
  vertexEnds: Uint32Array;
  normals: Float32Array;
  colours: Uint32Array;
  features: Uint32Array;
  uvs: Float32Array | undefined;
  vertexCount = 0;
  indexCount = 0;
  faceCount = 0;

  /** @param triangles that are expected */
  constructor(triangles: number) {
    this.positions = new Float64Array(triangles * 6);
    this.indices = new Uint32Array(triangles * 3);
    this.vertexEnds = new Uint32Array(Math.ceil(triangles / 2));
    this.normals = new Float32Array(this.vertexEnds.length * 4);
    this.colours = new Uint32Array(this.vertexEnds.length);
    this.features = new Uint32Array(this.vertexEnds.length);
  }

  reserve(vertices: number, indices: number): void {
    this.positions = grown(this.positions, (this.vertexCount + vertices) * 3);
    this.indices = grown(this.indices, this.indexCount + indices);
    if (this.faceCount < this.vertexEnds.length) return;
    this.vertexEnds = grown(this.vertexEnds, this.faceCount + 1);
    this.normals = grown(this.normals, this.vertexEnds.length * 4);
    this.colours = grown(this.colours, this.vertexEnds.length);
    this.features = grown(this.features, this.vertexEnds.length);
  }

  /** Of the vertices of the face that is added. */
  setUvs(uvs: ArrayLike<number>): void {
    const at = this.vertexCount * 2;
    this.uvs = grown(this.uvs ?? new Float32Array(0), at + uvs.length);
    this.uvs.set(uvs, at);
  }

  finish(paint: Paint): TilePrimitive {
    const hasImage = paint.page !== undefined;
    const faced: FacedPrimitive = {
      positions: this.positions.subarray(0, this.vertexCount * 3),
      uvs: hasImage ? grown(this.uvs!, this.vertexCount * 2).subarray(0, this.vertexCount * 2) : undefined,
      indices: this.indices.subarray(0, this.indexCount),
      vertexEnds: this.vertexEnds.subarray(0, this.faceCount),
      normals: this.normals.subarray(0, this.faceCount * 4),
      colours: hasImage ? undefined : this.colours.subarray(0, this.faceCount),
      features: this.features.subarray(0, this.faceCount),
    };
    return { ...faced, paint };
  }
}

/** The same array if it is long enough, else one of at least twice the length. */
function grown<A extends Numbers>(array: A, length: number): A {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => A)(Math.max(64, length, array.length * 2));
  larger.set(array);
  return larger;
}
