import { attributeNames } from './attribute-names.ts';
import { Type, type Static } from 'typebox';
import { placedHeights } from '../heights/height-options.ts';
import type { TaskSpec } from '../job-type.ts';
import { PlacementOptions } from '../models/placement-options.ts';
import { sheetProcessing } from '../raster-source/sheet-options.ts';
import { ColourOptions } from './colour/colour-options.ts';
import { CompareOptions } from './compare/compare-options.ts';
import { suggest } from './suggest.ts';
import { tilesPointcloudType } from './type.ts';

const modelOptions = Type.Object(
  {
    attributes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        uniqueItems: true,
        maxItems: 12,
        title: 'Attributes',
        description:
          'What each point keeps besides its place and colour, for styles: intensity, classification, returnNumber, numberOfReturns, gpsTime, pointSource, userData, scanAngle, infrared, height, and extra bytes of LAS by their names. Default: intensity, classification and return number, as far as they vary; the height where points would have nothing else.',
        'x-editor': 'fields',
      }),
    ),
    classes: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
        minItems: 1,
        uniqueItems: true,
        title: 'Classes',
        description:
          'Only points of these classes are kept, such as 2 and 6 for ground and buildings. Default: all.',
      }),
    ),
    columns: Type.Optional(
      Type.Array(
        Type.String({
          enum: [
            'x',
            'y',
            'z',
            'red',
            'green',
            'blue',
            ...attributeNames.filter((name) => name !== 'height'),
            'skip',
          ],
        }),
        {
          minItems: 3,
          maxItems: 100,
          title: 'Columns of texts',
          description:
            'What the columns of texts (XYZ, TXT, CSV, PTS, PTX) hold, in their order; skip for others. Default: as the heading says, or else by their number.',
          'x-level': 'advanced',
        },
      ),
    ),
    placement: Type.Optional(PlacementOptions),
    box: Type.Optional(
      Type.Array(Type.Number({ minimum: -180, maximum: 180 }), {
        minItems: 4,
        maxItems: 4,
        title: 'Box',
        description:
          'Only points within are kept: west, south, east and north in degrees. Point clouds that lie outside are not read.',
        'x-editor': 'bbox',
      }),
    ),
    returns: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 15 }), {
        minItems: 1,
        uniqueItems: true,
        title: 'Returns',
        description:
          'Only points of these return numbers are kept, such as 1 for what a pulse has met first. Default: all.',
        'x-level': 'advanced',
      }),
    ),
    withheld: Type.Optional(
      Type.String({
        enum: ['drop', 'keep'],
        title: 'Withheld points',
        description: 'Points of LAS that are marked as withheld, mostly as errors.',
        default: 'drop',
        'x-level': 'advanced',
      }),
    ),
    colourDepth: Type.Optional(
      Type.String({
        enum: ['auto', '8', '16'],
        title: 'Depth of colours',
        description:
          'Bits of a colour channel. auto: 16, unless no channel of a sample of all sheets exceeds 255.',
        default: 'auto',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Points' },
);

const heights = placedHeights(
  ['ellipsoid', 'asGiven', 'flat', 'terrain'],
  'ellipsoid: heights are turned into heights above the ellipsoid, for globes with terrain. asGiven: the numbers of the file count above the ellipsoid. flat: the cloud as a whole is put onto the ellipsoid by its lowest points, for globes without terrain. terrain: it is put by its ground onto the terrain among the inputs, for clouds whose heights do not fit it.',
);

const tiling = Type.Object(
  {
    pointsPerTile: Type.Optional(
      Type.Integer({
        minimum: 5000,
        maximum: 100_000,
        title: 'Points per tile',
        description: 'A tile with more points is divided.',
        default: 60_000,
        'x-unit': 'points',
        'x-level': 'advanced',
      }),
    ),
    precisionMetres: Type.Optional(
      Type.Number({
        minimum: 0.001,
        maximum: 1,
        title: 'Precision',
        description:
          'Places are rounded by no more than this, and by no more than a small part of the distance between points. Tiles take less space the less exact they are.',
        default: 0.005,
        'x-unit': 'm',
        'x-level': 'advanced',
      }),
    ),
    spacing: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 1000,
        title: 'Spacing of the coarsest tiles',
        description:
          'Metres between neighbouring points where the viewer shows the least; each finer level has half of it. Taken as a power of two (1, 2, 4 … or 0.5, 0.25 …), the next one below. Default: automatic, a 128th of the cube around all points.',
        'x-unit': 'm',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Tiles' },
);

const processing = Type.Object(
  {
    duplicates: Type.Optional(
      Type.String({
        enum: ['drop', 'keep'],
        title: 'Duplicates',
        description:
          'Points that are equal in place, time and attributes. drop: one is kept of each, and they are counted.',
        default: 'drop',
        'x-level': 'advanced',
      }),
    ),
    colour: Type.Optional(ColourOptions),
    compareTo: Type.Optional(CompareOptions),
    ...sheetProcessing.properties,
  },
  { title: 'Processing' },
);

const output = Type.Object(
  {
    encoding: Type.Optional(
      Type.String({
        enum: ['pnts', 'glb'],
        title: 'Encoding of tiles',
        description:
          'pnts: 3D Tiles 1.0, which VC Map can style. glb: 3D Tiles 1.1, smaller, for other programs; VC Map shows it in its own colours only.',
        default: 'pnts',
        'x-level': 'advanced',
      }),
    ),
    format: Type.Optional(
      Type.String({
        enum: ['3tz', 'folder'],
        title: 'Format',
        description:
          '3tz: one archive, served tile by tile. folder: one file per tile, for other servers; at most 200,000.',
        default: '3tz',
      }),
    ),
    packing: Type.Optional(
      Type.String({
        enum: ['zstd', 'deflate'],
        title: 'Packing',
        description:
          'How tiles are packed in the archive. zstd: faster, and served as they are. deflate: for other programs that read archives.',
        default: 'zstd',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Output' },
);

export const tilesPointcloud = {
  ...tilesPointcloudType,
  otherName: 'pointcloud',
  folder: 'tiles-pointcloud',
  title: 'Create point cloud tiles',
  description:
    'Turns point clouds (LAS, LAZ, COPC, E57, PLY, PTX, PTS, text) of any size into 3D tiles for globes, which can be styled by class, intensity and colour.',
  permission: 'accessPointcloudJob',
  purpose: 'prepare',
  icon: 'Grip',
  suggest,
  mapsOf: ['pointCloud'],
  options: Type.Object({
    modelOptions: Type.Optional(modelOptions),
    heights: Type.Optional(heights),
    tiling: Type.Optional(tiling),
    processing: Type.Optional(processing),
    output: Type.Optional(output),
  }),
  // measured with LAZ of format 6 on two cores
  phases: {
    read: { unit: 'points', share: 0.5 },
    make: { unit: 'points', share: 0.4 },
    combine: { unit: 'tiles', share: 0.05 },
    write: { unit: 'tiles', share: 0.05 },
  },
  resumes: true,
} as const satisfies TaskSpec;

export type TilesPointcloudOptions = Static<typeof tilesPointcloud.options>;
