import { createGlbBuffer, writeGlb } from '@platen/formats/gltf/write-glb';
import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import { encodePrimitive, type GlbParts, type PositionGrid } from '../../models/glb/encode-primitive.ts';
import { frameMatrix } from '../../models/glb/frame-matrix.ts';
import { packedBuffers } from '../../models/glb/packed-buffers.ts';
import { unitMetres, type Piece } from '../mesh/piece.ts';
import { stepFor } from './position-step.ts';
import { linearBytes, normalsOf } from './shading.ts';

export interface TileImage {
  readonly mimeType: 'image/webp' | 'image/jpeg';
  readonly bytes: Uint8Array;
}

export interface MeshTileOptions {
  readonly frame: LocalFrame;
  readonly image: TileImage | undefined;
  readonly isUnlit: boolean;
  /** Metres to which positions are rounded at least: the same for all tiles that may meet without skirts. */
  readonly minStep: number;
}

/** The GLB of a piece: one draw call. */
export function writeMeshTile(piece: Piece, { frame, image, isUnlit, minStep }: MeshTileOptions): Uint8Array {
  const parts: GlbParts = { buffer: createGlbBuffer(), accessors: [], packedViews: [] };
  const positions = new Float64Array(piece.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    positions[i] = piece.positions[i]! * unitMetres;
    positions[i + 1] = piece.positions[i + 2]! * unitMetres;
    positions[i + 2] = -piece.positions[i + 1]! * unitMetres;
  }
  const grid = gridOf(positions, minStep);
  const primitive = encodePrimitive(
    {
      positions,
      normals: isUnlit ? undefined : normalsOf(positions, piece.indices),
      colours:
        piece.uvs === undefined && piece.colours !== undefined ? linearBytes(piece.colours) : undefined,
      uvs: piece.uvs,
      features: undefined,
      indices: piece.indices,
    },
    grid,
    parts,
  );
  const texture = image && textureOf(image, parts);
  const { bufferViews, buffers } = packedBuffers(parts);
  const required = [
    'EXT_meshopt_compression',
    'KHR_mesh_quantization',
    ...(image?.mimeType === 'image/webp' ? ['EXT_texture_webp'] : []),
  ];
  const material = {
    pbrMetallicRoughness: {
      metallicFactor: 0,
      roughnessFactor: 1,
      ...(image !== undefined && { baseColorTexture: { index: 0 } }),
    },
    doubleSided: true,
    ...(isUnlit && { extensions: { KHR_materials_unlit: {} } }),
  };
  const json = {
    asset: { version: '2.0', generator: 'Platen' },
    extensionsUsed: [...required, ...(isUnlit ? ['KHR_materials_unlit'] : [])],
    extensionsRequired: required,
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { matrix: frameMatrix(frame), children: [1] },
      { mesh: 0, translation: grid.origin, scale: [grid.step, grid.step, grid.step] },
    ],
    meshes: [{ primitives: [{ ...primitive, material: 0 }] }],
    materials: [material],
    ...texture,
    accessors: parts.accessors,
    bufferViews,
    buffers,
  };
  return writeGlb(json, parts.buffer.content());
}

function textureOf({ mimeType, bytes }: TileImage, { buffer }: GlbParts): object {
  return {
    images: [{ bufferView: buffer.addView(bytes), mimeType }],
    samplers: [{ magFilter: 9729, minFilter: 9987, wrapS: 33_071, wrapT: 33_071 }],
    textures: [
      {
        sampler: 0,
        ...(mimeType === 'image/webp' ? { extensions: { EXT_texture_webp: { source: 0 } } } : { source: 0 }),
      },
    ],
  };
}

function gridOf(positions: Float64Array, minStep: number): PositionGrid {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
  }
  const size = Math.max(...low.map((start, axis) => high[axis]! - start));
  const step = Math.max(unitMetres, minStep, stepFor(size));
  const origin = low.map((start) => Math.floor(start / step) * step) as [number, number, number];
  return { origin, step };
}
