import type { Bytes } from '../bytes/bytes.ts';
import type { Attributes } from '../city-object/city-object.ts';
import { asIndex, asObjects, asText, type JsonObject } from '../json/read-values.ts';
import { createDracoReader, decodedAccessors, type ReadDraco } from '../mesh/draco/draco-meshes.ts';
import type { Gltf, GltfBufferView, GltfPrimitive } from '../mesh/gltf.ts';
import { openGltf, type FindBuffer, type OpenGltf } from '../mesh/open-gltf.ts';
import { placeNodes, type PlacedPrimitive } from '../mesh/place-nodes.ts';
import { readAccessor, type AccessorReading, type UnpackView } from '../mesh/read-accessor.ts';
import { SourceError } from '../source/source.ts';
import { readFeatureIds, type FeatureRows } from './feature-ids.ts';
import { addExtras } from './gltf-attributes.ts';
import { readGltfInstances } from './gltf-instances.ts';
import { readGltfRows, type GltfRows } from './gltf-rows.ts';
import { readTriangles, usableTriangles } from './gltf-triangles.ts';
import { encodeSrgb, readGltfMaterials, type GltfMaterial } from './gltf-materials.ts';
import { placeParts } from './place-parts.ts';
import {
  maxVertices,
  type MeshModel,
  type MeshNotice,
  type MeshObject,
  type MeshPart,
  type MeshReading,
} from './mesh-model.ts';

export interface GltfReading extends Pick<MeshReading, 'onNotice'> {
  readonly find: FindBuffer;
  readonly unpack: UnpackView;
  /** The name of an image within the file. */
  readonly embedded: (image: number) => string;
  /** Where the GLB begins in its file. */
  readonly start?: number;
  /** Memory that meshes packed by Draco may take; default: any. */
  readonly maxDecodingBytes?: number | undefined;
  /** Of a tile: features and normals are read, too. */
  readonly tile?: TileReading;
}

export interface TileReading {
  /** The batch table of 3D Tiles 1.0; without it, the property tables of the file count. */
  readonly rows: readonly Attributes[] | undefined;
  /** The axis that points upwards. */
  readonly upAxis: 'x' | 'y' | 'z';
  /** Attributes are called by the ids of their properties, as viewers do, whatever these are named. */
  readonly byId?: boolean | undefined;
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
  const materials = readGltfMaterials(
    root,
    (image) => imageName(root, image, reading.embedded),
    (what) => onNotice('unsupportedPart', what),
  );
  const { primitives, cycles, dangling, isCutOff } = placeNodes(gltf);
  if (cycles > 0) onNotice('circularNodes', `${cycles} nodes`);
  if (dangling > 0) onNotice('missingNode', `${dangling} nodes or meshes`);
  if (isCutOff) onNotice('truncated', 'it has more than 200000 nodes');
  const accessors = accessorsOf(opened, reading);
  const tile = reading.tile && {
    ...reading.tile,
    ...(await rowsOf(opened, reading.tile, { accessors, onNotice })),
  };
  const readDraco = createDracoReader(gltf, opened.read, {
    maxFaces: maxVertices,
    maxBytes: maxAccessorBytes,
    maxDecodingBytes: reading.maxDecodingBytes,
  });
  const context = { accessors, readDraco, materials, onNotice, tile };
  const objects: MeshObject[] = [];
  let vertices = 0;
  for (const placed of Map.groupBy(primitives, ({ path }) => path.join(' ')).values()) {
    const node = gltf.nodes[placed[0]!.path.at(-1)!]!;
    const instances = await readGltfInstances(gltf, node, tile ?? withoutRows, accessors);
    const parts: MeshPart[] = [];
    for (const one of placed) {
      const part = await readPart(opened, one, context);
      if (part === undefined) continue;
      vertices += (part.positions.length / 3) * (instances?.length ?? 1);
      if (vertices > maxVertices)
        throw new SourceError(
          'unsupported',
          `it has more than ${maxVertices} vertices, with those of instances: divide it`,
        );
      const upAxis = tile?.upAxis ?? 'y';
      for (const own of placeParts(part, { instances, matrix: one.matrix, center: gltf.center, upAxis }))
        parts.push(own);
    }
    if (parts.length > 0) objects.push({ ...describeNode(root, placed[0]!.path), parts });
  }
  return { objects, materials, ...(tile !== undefined && { rows: tile.rows }) };
}

