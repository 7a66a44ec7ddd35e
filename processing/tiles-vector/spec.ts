import { Type } from 'typebox';
import { ModelOptions } from '../features/model-options.ts';
import type { JobSpec } from '../job-type.ts';
import { deepestZoom } from './deepest-zoom.ts';
import { presets } from './presets.ts';
import { ProcessingOptions } from './processing-options.ts';

const zoom = { minimum: 0, maximum: deepestZoom };

const tiling = Type.Object(
  {
    preset: Type.Optional(
      Type.String({
        enum: Object.keys(presets),
        title: 'Preset',
        description: `What the other options are when they are left out; without one, they are chosen for anything. ${describePresets()}`,
      }),
    ),
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
          'How far geometry reaches beyond the tile. 0 suits viewers that draw polygons as translucent primitives, which would show the overlap twice.',
        default: 16,
        'x-unit': 'tile units',
        'x-level': 'advanced',
      }),
    ),
    extent: Type.Optional(
      Type.Integer({
        enum: [512, 1024, 2048, 4096],
        title: 'Extent',
        description: 'Tile units along a tile edge. VC Map supports 4096 only.',
        default: 4096,
        'x-unit': 'tile units',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Tiling' },
);

const output = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        enum: ['pmtiles', 'mbtiles', 'folder'],
        title: 'Format',
        description:
          'pmtiles: one archive, served tile by tile. mbtiles: an SQLite file, which many programs read. folder: one file per tile.',
        default: 'pmtiles',
      }),
    ),
    name: Type.Optional(
      Type.String({ title: 'Name', description: 'Name of the tileset in its metadata and TileJSON.' }),
    ),
    description: Type.Optional(Type.String({ title: 'Description', 'x-level': 'advanced' })),
    attribution: Type.Optional(
      Type.String({ title: 'Attribution', description: 'Shown by viewers that show attributions.' }),
    ),
    tileLimitKilobytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000000,
        title: 'Tile limit',
        description: 'The same as processing.tileLimitKilobytes, which goes before it.',
        deprecated: true,
        'x-unit': 'kB',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Output' },
);

export const tilesVector = {
  name: 'TilesVector',
  folder: 'tiles-vector',
  version: 2,
  title: 'Vector tiles',
  description: 'Cuts vector data of any format into Mapbox Vector Tiles 2.1.',
  permission: 'accessObjectJob',
  options: Type.Object({
    tiling: Type.Optional(tiling),
    modelOptions: Type.Optional(ModelOptions),
    processing: Type.Optional(ProcessingOptions),
    output: Type.Optional(output),
  }),
  datasourceType: 'vectortiles',
  phases: { read: 'bytes', sort: 'parts', cut: 'bytes', write: 'tiles', copy: 'tiles' },
  foretells: true,
  resumes: true,
} as const satisfies JobSpec;

function describePresets(): string {
  return Object.entries(presets)
    .map(([name, { description }]) => `${name}: ${description}`)
    .join(' ');
}
