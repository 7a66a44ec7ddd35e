import { Type } from 'typebox';
import type { JobSpec } from '../job-type.ts';

/** Where a tile unit is one unit of the integer grid that everything is computed on. */
export const deepestZoom = 18;

const zoom = { minimum: 0, maximum: deepestZoom };

const tiling = Type.Object(
  {
    minZoom: Type.Optional(
      Type.Integer({
        ...zoom,
        title: 'Lowest zoom',
        description: 'The lowest zoom level that gets tiles of its own.',
        default: 0,
      }),
    ),
    maxZoom: Type.Optional(
      Type.Integer({
        ...zoom,
        title: 'Highest zoom',
        description:
          'The highest zoom level that gets tiles of its own; viewers enlarge it beyond. Guessed from the density of the data, at most 14, when absent.',
      }),
    ),
    buffer: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1024,
        title: 'Buffer',
        description:
          'How far geometry reaches beyond the tile, in tile units (extent units). 0 suits viewers that draw polygons as translucent primitives, which would show the overlap twice.',
        default: 16,
      }),
    ),
    extent: Type.Optional(
      Type.Integer({
        enum: [512, 1024, 2048, 4096],
        title: 'Extent',
        description: 'Tile units along a tile edge. VC Map supports 4096 only.',
        default: 4096,
      }),
    ),
  },
  { title: 'Tiling' },
);

const modelOptions = Type.Object(
  {
    layerName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        title: 'Layer name',
        description:
          "Name of the one layer inside the tiles. When absent, each input's layer, or else its file name, is used.",
      }),
    ),
    include: Type.Optional(
      Type.Array(Type.String(), {
        title: 'Attributes to keep',
        description: 'Only these attributes are kept; all of them when absent.',
      }),
    ),
    exclude: Type.Optional(
      Type.Array(Type.String(), {
        title: 'Attributes to leave out',
        description: 'These attributes are left out.',
      }),
    ),
    idProperty: Type.Optional(
      Type.String({
        minLength: 1,
        title: 'Id attribute',
        description:
          'The attribute whose value becomes the feature id; the attribute is kept as well. The GeoJSON id is used when absent.',
      }),
    ),
  },
  { title: 'Model' },
);

const processing = Type.Object(
  {
    simplification: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 64,
        title: 'Simplification',
        description:
          'How far, in tile units, a simplified line may leave the original below the highest zoom. 0 keeps every vertex.',
        default: 3,
      }),
    ),
    antimeridian: Type.Optional(
      Type.String({
        enum: ['asGiven', 'shortest'],
        title: 'Edges across the antimeridian',
        description:
          'asGiven: an edge from 179° to -179° runs around the world, as RFC 7946 reads it. shortest: it crosses the antimeridian.',
        default: 'asGiven',
      }),
    ),
    memoryMegabytes: Type.Optional(
      Type.Integer({
        minimum: 256,
        maximum: 65536,
        title: 'Memory',
        description:
          'Memory for the data, in MB; about 150 MB for the program itself come on top of small values. Larger data goes through scratch files.',
        default: 1024,
      }),
    ),
  },
  { title: 'Processing' },
);

const output = Type.Object(
  {
    name: Type.Optional(
      Type.String({ title: 'Name', description: 'Name of the tileset in its metadata and TileJSON.' }),
    ),
    description: Type.Optional(Type.String({ title: 'Description' })),
    attribution: Type.Optional(
      Type.String({ title: 'Attribution', description: 'Shown by viewers that show attributions.' }),
    ),
    tileLimitKilobytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000000,
        title: 'Tile limit',
        description: 'Compressed tiles above this size, in kB, are kept and reported.',
        default: 500,
      }),
    ),
  },
  { title: 'Output' },
);

export const tilesVector = {
  name: 'TilesVector',
  folder: 'tiles-vector',
  version: 1,
  title: 'Vector tiles',
  description:
    'Cuts GeoJSON and newline-delimited GeoJSON into Mapbox Vector Tiles 2.1, kept in one PMTiles archive.',
  permission: 'accessObjectJob',
  options: Type.Object({
    modelOptions: Type.Optional(modelOptions),
    tiling: Type.Optional(tiling),
    processing: Type.Optional(processing),
    output: Type.Optional(output),
  }),
  datasourceType: 'vectortiles',
} as const satisfies JobSpec;
