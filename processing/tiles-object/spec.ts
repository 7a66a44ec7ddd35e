import { Type, type Static } from 'typebox';
import { placedHeights } from '../heights/height-options.ts';
import type { TaskSpec } from '../job-type.ts';
import { attributes, filter, types } from '../features/model-options.ts';
import { PlacementOptions } from '../models/placement-options.ts';
import { modelProcessing, textureQuality, tilesetFormat, tileTriangles } from '../models/tileset-options.ts';
import { suggest } from './suggest.ts';
import { tilesObjectType } from './type.ts';

const extrude = Type.Object(
  {
    height: Type.Optional(
      Type.String({
        maxLength: 300,
        title: 'Height attribute',
        description:
          'The attribute with the height of a building in metres. Default: height, building:height or measuredHeight, or the number of storeys.',
      }),
    ),
    base: Type.Optional(
      Type.String({
        maxLength: 300,
        title: 'Base attribute',
        description:
          'The attribute with the height above the ground at which a building begins, in metres. Default: min_height, or building:min_level.',
        'x-level': 'advanced',
      }),
    ),
    levels: Type.Optional(
      Type.String({
        maxLength: 300,
        title: 'Storeys attribute',
        description:
          'The attribute with the number of storeys. Default: building:levels or storeysAboveGround.',
        'x-level': 'advanced',
      }),
    ),
    levelHeight: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 20,
        title: 'Height of a storey',
        description: 'Used where only the number of storeys is known.',
        default: 3,
        'x-unit': 'm',
      }),
    ),
    defaultHeight: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 1000,
        title: 'Default height',
        description: 'The height of buildings of which nothing is known.',
        default: 6,
        'x-unit': 'm',
      }),
    ),
    roof: Type.Optional(
      Type.String({
        enum: ['flat', 'gabled', 'hipped', 'pyramidal', 'skillion', 'dome', 'onion'],
        title: 'Roof shape',
        description: 'The shape of roofs without the attribute roof:shape.',
        default: 'flat',
      }),
    ),
  },
  { title: 'Footprints' },
);

const modelOptions = Type.Object(
  {
    lod: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 4,
        title: 'Highest level of detail',
        description: 'Finer models are left out. Default: of each object the finest that there is.',
      }),
    ),
    features: Type.Optional(
      Type.String({
        enum: ['object', 'part'],
        title: 'Features',
        description: 'What a click selects. object: a whole building. part: each of its parts.',
        default: 'object',
      }),
    ),
    classes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        title: 'Classes',
        description: 'Only objects of these classes, such as Building or Bridge. Default: all.',
      }),
    ),
    theme: Type.Optional(
      Type.String({
        maxLength: 200,
        title: 'Theme',
        description: 'The theme of textures and materials. Default: that with most textures.',
      }),
    ),
    include: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        title: 'Keep attributes',
        description:
          'Names or patterns of the attributes to keep; * stands for any characters. Default: all.',
      }),
    ),
    exclude: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        title: 'Drop attributes',
        description: 'Names or patterns of attributes to drop; * stands for any characters.',
      }),
    ),
    filter: Type.Optional(filter),
    attributes: Type.Optional(attributes),
    types: Type.Optional(types),
    extrude: Type.Optional(extrude),
    placement: Type.Optional(PlacementOptions),
    interiors: Type.Optional(
      Type.Boolean({
        title: 'Interiors',
        description: 'Shows rooms and what is in them.',
        default: false,
        'x-level': 'advanced',
      }),
    ),
    closureSurfaces: Type.Optional(
      Type.Boolean({
        title: 'Closure surfaces',
        description: 'Shows surfaces that only close a solid, such as the opening of a tunnel.',
        default: false,
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Model' },
);

const heights = placedHeights(
  ['ellipsoid', 'asGiven', 'flat', 'terrain'],
  'ellipsoid: heights are turned into heights above the ellipsoid, for globes with terrain. asGiven: the numbers of the file count above the ellipsoid. flat: the lowest point of each object is put onto the ellipsoid, for globes without terrain. terrain: it is put onto the terrain among the inputs, for models whose heights do not fit it.',
);

const tiling = Type.Object(
  {
    triangles: tileTriangles,
    features: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        title: 'Features of a tile',
        description: 'Tiles with more are divided.',
        default: 1000,
        'x-level': 'advanced',
      }),
    ),
    maxLevels: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 25,
        title: 'Levels of tiles',
        description:
          'How many levels are below the coarsest tile at most: coarse ones between are left out, so that less is written and more is loaded at once. Default: all that the data need.',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Tiles' },
);

const textures = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        enum: ['webp', 'jpeg', 'png', 'none'],
        title: 'Format',
        description: 'webp: small. jpeg: for older programs. png: without loss, large. none: colours only.',
        default: 'webp',
      }),
    ),
    metresPerTexel: Type.Optional(
      Type.Number({
        minimum: 0.001,
        maximum: 10,
        title: 'Size of a texture pixel',
        description: 'Finer textures are reduced to it.',
        default: 0.1,
        'x-unit': 'm',
      }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 256,
        maximum: 4096,
        title: 'Largest texture',
        description: 'Width and height of a texture at most.',
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
    colours: Type.Optional(
      Type.Record(Type.String(), Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }), {
        title: 'Colours',
        description:
          'Colours of surfaces without texture by what they are, such as {"roof": "#b5563f"}: roof, wall, ground, door, window, traffic, verge, water, closure, interior, none.',
        'x-level': 'advanced',
      }),
    ),
    outlines: Type.Optional(
      Type.Boolean({
        title: 'Outlines',
        description: 'Draws lines at the edges of walls and roofs, as architects do. Only near by.',
        default: false,
      }),
    ),
    unlit: Type.Optional(
      Type.Boolean({
        title: 'Without light',
        description:
          'Colours and textures look the same from all sides, for textures that contain light already.',
        default: false,
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
          '1.1: small, for current viewers. 1.0: b3dm with a batch table, for VC Map 5 and older programs.',
        default: '1.1',
      }),
    ),
    format: tilesetFormat,
  },
  { title: 'Output' },
);

export const tilesObject = {
  ...tilesObjectType,
  folder: 'tiles-object',
  title: 'Create 3D tiles of city models',
  description:
    'Turns CityGML, CityJSON, other models (IFC, OBJ, glTF, PLY, STL) and footprints of buildings into 3D tiles for globes: textured or coloured by what surfaces are, every object with its attributes.',
  permission: 'accessObjectJob',
  purpose: 'prepare',
  icon: 'Building2',
  suggest,
  mapsOf: ['cityModel', 'mesh'],
  options: Type.Object({
    modelOptions: Type.Optional(modelOptions),
    heights: Type.Optional(heights),
    tiling: Type.Optional(tiling),
    textures: Type.Optional(textures),
    appearance: Type.Optional(appearance),
    processing: Type.Optional(processing),
    output: Type.Optional(output),
  }),
  // measured with CityGML without textures on two cores
  phases: {
    read: { unit: 'bytes', share: 0.6 },
    make: { unit: 'tiles', share: 0.35 },
    write: { unit: 'tiles', share: 0.05 },
  },
  resumes: true,
} as const satisfies TaskSpec;

export type TilesObjectOptions = Static<typeof tilesObject.options>;