const withoutRows: FeatureRows = { firstRows: [], count: 0 };

async function rowsOf(
  opened: OpenGltf,
  { rows, byId }: TileReading,
  { accessors, onNotice }: Pick<PartReading, 'accessors' | 'onNotice'>,
): Promise<GltfRows> {
  if (rows !== undefined) return { rows, firstRows: [0], count: rows.length };
  return readGltfRows(opened, accessors, {
    onUnsupported: (what) => onNotice('unsupportedPart', what),
    byId,
  });
}

/** The features of a glTF, without what it shows. @throws BytesError */
export async function readRowsOfGltf(
  bytes: Bytes,
  reading: Pick<GltfReading, 'find' | 'unpack' | 'onNotice'>,
): Promise<readonly Attributes[]> {
  const opened = await openGltf(bytes, reading.find);
  const { rows } = await readGltfRows(opened, accessorsOf(opened, reading), {
    onUnsupported: (what) => reading.onNotice('unsupportedPart', what),
  });
  return rows;
}

const accessorsOf = ({ read }: OpenGltf, { unpack }: Pick<GltfReading, 'unpack'>): AccessorReading => ({
  read,
  maxBytes: maxAccessorBytes,
  unpack,
  unpacked: new Map<GltfBufferView, Uint8Array | undefined>(),
});

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
  readonly readDraco: ReadDraco;
  readonly materials: readonly GltfMaterial[];
  readonly onNotice: MeshReading['onNotice'];
  readonly tile: FeatureRows | undefined;
}

const badDraco = 'KHR_draco_mesh_compression: its data are damaged, not of version 2.2, or too many';

/** A part in the axes of its own mesh. */
async function readPart(
  { gltf }: OpenGltf,
  { primitive }: PlacedPrimitive,
  { accessors: plain, readDraco, materials, onNotice, tile }: PartReading,
): Promise<MeshPart | undefined> {
  const leaveOut = (notice: MeshNotice, detail: string): undefined => {
    onNotice(notice, detail);
  };
  if (primitive.mode < 4 || primitive.mode > 6) return leaveOut('unsupportedPart', 'points and lines');
  if (primitive.position === undefined) return leaveOut('badPositions', 'a primitive without positions');
  const packed = primitive.draco && (await readDraco(primitive.draco));
  const accessors = packed === undefined ? plain : { ...plain, decoded: decodedAccessors(primitive, packed) };
  const positions = await readAccessor(gltf, primitive.position, 3, accessors);
  if (positions === undefined)
    return leaveOut('badPositions', primitive.draco ? badDraco : `accessor ${primitive.position}`);
  const count = positions.length / 3;
  const triangles = packed?.indices ?? (await readTriangles(gltf, primitive, count, accessors));
  if (triangles === undefined) return leaveOut('badIndices', `accessor ${primitive.indices}`);
  const material = materials[primitive.material ?? -1];
  const onUnsupported = (what: string): void => onNotice('unsupportedPart', what);
  return {
    positions,
    uvs:
      material?.image === undefined
        ? undefined
        : await readUvs(gltf, primitive, count, { material, accessors }),
    colours: await readColours(gltf, primitive, count, accessors),
    indices: usableTriangles(triangles, positions, onNotice),
    material: material === undefined ? -1 : primitive.material!,
    ...(tile && {
      normals: await readNormals(gltf, primitive, count, accessors),
      features: await readFeatureIds(gltf, primitive, count, { rows: tile, accessors, onUnsupported }),
    }),
  };
}

async function readNormals(
  gltf: Gltf,
  { attributes }: GltfPrimitive,
  count: number,
  accessors: AccessorReading,
): Promise<Float32Array | undefined> {
  const number = asIndex(attributes['NORMAL']);
  const values = number === undefined ? undefined : await readAccessor(gltf, number, 3, accessors);
  return values?.length === count * 3 ? Float32Array.from(values) : undefined;
}

async function readUvs(
  gltf: Gltf,
  { attributes }: GltfPrimitive,
  count: number,
  {
    material: { uvSet, transform },
    accessors,
  }: { readonly material: GltfMaterial; readonly accessors: AccessorReading },
): Promise<Float32Array | undefined> {
  const number = asIndex(attributes[`TEXCOORD_${uvSet}`]);
  const values = number === undefined ? undefined : await readAccessor(gltf, number, 2, accessors);
  if (values?.length !== count * 2) return undefined;
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
