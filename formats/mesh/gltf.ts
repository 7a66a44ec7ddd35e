import {
  asArray,
  asIndex,
  asNumber,
  asNumbers,
  asObject,
  asObjects,
  asText,
  asTexts,
} from '../json/read-values.ts';
import type { JsonObject } from '../json/read-values.ts';

/** The parts of a glTF 2.0 asset that are read, with defaults for values of a wrong type. */
export interface Gltf {
  readonly version: string | undefined;
  readonly generator: string | undefined;
  readonly extensionsUsed: readonly string[];
  readonly extensionsRequired: readonly string[];
  readonly nodes: readonly GltfNode[];
  /** Nodes of the scene that is shown. */
  readonly roots: readonly number[];
  readonly meshes: readonly (readonly GltfPrimitive[])[];
  readonly accessors: readonly (GltfAccessor | undefined)[];
  readonly bufferViews: readonly (GltfBufferView | undefined)[];
  /** URIs; undefined of the binary chunk. */
  readonly buffers: readonly (string | undefined)[];
  readonly images: readonly { readonly uri: string | undefined; readonly mimeType: string | undefined }[];
  readonly materials: number;
  readonly textures: number;
  readonly animations: number;
  /** CESIUM_RTC: what has to be added to all positions once z is upwards. */
  readonly center: readonly number[] | undefined;
}

export interface GltfNode {
  readonly children: readonly number[];
  readonly mesh: number | undefined;
  readonly matrix: readonly number[] | undefined;
  readonly translation: readonly number[] | undefined;
  readonly rotation: readonly number[] | undefined;
  readonly scale: readonly number[] | undefined;
  readonly extensions: JsonObject;
}

export interface GltfPrimitive {
  /** 0 points, 4 triangles, 5 strips, 6 fans. */
  readonly mode: number;
  readonly position: number | undefined;
  /** Numbers of accessors by the name of the attribute. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly indices: number | undefined;
  /** Where its indices and some of its attributes are, by KHR_draco_mesh_compression. */
  readonly draco: DracoExtension | undefined;
  readonly material: number | undefined;
  readonly extensions: JsonObject;
}

