import type { Bytes } from '../bytes/bytes.ts';
import type { Attributes } from '../city-object/city-object.ts';
import { asIndex, asObjects, asText, type JsonObject } from '../json/read-values.ts';
import type { Gltf, GltfBufferView, GltfPrimitive } from '../mesh/gltf.ts';
import { openGltf, type FindBuffer, type OpenGltf } from '../mesh/open-gltf.ts';
import { placeNodes, type PlacedPrimitive } from '../mesh/place-nodes.ts';
import { readAccessor, type AccessorReading, type UnpackView } from '../mesh/read-accessor.ts';
import { SourceError } from '../source/source.ts';
import { transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import { addExtras } from './gltf-attributes.ts';
import { encodeSrgb, readGltfMaterials, type GltfMaterial } from './gltf-materials.ts';
import type { MeshModel, MeshNotice, MeshObject, MeshPart, MeshReading } from './mesh-model.ts';

export interface GltfReading extends Pick<MeshReading, 'onNotice'> {
  readonly find: FindBuffer;
  readonly unpack: UnpackView;
  /** The name of an image within the file. */
  readonly embedded: (image: number) => string;
  /** Where the GLB begins in its file. */
  readonly start?: number;
}

const maxAccessorBytes = 2 ** 31 - 1;

/** Reads a glTF 2.0 or a GLB: each node with a mesh is an object. z is upwards. @throws BytesError, SourceError */
export async function readGltfModel(bytes: Bytes, reading: GltfReading): Promise<MeshModel> {
  const { onNotice } = reading;
  const opened = await openGltf(bytes, reading.find, reading.start);
  const { gltf, root, faults } = opened;
  if (gltf.version?.startsWith('2.') !== true)
    throw new SourceError(
      'unsupported',
      `it is of glTF version ${gltf.version?.slice(0, 20) ?? 'none'}: convert it to 2.0`,
    );
  for (const fault of faults) onNotice('truncated', fault);
  const materials = readGltfMaterials(root, (image) => imageName(root, image, reading.embedded));
  const { primitives, cycles, dangling, isCutOff } = placeNodes(gltf);
  if (cycles > 0) onNotice('circularNodes', `${cycles} nodes`);
  if (dangling > 0) onNotice('missingNode', `${dangling} nodes or meshes`);
  if (isCutOff) onNotice('truncated', 'it has more than 200000 nodes');
  const accessors = {
    read: opened.read,
    maxBytes: maxAccessorBytes,
    unpack: reading.unpack,
    unpacked: new Map<GltfBufferView, Uint8Array | undefined>(),
  };
  const objects: MeshObject[] = [];
  for (const placed of Map.groupBy(primitives, ({ path }) => path.join(' ')).values()) {
    const parts: MeshPart[] = [];
    for (const one of placed) {
      const part = await readPart(opened, one, { accessors, materials, onNotice });
      if (part !== undefined) parts.push(part);
    }
    if (parts.length > 0) objects.push({ ...describeNode(root, placed[0]!.path), parts });
  }
  return { objects, materials };
}

function imageName(root: JsonObject, image: number, embedded: (image: number) => string): string {
  const uri = asText(asObjects(root['images'])[image]?.['uri']);
  return uri === undefined || uri.startsWith('data:') ? embedded(image) : uri;
}

/** Its own name and extras, or those of its mesh, and the name of the nearest node above that has one. */
function describeNode(
  root: JsonObject,
  path: readonly number[],
): { readonly name: string; readonly attributes: Attributes } {
  const nodes = asObjects(root['nodes']);
  const own = nodes[path.at(-1)!];
  const mesh = asObjects(root['meshes'])[asIndex(own?.['mesh']) ?? -1];
  const attributes: Attributes = new Map();
  const name = [own, mesh].map((one) => asText(one?.['name']) ?? '').find((one) => one !== '') ?? '';
  if (name !== '') attributes.set('name', name.slice(0, 1000));
  addExtras(attributes, mesh?.['extras']);
  addExtras(attributes, own?.['extras']);
  const above = path.slice(0, -1).findLast((node) => (asText(nodes[node]?.['name']) ?? '') !== '');
  if (above !== undefined) attributes.set('parent', asText(nodes[above]!['name'])!.slice(0, 1000));
  return { name: name.slice(0, 200), attributes };
}

interface PartReading {
  readonly accessors: AccessorReading;
  readonly materials: readonly GltfMaterial[];
  readonly onNotice: MeshReading['onNotice'];
}

async function readPart(
  { gltf }: OpenGltf,
  { primitive, matrix }: PlacedPrimitive,
  { accessors, materials, onNotice }: PartReading,
): Promise<MeshPart | undefined> {
  const leaveOut = (notice: MeshNotice, detail: string): undefined => {
    onNotice(notice, detail);
  };
  if (primitive.isCompressed)
    return leaveOut('unsupportedPart', 'KHR_draco_mesh_compression: export it without Draco');
  if (primitive.mode < 4 || primitive.mode > 6) return leaveOut('unsupportedPart', 'points and lines');
  if (primitive.position === undefined) return leaveOut('badPositions', 'a primitive without positions');
  const local = await readAccessor(gltf, primitive.position, 3, accessors);
  if (local === undefined) return leaveOut('badPositions', `accessor ${primitive.position}`);
  const count = local.length / 3;
  const indices = await readIndices(gltf, primitive, count, accessors);
  if (indices === undefined) return leaveOut('badIndices', `accessor ${primitive.indices}`);
  const material = materials[primitive.material ?? -1];
  const triangles = usableTriangles(trianglesOf(primitive.mode, indices), local, onNotice);
  return {
    positions: placed(local, matrix, gltf.center),
    uvs: material?.image === undefined ? undefined : await readUvs(gltf, primitive, material, accessors),
    colours: await readColours(gltf, primitive, count, accessors),
    indices: isMirrored(matrix) ? turned(triangles) : triangles,
    material: material === undefined ? -1 : primitive.material!,
  };
}

async function readIndices(
  gltf: Gltf,
  { indices }: GltfPrimitive,
  count: number,
  accessors: AccessorReading,
): Promise<Float64Array | undefined> {
  if (indices !== undefined) return readAccessor(gltf, indices, 1, accessors);
  return Float64Array.from({ length: count }, (_, i) => i);
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

function usableTriangles(
  triangles: Uint32Array,
  positions: Float64Array,
  onNotice: MeshReading['onNotice'],
): Uint32Array {
  const isFinite = (vertex: number): boolean =>
    Number.isFinite(positions[vertex * 3]! + positions[vertex * 3 + 1]! + positions[vertex * 3 + 2]!);
  let kept = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = triangles.subarray(i, i + 3);
    if (corners.some((corner) => corner * 3 >= positions.length))
      onNotice('badIndices', `vertex ${Math.max(...corners)}`);
    else if (!corners.every(isFinite)) onNotice('badPositions', `vertex ${corners[0]}`);
    else {
      triangles.copyWithin(kept, i, i + 3);
      kept += 3;
    }
  }
  return triangles.slice(0, kept);
}

function placed(local: Float64Array, matrix: Matrix, center: readonly number[] = [0, 0, 0]): Float64Array {
  const positions = new Float64Array(local.length);
  for (let i = 0; i < local.length; i += 3) {
    const [x, y, z] = transformPosition(matrix, [local[i]!, local[i + 1]!, local[i + 2]!]);
    positions[i] = x + center[0]!;
    positions[i + 1] = -z + center[1]!;
    positions[i + 2] = y + center[2]!;
  }
  return positions;
}

/** A matrix with a negative determinant turns triangles around. */
function isMirrored(m: Matrix): boolean {
  const minor = (a: number, b: number, c: number, d: number): number => m[a]! * m[d]! - m[b]! * m[c]!;
  return m[0]! * minor(5, 6, 9, 10) - m[4]! * minor(1, 2, 9, 10) + m[8]! * minor(1, 2, 5, 6) < 0;
}

function turned(triangles: Uint32Array): Uint32Array {
  for (let i = 0; i < triangles.length; i += 3) {
    const second = triangles[i + 1]!;
    triangles[i + 1] = triangles[i + 2]!;
    triangles[i + 2] = second;
  }
  return triangles;
}

async function readUvs(
  gltf: Gltf,
  { attributes }: GltfPrimitive,
  { uvSet, transform }: GltfMaterial,
  accessors: AccessorReading,
): Promise<Float32Array | undefined> {
  const number = asIndex(attributes[`TEXCOORD_${uvSet}`]);
  const values = number === undefined ? undefined : await readAccessor(gltf, number, 2, accessors);
  if (values === undefined) return undefined;
  const uvs = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 2) {
    let [u, v] = [values[i]!, values[i + 1]!];
    if (transform !== undefined) {
      const [a, b, c, d, e, f] = transform;
      [u, v] = [a * u + b * v + e, c * u + d * v + f];
    }
    uvs[i] = u;
    uvs[i + 1] = 1 - v;
  }
  return uvs;
}

async function readColours(
  gltf: Gltf,
  { attributes }: GltfPrimitive,
  count: number,
  accessors: AccessorReading,
): Promise<Uint8Array | undefined> {
  const number = asIndex(attributes['COLOR_0']);
  if (number === undefined) return undefined;
  const width = gltf.accessors[number]?.type === 'VEC4' ? 4 : 3;
  const values = await readAccessor(gltf, number, width, accessors);
  if (values === undefined || values.length !== count * width) return undefined;
  const colours = new Uint8Array(count * 4).fill(255);
  for (let i = 0; i < count; i++) {
    for (let band = 0; band < 3; band++)
      colours[i * 4 + band] = Math.round(255 * encodeSrgb(values[i * width + band]!));
    if (width === 4) colours[i * 4 + 3] = Math.round(255 * Math.min(1, Math.max(0, values[i * width + 3]!)));
  }
  return colours;
}
