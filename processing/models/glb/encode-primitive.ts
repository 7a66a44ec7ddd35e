import type { GlbBuffer } from '@platen/formats/gltf/write-glb';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { boxOf } from './box-of.ts';

/** The vertices of one draw call, in the axes of glTF (y is up), in any order. */
export interface Primitive {
  readonly positions: Float64Array;
  /** x, y, z and 0 of each vertex. */
  readonly normals: Float32Array | undefined;
  /** Red, green, blue and alpha of each vertex, linear. */
  readonly colours: Uint8Array | undefined;
  /** u, v of each vertex, v downwards. */
  readonly uvs: Float32Array | undefined;
  /** The number of the feature of each vertex. */
  readonly features: Uint16Array | undefined;
  readonly indices: Uint32Array;
}

/** A draw call of flat faces, each of which has vertices of its own that follow each other. */
export interface FacedPrimitive {
  readonly positions: Float64Array;
  readonly uvs: Float32Array | undefined;
  readonly indices: Uint32Array;
  /** Number of vertices up to the end of each face. */
  readonly vertexEnds: Uint32Array;
  /** x, y, z and 0 of each face. */
  readonly normals: Float32Array;
  /** Red, green, blue and alpha of each face in its bytes, linear. */
  readonly colours: Uint32Array | undefined;
  /** The number of the feature of each face. */
  readonly features: Uint32Array;
}

/** Resolves once primitives can be encoded. */
export const encoderReady = (): Promise<void> => MeshoptEncoder.ready;

/** The grid to which the positions of a whole tile are rounded, so that equal ones stay equal. */
export interface PositionGrid {
  /** Where numbers count from, in metres. */
  readonly origin: readonly [x: number, y: number, z: number];
  /** Metres of a step; undefined: positions stay floats. */
  readonly step: number | undefined;
}

const gridSteps = 65_535;

/** @param maxStep the largest step that is fine enough, in metres */
export function positionGrid(
  primitives: readonly Pick<Primitive, 'positions'>[],
  maxStep: number,
): PositionGrid {
  const boxes = primitives.map(({ positions }) => boxOf(positions));
  const corners = boxes.flat(2);
  const [origin, end] = boxOf(corners);
  const step = Math.max(end[0] - origin[0], end[1] - origin[1], end[2] - origin[2], 1e-3) / gridSteps;
  return { origin, step: step <= maxStep ? step : undefined };
}

export interface GlbParts {
  readonly buffer: GlbBuffer;
  readonly accessors: Record<string, unknown>[];
  /** Views of what is packed, which come behind all others; their numbers count from 0. */
  readonly packedViews: Record<string, unknown>[];
}

/** The first byte of vertices by version 0 of the codec of meshoptimizer. Engines wait for ever for others. */
const vertexCodec = 0xa0;

/** Packs one draw call by EXT_meshopt_compression and KHR_mesh_quantization. @returns its primitive without a material */
export function encodePrimitive(
  primitive: Primitive | FacedPrimitive,
  grid: PositionGrid,
  parts: GlbParts,
): Record<string, unknown> {
  const ordered = 'vertexEnds' in primitive ? spreadFaces(primitive) : reorder(primitive);
  const { positions, normals, colours, uvs, features, indices } = ordered;
  const count = positions.length / 3;
  const add = (bytes: Uint8Array, byteStride: number, fields: object, more: object = {}): number => {
    const packedView = packVertices(parts, bytes, { count, byteStride, ...more });
    return parts.accessors.push({ packedView, count, ...fields }) - 1;
  };
  const attributes: Record<string, number> = {};
  const rounded = roundPositions(positions, grid);
  attributes['POSITION'] = add(rounded.bytes, rounded.byteStride, rounded.fields);
  if (normals !== undefined) {
    const fields = { componentType: 5120, normalized: true, type: 'VEC3' };
    attributes['NORMAL'] = add(normals, 4, fields, { filter: 'OCTAHEDRAL' });
  }
  if (colours !== undefined)
    attributes['COLOR_0'] = add(colours, 4, { componentType: 5121, normalized: true, type: 'VEC4' });
  if (uvs !== undefined)
    attributes['TEXCOORD_0'] = add(bytesOf(uvs), 8, { componentType: 5126, type: 'VEC2' });
  if (features !== undefined)
    attributes['_FEATURE_ID_0'] = add(bytesOf(features), 4, { componentType: 5123, type: 'SCALAR' });
  const packedIndices = MeshoptEncoder.encodeIndexBuffer(bytesOf(indices), indices.length, 4);
  const view = addPacked(parts, packedIndices, { byteStride: 4, count: indices.length, mode: 'TRIANGLES' });
  const indexAccessor =
    parts.accessors.push({ packedView: view, componentType: 5125, count: indices.length, type: 'SCALAR' }) -
    1;
  return { attributes, indices: indexAccessor };
}

