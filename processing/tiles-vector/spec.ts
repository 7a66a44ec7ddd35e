import { Type, type Static } from 'typebox';
import { ModelOptions } from '../features/model-options.ts';
import type { TaskSpec } from '../job-type.ts';
import { attribution } from '../kit/output-options.ts';
import { LabelOptions } from './labels/label-options.ts';
import { suggest } from './suggest.ts';
import { maxTileZoom } from './max-tile-zoom.ts';
import { presets } from './presets.ts';
import { ProcessingOptions } from './processing-options.ts';
import { tilesVectorType } from './type.ts';

const zoom = { minimum: 0, maximum: maxTileZoom };

const tiling = Type.Object(
  {
    preset: Type.Optional(
      Type.String({
        enum: Object.keys(presets),
        title: 'Preset',
        description: `Sets the defaults of the other options. Without a preset, the defaults suit any data. ${describePresets()}`,
      }),
    ),
    minZoom: Type.Optional(
      Type.Integer({
        ...zoom,
        title: 'Minimum zoom',
        description: 'The lowest zoom level with its own tiles.',
        default: 0,
      }),
    ),
    maxZoom: Type.Optional(
      Type.Integer({
        ...zoom,
        title: 'Maximum zoom',
        description:
          'The highest zoom level with its own tiles; viewers enlarge these beyond it. Default: estimated from the density of the data, at most 14.',
      }),
    ),
    buffer: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1024,
        title: 'Buffer',
        description:
          'How far geometry extends beyond the tile. Use 0 for viewers that draw translucent polygons and would show the overlap twice.',
        default: 16,
        'x-unit': 'tile units',
        'x-level': 'advanced',
      }),
    ),
    extent: Type.Optional(
      Type.Integer({
        enum: [512, 1024, 2048, 4096],
        title: 'Extent',
        description: 'Tile units per tile edge. VC Map supports only 4096.',
        default: 4096,
        'x-unit': 'tile units',
        'x-level': 'advanced',
      }),
    ),
    labels: Type.Optional(LabelOptions),
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
          'pmtiles: one archive, served tile by tile. mbtiles: an SQLite file that many programs can read. folder: one file per tile.',
        default: 'pmtiles',
      }),
    ),
    name: Type.Optional(
      Type.String({ title: 'Name', description: 'Name of the tileset in its metadata and TileJSON.' }),
    ),
    description: Type.Optional(Type.String({ title: 'Description', 'x-level': 'advanced' })),
    attribution,
    tileLimitKilobytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000000,
        title: 'Tile limit',
        description: 'Deprecated: use processing.tileLimitKilobytes, which takes precedence.',
        deprecated: true,
        'x-unit': 'kB',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Output' },
);

export const tilesVector = {
  ...tilesVectorType,
  folder: 'tiles-vector',
  title: 'Create vector tiles',
  description:
    'Converts vector data of any format and size to tiles (Mapbox Vector Tiles 2.1), which maps load fast on any device.',
  permission: 'accessObjectJob',
  purpose: 'prepare',
  icon: 'Layers',
  suggest,
  mapsOf: ['vector'],
  options: Type.Object({
    tiling: Type.Optional(tiling),
    modelOptions: Type.Optional(ModelOptions),
    processing: Type.Optional(ProcessingOptions),
    output: Type.Optional(output),
  }),
  // measured with OpenStreetMap data on two cores
  phases: {
    read: { unit: 'bytes', share: 0.33 },
    sort: { unit: 'parts', share: 0.03 },
    cut: { unit: 'bytes', share: 0.56 },
    write: { unit: 'tiles', share: 0.05 },
    copy: { unit: 'tiles', share: 0.03 },
  },
  resumes: true,
} as const satisfies TaskSpec;

export type TilesVectorOptions = Static<typeof tilesVector.options>;

function describePresets(): string {
  return Object.entries(presets)
    .map(([name, { description }]) => `${name}: ${description}`)
    .join(' ');
}
