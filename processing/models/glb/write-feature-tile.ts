import { createGlbBuffer, writeGlb } from '@platen/formats/gltf/write-glb';
import { writePropertyTable, type TableColumn } from '@platen/formats/gltf/property-table';
import { writeB3dm } from '@platen/formats/tiles-3d/write-b3dm';
import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import {
  encodePrimitive,
  positionGrid,
  type FacedPrimitive,
  type GlbParts,
  type Primitive,
} from './encode-primitive.ts';
import { encodePlainPrimitive } from './encode-plain.ts';
import { outlineEdges } from './outline-edges.ts';
import { frameMatrix } from './frame-matrix.ts';
import { packedBuffers } from './packed-buffers.ts';

/** An image of a tile. */
export interface TexturePage {
  readonly mimeType: 'image/webp' | 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
  readonly hasAlpha: boolean;
  /** It repeats beyond its edges. */
  readonly repeats: boolean;
}

/** How faces are drawn: each paint is a draw call. */
export interface Paint {
  /** Undefined for colours of vertices. */
  readonly page: number | undefined;
  readonly isTranslucent: boolean;
  /** Red, green, blue and alpha from 0 to 1, linear, by which all is multiplied; undefined: 1. */
  readonly factor?: readonly number[] | undefined;
  readonly isUnlit?: boolean | undefined;
  /** The least alpha that is drawn of a page with alpha; undefined: 0.5. */
  readonly cutoff?: number | undefined;
}

/** A draw call, in metres from the frame of the tile. */
export type TilePrimitive = (Primitive | FacedPrimitive) & { readonly paint: Paint };

export interface FeatureTile {
  /** Number of features; 0: nothing has attributes. */
  readonly count: number;
  readonly columns: readonly TableColumn[];
  readonly primitives: readonly TilePrimitive[];
  readonly pages: readonly TexturePage[];
  readonly frame: LocalFrame;
  /** Metres to which positions may be rounded. */
  readonly maxStep: number;
  /** Viewers draw lines where faces end. */
  readonly hasOutlines?: boolean;
}

/** The content of a tile: a GLB with a property table, or a b3dm with a batch table. */
export function writeFeatureTile(tile: FeatureTile, version: '1.0' | '1.1'): Uint8Array {
  const { count, columns } = tile;
  const buffer = createGlbBuffer();
  const parts: GlbParts = { buffer, accessors: [], packedViews: [] };
  const isNew = version === '1.1';
  const hasTable = isNew && count > 0;
  const feature = {
    EXT_mesh_features: { featureIds: [{ featureCount: count, attribute: 0, propertyTable: 0 }] },
  };
  const grid = positionGrid(tile.primitives, isNew ? tile.maxStep : 0);
  const encode = isNew ? encodePrimitive : encodePlainPrimitive;
  const primitives = tile.primitives.map((primitive, material) => ({
    ...encode(primitive, grid, parts),
    material,
    extensions: {
      ...(hasTable && primitive.features !== undefined && feature),
      ...(tile.hasOutlines && 'vertexEnds' in primitive && outlineOf(primitive, parts)),
    },
  }));
  const extensions = hasTable
    ? { EXT_structural_metadata: writePropertyTable(buffer, count, columns) }
    : undefined;
  const textures = texturesOf(tile, (bytes) => buffer.addView(bytes));
  const { bufferViews, buffers } = packedBuffers(parts);
  const used = usedExtensions(tile, version);
  const json = {
    asset: { version: '2.0', generator: 'Platen' },
    ...(used.length > 0 && { extensionsUsed: used }),
    ...(used.some(isRequired) && { extensionsRequired: used.filter(isRequired) }),
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { matrix: frameMatrix(tile.frame), children: [1] },
      {
        mesh: 0,
        translation: grid.origin,
        ...(grid.step !== undefined && { scale: [grid.step, grid.step, grid.step] }),
      },
    ],
    meshes: [{ primitives }],
    materials: materialsOf(tile),
    ...textures,
    accessors: parts.accessors,
    bufferViews,
    buffers,
    ...(extensions && { extensions }),
  };
  const glb = writeGlb(json, buffer.content());
  if (isNew) return glb;
  const table = Object.fromEntries(
    columns.map(({ property, values }) => [property.name, values.map((value) => value ?? null)]),
  );
  return writeB3dm(glb, count, columns.length === 0 ? {} : batchTableOf(table, count));
}