/** Vertices in the order in which they are written. */
interface OrderedVertices {
  readonly positions: Float64Array;
  /** Octahedral, 4 bytes each. */
  readonly normals: Uint8Array | undefined;
  readonly colours: Uint8Array | undefined;
  readonly uvs: Float32Array | undefined;
  /** 4 bytes each, as glTF wants them. */
  readonly features: Uint32Array | undefined;
  readonly indices: Uint32Array;
}

/** Sorts triangles and vertices so that they pack well and draw fast. */
function reorder({ positions, normals, colours, uvs, features, ...rest }: Primitive): OrderedVertices {
  const indices = rest.indices.slice();
  const [order, count] = MeshoptEncoder.reorderMesh(indices, true, true);
  return {
    positions: moved(positions, new Float64Array(count * 3), order),
    normals: normals && octahedral(moved(normals, new Float32Array(count * normalWidth), order)),
    colours: colours && moved(colours, new Uint8Array(count * 4), order),
    uvs: uvs && moved(uvs, new Float32Array(count * 2), order),
    features: features && moved(features, new Uint32Array(count), order),
    indices,
  };
}

const normalWidth = 4;
const octahedral = (normals: Float32Array): Uint8Array =>
  MeshoptEncoder.encodeFilterOct(normals, normals.length / normalWidth, 4, 8);

/** Faces with vertices of their own are in a good order: nothing is left to share. */
function spreadFaces({
  positions,
  uvs,
  indices,
  vertexEnds,
  normals,
  colours,
  features,
}: FacedPrimitive): OrderedVertices {
  const count = positions.length / 3;
  const spread = (ofFaces: Uint32Array): Uint32Array => spreadOver(vertexEnds, ofFaces, count);
  const ofFaces = octahedral(normals);
  return {
    positions,
    normals: bytesOf(spread(new Uint32Array(ofFaces.buffer, ofFaces.byteOffset, vertexEnds.length))),
    colours: colours && bytesOf(spread(colours)),
    uvs,
    features: spread(features),
    indices,
  };
}

/** What each face has, for each of its vertices. */
function spreadOver(vertexEnds: Uint32Array, ofFaces: Uint32Array, count: number): Uint32Array {
  const spread = new Uint32Array(count);
  let vertex = 0;
  for (let face = 0; face < vertexEnds.length; face++) {
    const end = vertexEnds[face]!;
    const value = ofFaces[face]!;
    while (vertex < end) spread[vertex++] = value;
  }
  return spread;
}

/** The same as vertices in any order. */
export function verticesOfFaces(faced: FacedPrimitive): Primitive {
  const { positions, uvs, indices, vertexEnds, normals, colours, features } = faced;
  const count = positions.length / 3;
  const spread = (ofFaces: Uint32Array): Uint32Array => spreadOver(vertexEnds, ofFaces, count);
  const faceOf = spread(Uint32Array.from(vertexEnds, (_, face) => face));
  return {
    positions,
    normals: Float32Array.from(
      { length: count * normalWidth },
      (_, i) => normals[faceOf[Math.floor(i / normalWidth)]! * normalWidth + (i % normalWidth)]!,
    ),
    colours: colours && bytesOf(spread(colours)),
    uvs,
    features: Uint16Array.from(spread(features)),
    indices,
  };
}

