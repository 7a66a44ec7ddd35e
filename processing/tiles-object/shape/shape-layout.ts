import type { ShapeMesh } from './shape.ts';

/*
 * A shape begins with a double, which is where the names of its attributes are in its file, and another one, which is a hash of them. Then come the
 * bytes of its text and the number of its representations; of each of these follow four counts, from the finest to the coarsest. Then come doubles, the text in JSON, for attributes and looks, and meshes and prisms from the
 * coarsest to the finest, so that a shape without its finest representations is the beginning of it. Shapes end at a
 * multiple of 8 bytes, so that meshes need not be copied out of a file that was read.
 */
export const headWords = 6;
/** At the beginning, bytes that depend on the file. */
export const placeBytes = 8;
export const countWords = 4;
export const ownDoubles = 10;
/** Bytes. */
export const alignment = 8;

export const alignedTo = (bytes: number, multiple: number): number => Math.ceil(bytes / multiple) * multiple;

/** Vertices, indices, faces, and vertices with image coordinates; of a prism its vertices, indices and edges. */
export type Counts = readonly [number, number, number, number];

/** Instead of the vertices with image coordinates. */
export const isPrism = 0xff_ff_ff_ff;

/** Of a mesh or prism. */
export function contentBytes([vertices, indices, faces, uvs]: Counts): number {
  if (uvs === isPrism) return 4 * (prismWords + 2 * vertices + indices + 2 * faces);
  return alignedTo(4 * (3 * vertices + 2 * uvs + indices + 6 * faces) + faces, 4);
}

/** Bottom and top, whether it has a ground, and two looks. */
export const prismWords = 5;

export const fields = [
  'positions',
  'uvs',
  'indices',
  'vertexEnds',
  'indexEnds',
  'normals',
  'looks',
  'roles',
] as const;

/** A mesh in a buffer, without copying it. */
export function meshAt(
  buffer: ArrayBuffer,
  from: number,
  { 0: vertices, 1: indices, 2: faces, 3: uvs }: Counts,
): ShapeMesh {
  let at = from;
  const next = (count: number): number => {
    const start = at;
    at += count * 4;
    return start;
  };
  return {
    positions: new Float32Array(buffer, next(3 * vertices!), 3 * vertices!),
    uvs: uvs! === 0 ? undefined : new Float32Array(buffer, next(2 * uvs!), 2 * uvs!),
    indices: new Uint32Array(buffer, next(indices!), indices),
    vertexEnds: new Uint32Array(buffer, next(faces!), faces),
    indexEnds: new Uint32Array(buffer, next(faces!), faces),
    normals: new Float32Array(buffer, next(3 * faces!), 3 * faces!),
    looks: new Int32Array(buffer, next(faces!), faces),
    roles: new Uint8Array(buffer, at, faces),
  };
}
