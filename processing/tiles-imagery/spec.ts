import { Type, type Static } from 'typebox';
import type { TaskSpec } from '../job-type.ts';
import { attribution } from '../kit/output-options.ts';
import {
  imageQuality,
  sheetColours,
  sheetProcessing,
  sheetResampling,
} from '../raster-source/sheet-options.ts';
import { sheetMask } from '../raster-source/mask/mask-options.ts';
import { suggest } from './suggest.ts';
import { tilesImageryType } from './type.ts';

const zoom = (title: string, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 24, title, description }));

const tiling = Type.Object(
  {
    minZoom: zoom('Minimum zoom', 'The lowest zoom level with tiles. Globes ask for 0. Default: 0.'),
    maxZoom: zoom(
      'Maximum zoom',
      'The highest zoom level with tiles. Default: the lowest whose pixels are at most 1.2 times as large as those of the finest sheet.',
    ),
    resampling: sheetResampling,
  },
  { title: 'Tiles' },
);

const image = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        enum: ['auto', 'jpeg', 'png', 'webp', 'avif'],
        title: 'Format',
        description:
          'auto: JPEG, and PNG for tiles with transparent pixels. jpeg: shown by all map viewers, with the background instead of transparent pixels. png: without loss, large. webp: smaller, with transparency. avif: smallest, slow to make, not shown by older programs.',
        default: 'auto',
      }),
    ),
    quality: imageQuality,
    lossless: Type.Optional(
      Type.Boolean({
        title: 'Lossless',
        description: 'WebP that keeps every colour, for maps and plans.',
        default: false,
        'x-level': 'advanced',
      }),
    ),
    background: Type.Optional(
      Type.String({
        pattern: '^#[0-9a-fA-F]{6}$',
        title: 'Background',
        description: 'Shown instead of transparent pixels in JPEG.',
        default: '#ffffff',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Image' },
);

const output = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        enum: ['pmtiles', 'mbtiles', 'folder'],
        title: 'Format',
        description:
          'pmtiles: one archive, served tile by tile. mbtiles: a copy for QGIS and other programs beside it. folder: one file per tile, for other servers; at most 200,000.',
        default: 'pmtiles',
      }),
    ),
    name: Type.Optional(
      Type.String({
        title: 'Name',
        description: 'Name of the imagery in its metadata.',
        'x-level': 'advanced',
      }),
    ),
    attribution,
  },
  { title: 'Output' },
);

export const tilesImagery = {
  ...tilesImageryType,
  folder: 'tiles-imagery',
  title: 'Create image tiles',
  description:
    'Turns orthophotos, scanned maps and other images into one pyramid of tiles, from one sheet or thousands, in any coordinate system.',
  permission: 'accessTMSJob',
  purpose: 'prepare',
  icon: 'Images',
  suggest,
  mapsOf: ['raster'],
  options: Type.Object({
    tiling: Type.Optional(tiling),
    image: Type.Optional(image),
    colour: Type.Optional(sheetColours),
    mask: Type.Optional(sheetMask),
    processing: Type.Optional(sheetProcessing),
    output: Type.Optional(output),
  }),
  // measured with an orthophoto on two cores
  phases: {
    read: { unit: 'units', share: 0.9 },
    combine: { unit: 'units', share: 0.04 },
    write: { unit: 'tiles', share: 0.04 },
    copy: { unit: 'tiles', share: 0.02 },
  },
  resumes: true,
} as const satisfies TaskSpec;

export type TilesImageryOptions = Static<typeof tilesImagery.options>;