interface RoundedPositions {
  readonly bytes: Uint8Array;
  readonly byteStride: number;
  readonly fields: object;
}

function roundPositions(positions: Float64Array, { origin, step }: PositionGrid): RoundedPositions {
  return step === undefined ? floatPositions(positions, origin) : gridPositions(positions, origin, step);
}

function floatPositions(positions: Float64Array, origin: PositionGrid['origin']): RoundedPositions {
  const target = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i++) target[i] = positions[i]! - origin[i % 3]!;
  const [min, max] = boxOf(target);
  return { bytes: bytesOf(target), byteStride: 12, fields: { componentType: 5126, type: 'VEC3', min, max } };
}

function gridPositions(
  positions: Float64Array,
  [x, y, z]: PositionGrid['origin'],
  step: number,
): RoundedPositions {
  const target = new Uint16Array((positions.length / 3) * 4);
  let [minX, minY, minZ] = [gridSteps, gridSteps, gridSteps];
  let [maxX, maxY, maxZ] = [0, 0, 0];
  for (let from = 0, to = 0; from < positions.length; from += 3, to += 4) {
    // the largest may be a little more than the grid has
    const east = Math.min(gridSteps, Math.round((positions[from]! - x) / step));
    const up = Math.min(gridSteps, Math.round((positions[from + 1]! - y) / step));
    const south = Math.min(gridSteps, Math.round((positions[from + 2]! - z) / step));
    target[to] = east;
    target[to + 1] = up;
    target[to + 2] = south;
    minX = Math.min(minX, east);
    minY = Math.min(minY, up);
    minZ = Math.min(minZ, south);
    maxX = Math.max(maxX, east);
    maxY = Math.max(maxY, up);
    maxZ = Math.max(maxZ, south);
  }
  const [min, max] = [
    [minX, minY, minZ],
    [maxX, maxY, maxZ],
  ];
  return { bytes: bytesOf(target), byteStride: 8, fields: { componentType: 5123, type: 'VEC3', min, max } };
}

/** Packs an attribute of vertices. @returns the number of its view among those of what is packed */
export function packVertices(
  parts: GlbParts,
  bytes: Uint8Array,
  fields: { readonly count: number; readonly byteStride: number },
): number {
  const packed = MeshoptEncoder.encodeGltfBuffer(bytes, fields.count, fields.byteStride, 'ATTRIBUTES');
  if (packed[0] !== vertexCodec) throw new Error(`Vertices were packed by an unknown codec (${packed[0]}).`);
  return addPacked(parts, packed, { mode: 'ATTRIBUTES', ...fields });
}

function addPacked(
  { buffer, packedViews }: GlbParts,
  packed: Uint8Array,
  fields: { readonly mode: string; readonly count: number; readonly byteStride: number },
): number {
  const byteOffset = buffer.append(packed);
  const isVertices = fields.mode === 'ATTRIBUTES';
  const extension = { buffer: 0, byteOffset, byteLength: packed.length, ...fields };
  return (
    packedViews.push({
      byteLength: fields.count * fields.byteStride,
      ...(isVertices ? { byteStride: fields.byteStride, target: 34_962 } : { target: 34_963 }),
      extensions: { EXT_meshopt_compression: extension },
    }) - 1
  );
}

/** Vertices at their new places. */
function moved<A extends Float64Array | Float32Array | Uint8Array | Uint32Array>(
  from: A | Uint16Array,
  to: A,
  order: Uint32Array,
): A {
  const width = from.length / order.length;
  for (let i = 0; i < order.length; i++) {
    const place = order[i]!;
    if ((place + 1) * width > to.length) continue;
    for (let k = 0; k < width; k++) to[place * width + k] = from[i * width + k]!;
  }
  return to;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
