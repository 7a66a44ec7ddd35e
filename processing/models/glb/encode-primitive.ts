import type { GlbBuffer } from '@platen/formats/gltf/write-glb';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { boxOf } from './box-of.ts';

/** The vertices of one draw call, in the axes of glTF (y is up). */
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
  primitive: Primitive,
  grid: PositionGrid,
  parts: GlbParts,
): Record<string, unknown> {
  const indices = primitive.indices.slice();
  const [order, count] = MeshoptEncoder.reorderMesh(indices, true, true);
  const pack = (bytes: Uint8Array, byteStride: number, more: object = {}): number =>
    packVertices(parts, bytes, { count, byteStride, ...more });
  const accessor = (view: number, fields: object): number =>
    parts.accessors.push({ packedView: view, count, ...fields }) - 1;
  const attributes: Record<string, number> = {};
  attributes['POSITION'] = addPositions(primitive, { grid, order, count }, { pack, accessor });
  if (primitive.normals !== undefined) {
    const normals = moved(primitive.normals, new Float32Array(count * 4), order);
    const octahedral = MeshoptEncoder.encodeFilterOct(normals, count, 4, 8);
    attributes['NORMAL'] = accessor(pack(octahedral, 4, { filter: 'OCTAHEDRAL' }), {
      componentType: 5120,
      normalized: true,
      type: 'VEC3',
    });
  }
  if (primitive.colours !== undefined) {
    const colours = moved(primitive.colours, new Uint8Array(count * 4), order);
    attributes['COLOR_0'] = accessor(pack(colours, 4), {
      componentType: 5121,
      normalized: true,
      type: 'VEC4',
    });
  }
  if (primitive.uvs !== undefined) {
    const uvs = moved(primitive.uvs, new Float32Array(count * 2), order);
    attributes['TEXCOORD_0'] = accessor(pack(bytesOf(uvs), 8), { componentType: 5126, type: 'VEC2' });
  }
  if (primitive.features !== undefined) {
    const features = new Uint16Array(count * 2);
    for (let from = 0; from < order.length; from++) {
      const to = order[from]!;
      if (to < count) features[to * 2] = primitive.features[from]!;
    }
    attributes['_FEATURE_ID_0'] = accessor(pack(bytesOf(features), 4), {
      componentType: 5123,
      type: 'SCALAR',
    });
  }
  const packedIndices = MeshoptEncoder.encodeIndexBuffer(bytesOf(indices), indices.length, 4);
  const view = addPacked(parts, packedIndices, { byteStride: 4, count: indices.length, mode: 'TRIANGLES' });
  const indexAccessor =
    parts.accessors.push({ packedView: view, componentType: 5125, count: indices.length, type: 'SCALAR' }) -
    1;
  return { attributes, indices: indexAccessor };
}

interface Ordered {
  readonly grid: PositionGrid;
  readonly order: Uint32Array;
  readonly count: number;
}

interface Writers {
  readonly pack: (bytes: Uint8Array, stride: number) => number;
  readonly accessor: (view: number, fields: object) => number;
}

function addPositions(
  { positions }: Primitive,
  { grid: { origin, step }, order, count }: Ordered,
  { pack, accessor }: Writers,
): number {
  const width = step === undefined ? 3 : 4;
  const target = step === undefined ? new Float32Array(count * width) : new Uint16Array(count * width);
  const range: [number, number][] = [];
  for (let axis = 0; axis < 3; axis++) {
    let [min, max] = [Infinity, -Infinity];
    for (let from = 0; from < order.length; from++) {
      const to = order[from]!;
      if (to >= count) continue;
      const metres = positions[from * 3 + axis]! - origin[axis]!;
      const value = step === undefined ? Math.fround(metres) : Math.min(gridSteps, Math.round(metres / step));
      target[to * width + axis] = value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    range.push([min, max]);
  }
  const componentType = step === undefined ? 5126 : 5123;
  return accessor(pack(bytesOf(target), step === undefined ? 12 : 8), {
    componentType,
    type: 'VEC3',
    min: range.map(([min]) => min),
    max: range.map(([, max]) => max),
  });
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
function moved<A extends Float32Array | Uint8Array>(from: A, to: A, order: Uint32Array): A {
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
