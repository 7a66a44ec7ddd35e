import { Type, type Static } from 'typebox';
import type { TaskSpec } from '../job-type.ts';
import { threadOptions } from '../kit/thread-options.ts';
import { convertRasterType } from './type.ts';

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

export const convertRaster = {
  ...convertRasterType,
  folder: 'convert-raster',
  title: 'Convert to a cloud-optimized GeoTIFF',
  description:
    'Turns images and grids into one cloud-optimized GeoTIFF for analysis, with every number as it is.',
  permission: 'accessTMSJob',
  purpose: 'prepare',
  icon: 'ImageDown',
  options: Type.Object({
    for: Type.Optional(
      Type.String({
        enum: ['analysis'],
        title: 'Use',
        description: 'analysis: coordinate system, bands and numbers stay as they are, for GIS programs.',
        default: 'analysis',
      }),
    ),
    analysis: Type.Optional(analysis),
    processing: Type.Optional(processing),
  }),
  phases: {
    read: { unit: 'units', share: 0.95 },
    write: { unit: 'bytes', share: 0.05 },
  },
  resumes: true,
} as const satisfies TaskSpec;

export type ConvertRasterOptions = Static<typeof convertRaster.options>;
