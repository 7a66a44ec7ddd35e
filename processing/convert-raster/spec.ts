import { Type, type Static } from 'typebox';
import type { TaskSpec } from '../job-type.ts';
import { threadOptions } from '../kit/thread-options.ts';
import { suggest } from './suggest.ts';
import { convertRasterType } from './type.ts';

const image = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        enum: ['jpeg', 'webp'],
        title: 'Format',
        description:
          'jpeg: shown by all map viewers; a mask hides what is transparent. webp: smaller, with shades of transparency, but slower to make.',
        default: 'jpeg',
      }),
    ),
    quality: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        title: 'Quality',
        description: 'Higher quality means larger files. For JPEG at most 89 is used.',
        default: 85,
      }),
    ),
  },
  { title: 'Image' },
);

const colour = Type.Object(
  {
    bands: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 1000 }), {
        minItems: 1,
        maxItems: 3,
        title: 'Bands',
        description:
          'The numbers of the bands that are shown red, green and blue, such as 4, 3, 2, or of one band that is shown grey. Default: the first three, or the first.',
        'x-level': 'advanced',
      }),
    ),
    range: Type.Optional(
      Type.Array(Type.Number(), {
        minItems: 2,
        maxItems: 2,
        title: 'Range',
        description:
          'The values that become black and white. Default: colours of 8 bits stay as they are; of other values, all but the lowest and highest 2 % of a sample of all sheets.',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Colours' },
);

const analysis = Type.Object(
  {
    compression: Type.Optional(
      Type.String({
        enum: ['deflate', 'zstd'],
        title: 'Compression',
        description:
          'Both keep every number. deflate: read by all programs. zstd: faster, read by GDAL 2.3 or later.',
        default: 'deflate',
      }),
    ),
  },
  { title: 'For analysis' },
);

const processing = Type.Object(
  {
    strict: Type.Optional(
      Type.Boolean({
        title: 'Strict',
        description: 'Fails if a sheet cannot be read. Otherwise it is left out, with a warning.',
        default: false,
      }),
    ),
    ...threadOptions,
  },
  { title: 'Processing' },
);

const output = Type.Object(
  {
    attribution: Type.Optional(
      Type.String({ title: 'Attribution', description: 'Shown by viewers that support attributions.' }),
    ),
  },
  { title: 'Output' },
);

export const convertRaster = {
  ...convertRasterType,
  folder: 'convert-raster',
  title: 'Convert to a cloud-optimized GeoTIFF',
  description:
    'Turns images and grids into one cloud-optimized GeoTIFF: imagery that maps show, or for analysis with every number as it is.',
  permission: 'accessTMSJob',
  purpose: 'prepare',
  icon: 'ImageDown',
  suggest,
  options: Type.Object({
    for: Type.Optional(
      Type.String({
        enum: ['viewer', 'analysis'],
        title: 'Use',
        description:
          'viewer: imagery in web mercator, as maps show it. analysis: coordinate system, bands and numbers stay as they are, for GIS programs.',
        default: 'viewer',
      }),
    ),
    image: Type.Optional(image),
    colour: Type.Optional(colour),
    analysis: Type.Optional(analysis),
    processing: Type.Optional(processing),
    output: Type.Optional(output),
  }),
  datasourceTypes: ['cog', 'generic'],
  phases: {
    read: { unit: 'units', share: 0.95 },
    write: { unit: 'bytes', share: 0.05 },
  },
  resumes: true,
} as const satisfies TaskSpec;

export type ConvertRasterOptions = Static<typeof convertRaster.options>;
