import { createGlbBuffer, writeGlb } from '@platen/formats/gltf/write-glb';
import { writePropertyTable, type Property, type TableColumn } from '@platen/formats/gltf/property-table';
import { writeB3dm } from '@platen/formats/tiles-3d/write-b3dm';
import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import { encodePrimitive, positionGrid, type GlbParts } from '../../models/glb/encode-primitive.ts';
import { frameMatrix } from '../../models/glb/frame-matrix.ts';
import { packedBuffers } from '../../models/glb/packed-buffers.ts';
import { encodePlainPrimitive } from './encode-plain.ts';
import type { TileFeature, TilePrimitive } from './tile-vertices.ts';

/** An image that faces of the tile are cut from. */
export interface TexturePage {
  readonly mimeType: 'image/webp' | 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
  readonly hasAlpha: boolean;
  /** It repeats beyond its edges. */
  readonly repeats: boolean;
}

export interface TileContent {
  readonly features: readonly TileFeature[];
  readonly primitives: readonly TilePrimitive[];
  readonly pages: readonly TexturePage[];
  readonly frame: LocalFrame;
  /** How far shapes may be off, in metres; 0 for the finest tiles. */
  readonly error: number;
}

export interface TileForm {
  readonly version: '1.0' | '1.1';
  readonly properties: readonly Property[];
  readonly isUnlit: boolean;
}

/** Texts with more values than that are not kept in coarse tiles, where nobody clicks at single objects. */
const maxCoarseTexts = 64;
/** Metres: rounding of positions is never seen. */
const finestStep = 0.01;

/** The content of a tile: a GLB with a property table, or a b3dm with a batch table. */
export function writeTile(content: TileContent, form: TileForm): Uint8Array {
  const columns = columnsOf(content, form);
  const buffer = createGlbBuffer();
  const parts: GlbParts = { buffer, accessors: [], packedViews: [] };
  const isNew = form.version === '1.1';
  const grid = positionGrid(content.primitives, isNew ? Math.max(finestStep, content.error / 20) : 0);
  const encode = isNew ? encodePrimitive : encodePlainPrimitive;
  const primitives = content.primitives.map((primitive, material) => ({
    ...encode(primitive, grid, parts),
    material,
  }));
  const count = content.features.length;
  const extensions = isNew
    ? { EXT_structural_metadata: writePropertyTable(buffer, count, columns) }
    : undefined;
  const textures = texturesOf(content, (bytes) => buffer.addView(bytes));
  const { bufferViews, buffers } = packedBuffers(parts);
  const feature = {
    EXT_mesh_features: { featureIds: [{ featureCount: count, attribute: 0, propertyTable: 0 }] },
  };
  const used = usedExtensions(content, form);
  const json = {
    asset: { version: '2.0', generator: 'Platen' },
    ...(used.length > 0 && { extensionsUsed: used }),
    ...(used.some(isRequired) && { extensionsRequired: used.filter(isRequired) }),
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { matrix: frameMatrix(content.frame), children: [1] },
      {
        mesh: 0,
        translation: grid.origin,
        ...(grid.step !== undefined && { scale: [grid.step, grid.step, grid.step] }),
      },
    ],
    meshes: [{ primitives: isNew ? primitives.map((one) => ({ ...one, extensions: feature })) : primitives }],
    materials: materialsOf(content, form),
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
  return writeB3dm(glb, count, batchTableOf(table, count));
}

/** Viewers for 3D Tiles 1.0 show `attributes` of an object. */
function batchTableOf(table: Readonly<Record<string, readonly unknown[]>>, count: number): object {
  const { id, class: classes, ...others } = table;
  const attributes = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      Object.entries({ class: classes, ...others }).flatMap(([name, values]) =>
        values?.[i] === null || values === undefined ? [] : [[name, values[i]]],
      ),
    ),
  );
  return { id, attributes };
}

function columnsOf({ features, error }: TileContent, { properties }: TileForm): TableColumn[] {
  return properties.flatMap((property) => {
    const values = features.map(({ shape }) => {
      if (property.name === 'id') return shape.id;
      if (property.name === 'class') return shape.class;
      const value = shape.attributes.get(property.name);
      return property.type === 'STRING' && value !== undefined ? String(value) : value;
    });
    if (values.every((value) => value === undefined)) return [];
    const isLong = property.type === 'STRING' && property.name !== 'id' && error > 0;
    return isLong && new Set(values).size > maxCoarseTexts ? [] : [{ property, values }];
  });
}

function texturesOf({ pages }: TileContent, addView: (bytes: Uint8Array) => number): object {
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

function materialsOf({ primitives, pages }: TileContent, { isUnlit }: TileForm): object[] {
  return primitives.map(({ paint: { page, isTranslucent } }) => ({
    pbrMetallicRoughness: {
      metallicFactor: 0,
      roughnessFactor: 1,
      ...(page !== undefined && { baseColorTexture: { index: page } }),
    },
    doubleSided: true,
    ...(isTranslucent && { alphaMode: 'BLEND' }),
    ...(page !== undefined && pages[page]!.hasAlpha && { alphaMode: 'MASK', alphaCutoff: 0.5 }),
    ...(isUnlit && { extensions: { KHR_materials_unlit: {} } }),
  }));
}

const required = new Set(['EXT_meshopt_compression', 'KHR_mesh_quantization', 'EXT_texture_webp']);
const isRequired = (name: string): boolean => required.has(name);

function usedExtensions({ pages }: TileContent, { version, isUnlit }: TileForm): string[] {
  const ofVersion =
    version === '1.1'
      ? ['EXT_meshopt_compression', 'KHR_mesh_quantization', 'EXT_mesh_features', 'EXT_structural_metadata']
      : [];
  const hasWebp = pages.some(({ mimeType }) => mimeType === 'image/webp');
  return [
    ...ofVersion,
    ...(hasWebp ? ['EXT_texture_webp'] : []),
    ...(isUnlit ? ['KHR_materials_unlit'] : []),
  ];
}
