import { Type } from 'typebox';
import { threadOptions } from '../kit/thread-options.ts';

/** `tiling.triangles` of job types that make 3D tiles of models. */
export const tileTriangles = Type.Optional(
  Type.Integer({
    minimum: 1000,
    maximum: 500_000,
    title: 'Triangles of a tile',
    description: 'Tiles with more are divided.',
    default: 60_000,
    'x-level': 'advanced',
  }),
);

/** `textures.quality` */
export const textureQuality = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 100,
    title: 'Quality',
    description: 'Higher quality means larger files.',
    default: 80,
    'x-level': 'advanced',
  }),
);

/** `processing` */
export const modelProcessing = {
  strict: Type.Optional(
    Type.Boolean({
      title: 'Strict',
      description: 'Fails if a file cannot be read. Otherwise it is left out, with a warning.',
      default: false,
    }),
  ),
  ...threadOptions,
};

/** `output.format` */
export const tilesetFormat = Type.Optional(
  Type.String({
    enum: ['3tz', 'folder'],
    title: 'Format',
    description: '3tz: one archive, served tile by tile. folder: one file per tile, for other servers.',
    default: '3tz',
  }),
);