/** By CESIUM_primitive_outline. */
function outlineOf(primitive: FacedPrimitive, { buffer, accessors }: GlbParts): object {
  const edges = outlineEdges(primitive);
  const bufferView = buffer.addView(new Uint8Array(edges.buffer));
  const accessor = { bufferView, componentType: 5125, count: edges.length, type: 'SCALAR' };
  return { CESIUM_primitive_outline: { indices: accessors.push(accessor) - 1 } };
}

/** Names that mean something else in a batch table. */
const reserved = new Set(['attributes', 'extensions', 'extras', 'HIERARCHY']);

/** Viewers for 3D Tiles 1.0 show `attributes` of an object; styles know only columns. */
function batchTableOf(table: Readonly<Record<string, readonly unknown[]>>, count: number): object {
  const { id, ...others } = table;
  const columns = Object.entries(others);
  const attributes = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(columns.flatMap(([name, values]) => (values[i] === null ? [] : [[name, values[i]]]))),
  );
  return { id, ...Object.fromEntries(columns.filter(([name]) => !reserved.has(name))), attributes };
}

function texturesOf({ pages }: FeatureTile, addView: (bytes: Uint8Array) => number): object {
  if (pages.length === 0) return {};
  return {
    images: pages.map(({ bytes, mimeType }) => ({ bufferView: addView(bytes), mimeType })),
    samplers: [
      { magFilter: 9729, minFilter: 9987, wrapS: 33_071, wrapT: 33_071 },
      { magFilter: 9729, minFilter: 9987, wrapS: 10_497, wrapT: 10_497 },
    ],
    textures: pages.map(({ mimeType, repeats }, source) => ({
      sampler: repeats ? 1 : 0,
      ...(mimeType === 'image/webp' ? { extensions: { EXT_texture_webp: { source } } } : { source }),
    })),
  };
}

function materialsOf({ primitives, pages }: FeatureTile): object[] {
  return primitives.map(({ paint: { page, isTranslucent, factor, isUnlit, cutoff = 0.5 } }) => ({
    pbrMetallicRoughness: {
      ...(factor !== undefined && { baseColorFactor: factor }),
      metallicFactor: 0,
      roughnessFactor: 1,
      ...(page !== undefined && { baseColorTexture: { index: page } }),
    },
    doubleSided: true,
    ...(isTranslucent && { alphaMode: 'BLEND' }),
    ...(!isTranslucent &&
      page !== undefined &&
      pages[page]!.hasAlpha && { alphaMode: 'MASK', alphaCutoff: cutoff }),
    ...(isUnlit === true && { extensions: { KHR_materials_unlit: {} } }),
  }));
}

const required = new Set(['EXT_meshopt_compression', 'KHR_mesh_quantization', 'EXT_texture_webp']);
const isRequired = (name: string): boolean => required.has(name);

function usedExtensions(
  { count, primitives, pages, hasOutlines }: FeatureTile,
  version: '1.0' | '1.1',
): string[] {
  const isNew = version === '1.1';
  const hasWebp = pages.some(({ mimeType }) => mimeType === 'image/webp');
  return [
    ...(isNew ? ['EXT_meshopt_compression', 'KHR_mesh_quantization'] : []),
    ...(isNew && count > 0 ? ['EXT_mesh_features', 'EXT_structural_metadata'] : []),
    ...(hasOutlines ? ['CESIUM_primitive_outline'] : []),
    ...(hasWebp ? ['EXT_texture_webp'] : []),
    ...(primitives.some(({ paint }) => paint.isUnlit) ? ['KHR_materials_unlit'] : []),
  ];
}
