import { Type, type Static } from 'typebox';
import { placedHeights } from '../heights/height-options.ts';
import type { TaskSpec } from '../job-type.ts';
import { PlacementOptions } from '../models/placement-options.ts';
import { modelProcessing, textureQuality, tilesetFormat, tileTriangles } from '../models/tileset-options.ts';
import { suggest } from './suggest.ts';
import { tilesMeshType } from './type.ts';

const heights = placedHeights(
  ['ellipsoid', 'asGiven', 'flat'],
  'ellipsoid: heights are turned into heights above the ellipsoid, for globes with terrain. asGiven: the numbers of the file count above the ellipsoid. flat: the lowest point of all is put onto the ellipsoid, for globes without terrain.',
);

const tiling = Type.Object(
  {
    triangles: tileTriangles,
  },
  { title: 'Tiles' },
);

const textures = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        enum: ['webp', 'jpeg', 'none'],
        title: 'Format',
        description: 'webp: small. jpeg: for older programs. none: colours only.',
        default: 'webp',
      }),
    ),
    metresPerTexel: Type.Optional(
      Type.Number({
        minimum: 0.0001,
        maximum: 10,
        title: 'Size of a texture pixel',
        description: 'Finer textures are reduced to it.',
        default: 0.01,
        'x-unit': 'm',
      }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 256,
        maximum: 4096,
        title: 'Largest texture',
        description:
          'Width and height of a texture at most. Tiles whose textures would be larger are divided.',
        default: 2048,
        'x-unit': 'px',
        'x-level': 'advanced',
      }),
    ),
    quality: textureQuality,
  },
  { title: 'Textures' },
);

const appearance = Type.Object(
  {
    unlit: Type.Optional(
      Type.Boolean({
        title: 'Without light',
        description:
          'Looks the same from all sides, for textures that contain light already. Default: if there are textures.',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Appearance' },
);

const processing = Type.Object(
  {
    ...modelProcessing,
  },
  { title: 'Processing' },
);

const output = Type.Object(
  {
    version: Type.Optional(
      Type.String({
        enum: ['1.1', '1.0'],
        title: 'Version of 3D Tiles',
        description:
          '1.1: one glTF a tile, packed. 1.0: b3dm with batch tables, for older viewers and programs; only of tilesets that are kept.',
        default: '1.1',
      }),
    ),
    format: tilesetFormat,
  },
  { title: 'Output' },
);

const tilesets = Type.Object(
  {
    mode: Type.Optional(
      Type.String({
        enum: ['keep', 'rebuild'],
        title: 'Tilesets among the inputs',
        description:
          'keep: tiles, their levels of detail and attributes stay, and several tilesets become one. rebuild: the finest tiles are one surface, of which new levels of detail are made; attributes are lost.',
        default: 'keep',
      }),
    ),
  },
  { title: 'Tilesets' },
);

const modelOptions = Type.Object({ placement: Type.Optional(PlacementOptions) }, { title: 'Model' });

export const tilesMesh = {
  ...tilesMeshType,
  folder: 'tiles-mesh',
  title: 'Create 3D tiles of meshes',
  description:
    'Turns surfaces of any size, such as photogrammetry in many OBJ, glTF or PLY files, into 3D tiles in levels of detail with their textures. Converts and merges tilesets.',
  permission: 'accessObjectJob',
  purpose: 'prepare',
  icon: 'Mountain',
  mapsOf: ['mesh'],
  suggest,
  options: Type.Object({
    modelOptions: Type.Optional(modelOptions),
    tilesets: Type.Optional(tilesets),
    heights: Type.Optional(heights),
    tiling: Type.Optional(tiling),
    textures: Type.Optional(textures),
    appearance: Type.Optional(appearance),
    processing: Type.Optional(processing),
    output: Type.Optional(output),
  }),
  // measured with textured OBJ on two cores
  phases: {
    read: { unit: 'bytes', share: 0.2 },
    divide: { unit: 'models', share: 0.3 },
    make: { unit: 'tiles', share: 0.45 },
    write: { unit: 'tiles', share: 0.05 },
  },
  resumes: true,
} as const satisfies TaskSpec;

export type TilesMeshOptions = Static<typeof tilesMesh.options>;