export interface DracoExtension {
  readonly bufferView: number;
  /** Unique ids within its data by the name of the attribute. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface GltfAccessor {
  readonly bufferView: number | undefined;
  readonly byteOffset: number;
  readonly componentType: number;
  readonly isNormalised: boolean;
  readonly count: number;
  readonly type: string | undefined;
  readonly min: readonly number[] | undefined;
  readonly max: readonly number[] | undefined;
  readonly sparse: SparseValues | undefined;
}

/** Elements of an accessor that have other values than its view, or than 0 without one. */
export interface SparseValues {
  readonly count: number;
  readonly indices: Pick<GltfAccessor, 'bufferView' | 'byteOffset' | 'componentType'>;
  readonly values: Pick<GltfAccessor, 'bufferView' | 'byteOffset'>;
}

export interface GltfBufferView {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly byteStride: number | undefined;
  readonly isCompressed: boolean;
  /** Where its bytes are, packed by EXT_meshopt_compression. */
  readonly packed: PackedView | undefined;
}

export interface PackedView {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly byteStride: number;
  readonly count: number;
  readonly mode: string;
  readonly filter: string | undefined;
}

/** @param value a parsed JSON of which nothing is known */
export function readGltf(value: unknown): Gltf | undefined {
  const root = asObject(value);
  const asset = asObject(root?.['asset']);
  if (root === undefined || asset === undefined) return undefined;
  const nodes = asObjects(root['nodes']).map(nodeOf);
  return {
    version: asText(asset['version']),
    generator: asText(asset['generator'])?.slice(0, 100),
    extensionsUsed: asTexts(root['extensionsUsed']),
    extensionsRequired: asTexts(root['extensionsRequired']),
    nodes,
    roots: rootsOf(root, nodes),
    meshes: asObjects(root['meshes']).map((mesh) => asObjects(mesh?.['primitives']).map(primitiveOf)),
    accessors: asObjects(root['accessors']).map(accessorOf),
    bufferViews: asObjects(root['bufferViews']).map(bufferViewOf),
    buffers: asObjects(root['buffers']).map((buffer) => asText(buffer?.['uri'])),
    images: asObjects(root['images']).map((image) => ({
      uri: asText(image?.['uri']),
      mimeType: asText(image?.['mimeType']),
    })),
    materials: asArray(root['materials'])?.length ?? 0,
    textures: asArray(root['textures'])?.length ?? 0,
    animations: asArray(root['animations'])?.length ?? 0,
    center: asNumbers(asObject(asObject(root['extensions'])?.['CESIUM_RTC'])?.['center'], 3),
  };
}

/** The roots of the default scene or else the first one; without scenes, the nodes without a parent. */
function rootsOf(root: JsonObject, nodes: readonly GltfNode[]): number[] {
  const scenes = asObjects(root['scenes']);
  const scene = scenes[asIndex(root['scene']) ?? 0];
  if (scene !== undefined) return indicesOf(scene['nodes']);
  const children = new Set(nodes.flatMap((node) => node.children));
  return nodes.map((_, i) => i).filter((i) => !children.has(i));
}

function indicesOf(value: unknown): number[] {
  return (asArray(value) ?? []).flatMap((index) => asIndex(index) ?? []);
}

function nodeOf(node: JsonObject | undefined): GltfNode {
  return {
    children: indicesOf(node?.['children']),
    mesh: asIndex(node?.['mesh']),
    matrix: asNumbers(node?.['matrix'], 16),
    translation: asNumbers(node?.['translation'], 3),
    rotation: asNumbers(node?.['rotation'], 4),
    scale: asNumbers(node?.['scale'], 3),
    extensions: asObject(node?.['extensions']) ?? {},
  };
}

function primitiveOf(primitive: JsonObject | undefined): GltfPrimitive {
  const extensions = asObject(primitive?.['extensions']) ?? {};
  const attributes = asObject(primitive?.['attributes']) ?? {};
  return {
    mode: asIndex(primitive?.['mode']) ?? 4,
    position: asIndex(attributes['POSITION']),
    attributes,
    indices: asIndex(primitive?.['indices']),
    draco: dracoOf(asObject(extensions['KHR_draco_mesh_compression'])),
    material: asIndex(primitive?.['material']),
    extensions,
  };
}

function dracoOf(extension: JsonObject | undefined): DracoExtension | undefined {
  if (extension === undefined) return undefined;
  // a view that is not named is one that does not exist
  const bufferView = asIndex(extension['bufferView']) ?? -1;
  return { bufferView, attributes: asObject(extension['attributes']) ?? {} };
}

function accessorOf(accessor: JsonObject | undefined): GltfAccessor | undefined {
  const componentType = asIndex(accessor?.['componentType']);
  const count = asIndex(accessor?.['count']);
  if (accessor === undefined || componentType === undefined || count === undefined) return undefined;
  return {
    bufferView: asIndex(accessor['bufferView']),
    byteOffset: asIndex(accessor['byteOffset']) ?? 0,
    componentType,
    isNormalised: accessor['normalized'] === true,
    count,
    type: asText(accessor['type']),
    min: asNumbers(accessor['min'], 3),
    max: asNumbers(accessor['max'], 3),
    sparse: sparseOf(asObject(accessor['sparse'])),
  };
}

function sparseOf(sparse: JsonObject | undefined): SparseValues | undefined {
  if (sparse === undefined) return undefined;
  const [indices, values] = [asObject(sparse['indices']), asObject(sparse['values'])];
  const placeOf = (part: JsonObject | undefined) => ({
    bufferView: asIndex(part?.['bufferView']),
    byteOffset: asIndex(part?.['byteOffset']) ?? 0,
  });
  return {
    count: asIndex(sparse['count']) ?? 0,
    indices: { ...placeOf(indices), componentType: asIndex(indices?.['componentType']) ?? 0 },
    values: placeOf(values),
  };
}

function bufferViewOf(view: JsonObject | undefined): GltfBufferView | undefined {
  const buffer = asIndex(view?.['buffer']);
  const byteLength = asIndex(view?.['byteLength']);
  if (view === undefined || buffer === undefined || byteLength === undefined) return undefined;
  const extension = asObject(asObject(view['extensions'])?.['EXT_meshopt_compression']);
  return {
    buffer,
    byteOffset: asIndex(view['byteOffset']) ?? 0,
    byteLength,
    byteStride: asNumber(view['byteStride']),
    isCompressed: extension !== undefined,
    packed: extension && packedViewOf(extension),
  };
}

function packedViewOf(extension: JsonObject): PackedView | undefined {
  const [buffer, byteLength] = [asIndex(extension['buffer']), asIndex(extension['byteLength'])];
  const [byteStride, count] = [asIndex(extension['byteStride']), asIndex(extension['count'])];
  const mode = asText(extension['mode']);
  if (buffer === undefined || byteLength === undefined || mode === undefined) return undefined;
  if (byteStride === undefined || count === undefined) return undefined;
  const byteOffset = asIndex(extension['byteOffset']) ?? 0;
  return { buffer, byteOffset, byteLength, byteStride, count, mode, filter: asText(extension['filter']) };
}
