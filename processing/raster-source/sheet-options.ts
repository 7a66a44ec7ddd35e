import { Type } from 'typebox';
import { threadOptions } from '../kit/thread-options.ts';

/** `processing` of job types that read sheets. */
export const sheetProcessing = Type.Object(
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

/** `colour` of job types that show sheets as pictures; see `readColours`. */
export const sheetColours = Type.Object(
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
        title: 'Range of values',
        description:
          'The values that become black and white. Default: colours of 8 bits stay as they are; of other values, all but the lowest and highest 2 % of a sample of all sheets.',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Colours' },
);

/** How pixels are computed: `tiling.resampling`, `image.resampling`. */
export const sheetResampling = Type.Optional(
  Type.String({
    enum: ['nearest', 'bilinear', 'cubic', 'lanczos', 'average'],
    title: 'Resampling',
    description:
      'How pixels between those of the sheets are computed. nearest: every colour stays, for classes and plans. bilinear: fast and soft. cubic: sharper. lanczos: sharpest, with rims at hard edges. average: of all that a pixel covers.',
    default: 'bilinear',
    'x-level': 'advanced',
  }),
);

/** `image.quality` */
export const imageQuality = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 100,
    title: 'Quality',
    description: 'Higher quality means larger files. For JPEG at most 89 is used.',
    default: 85,
  }),
);
