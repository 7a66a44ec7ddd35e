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
    quality: imageQuality,
    resampling: sheetResampling,
  },
  { title: 'Image' },
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

const output = Type.Object(
  {
    attribution,
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
    colour: Type.Optional(sheetColours),
    mask: Type.Optional(sheetMask),
    analysis: Type.Optional(analysis),
    processing: Type.Optional(sheetProcessing),
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
