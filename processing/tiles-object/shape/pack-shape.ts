import type { NameList } from './name-lists.ts';
import {
  alignedTo,
  alignment,
  contentBytes,
  countWords,
  fields,
  headWords,
  isPrism,
  meshAt,
  ownDoubles,
  type Counts,
} from './shape-layout.ts';
import type { Representation, Shape, ShapeMesh, Prism } from './shape.ts';

let scratch = new ArrayBuffer(1 << 16);
let scratchWords = new Uint32Array(scratch);
let scratchBytes = new Uint8Array(scratch);
let scratchFloats = new Float32Array(scratch);
let scratchDoubles = new Float64Array(scratch);

/** The bytes of a shape; valid until the next is packed. @param list of the names of its attributes */
export function packShape(shape: Shape, list: NameList): Uint8Array {
  const { id, class: name, attributes, looks, place, region, goneError, representations } = shape;
  const text = JSON.stringify([id, name, looks, [...attributes.values()]]);
  const counts = representations.map(countsOf);
  let maxBytes = 4 * (headWords + countWords * counts.length) + 8 * (ownDoubles + counts.length);
  for (const one of counts) maxBytes += contentBytes(one);
  reserve(maxBytes + 3 * text.length + 2 * alignment);
  scratchDoubles[0] = list.offset;
  scratchDoubles[1] = list.hash;
  scratchWords[5] = counts.length;
  let word = headWords;
  for (const one of counts) for (const count of one) scratchWords[word++] = count;
  let double = word / 2;
  scratchDoubles[double++] = place.lon;
  scratchDoubles[double++] = place.lat;
  scratchDoubles[double++] = place.height;
  for (const value of region) scratchDoubles[double++] = value;
  scratchDoubles[double++] = goneError;
  for (const { error } of representations) scratchDoubles[double++] = error;
  const { written } = encoder.encodeInto(text, scratchBytes.subarray(double * 8));
  let at = double * 8 + written;
  scratchBytes.fill(0, at, (at = alignedTo(at, 4)));
  for (let i = counts.length - 1; i >= 0; i--) {
    const { mesh, prism } = representations[i]!;
    if (prism === undefined) putMesh(mesh, counts[i]!, at);
    else putPrism(prism, at);
    at += contentBytes(counts[i]!);
  }
  const end = alignedTo(at, alignment);
  scratchBytes.fill(0, at, end);
  scratchWords[4] = written;
  return scratchBytes.subarray(0, end);
}

function reserve(bytes: number): void {
  if (bytes <= scratch.byteLength) return;
  scratch = new ArrayBuffer(alignedTo(2 * bytes, alignment));
  scratchWords = new Uint32Array(scratch);
  scratchBytes = new Uint8Array(scratch);
  scratchFloats = new Float32Array(scratch);
  scratchDoubles = new Float64Array(scratch);
}

const encoder = new TextEncoder();

function countsOf({ mesh, prism }: Representation): Counts {
  if (prism !== undefined)
    return [prism.vertices.length / 2, prism.triangles.length, prism.edges.length / 2, isPrism];
  const { positions, indices, roles, uvs } = mesh;
  return [positions.length / 3, indices.length, roles.length, uvs === undefined ? 0 : uvs.length / 2];
}

function putMesh(mesh: ShapeMesh, counts: Counts, from: number): void {
  const bytes = wholeBytes(mesh, counts);
  if (bytes !== undefined) return scratchBytes.set(bytes, from);
  const view = meshAt(scratch, from, counts);
  for (const field of fields) if (mesh[field] !== undefined) view[field]!.set(mesh[field]);
  const { byteOffset, length } = view.roles;
  scratchBytes.fill(0, byteOffset + length, from + contentBytes(counts));
}

/** The bytes of a mesh that was built in one buffer, as it is packed. */
function wholeBytes(mesh: ShapeMesh, counts: Counts): Uint8Array | undefined {
  const { buffer, byteOffset } = mesh.positions;
  if (byteOffset !== 0 || buffer.byteLength !== contentBytes(counts)) return undefined;
  return fields.every((field) => mesh[field] === undefined || mesh[field].buffer === buffer)
    ? new Uint8Array(buffer)
    : undefined;
}

function putPrism(prism: Prism, from: number): void {
  const { vertices, triangles, edges } = prism;
  let word = from / 4;
  scratchFloats[word++] = prism.bottom;
  scratchFloats[word++] = prism.top;
  scratchWords[word++] = prism.hasGround ? 1 : 0;
  scratchWords[word++] = prism.wallLook;
  scratchWords[word++] = prism.roofLook;
  for (let i = 0; i < vertices.length; i++) scratchFloats[word++] = vertices[i]!;
  for (let i = 0; i < triangles.length; i++) scratchWords[word++] = triangles[i]!;
  for (let i = 0; i < edges.length; i++) scratchWords[word++] = edges[i]!;
}
