import { Type } from 'typebox';
import { threadOptions } from '../kit/thread-options.ts';
import { rampNames } from './ramp-names.ts';

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

const colourStop = Type.Object({
  value: Type.Number({ title: 'Value', description: 'A number of the band.' }),
  colour: Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    title: 'Colour',
    description: 'The colour of the value.',
  }),
  title: Type.Optional(
    Type.String({
      maxLength: 200,
      title: 'Title',
      description: 'What the legend calls it. Default: the value.',
    }),
  ),
});

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
          'The values that become black and white, or the ends of the ramp. Default: colours of 8 bits stay as they are; of other values, all but the lowest and highest 2 % of a sample of all sheets.',
        'x-level': 'advanced',
      }),
    ),
    stretch: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 20,
        title: 'Stretch',
        description:
          'How many per cent of the lowest values of a sample become black, and of the highest ones white; 0: the lowest and the highest. Images of 8 bits are stretched only if it is set. Default: 2.',
        'x-unit': '%',
        'x-level': 'advanced',
      }),
    ),
    gamma: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 10,
        title: 'Gamma',
        description: 'Above 1, dark values become lighter; below 1, darker. Black and white stay.',
        default: 1,
        'x-level': 'advanced',
      }),
    ),
    ramp: Type.Optional(
      Type.String({
        enum: [...rampNames],
        title: 'Colour ramp',
        description:
          'Colours one band from its low values to its high ones. The legend follows from it. Default: none.',
        'x-level': 'advanced',
      }),
    ),
    stops: Type.Optional(
      Type.Array(colourStop, {
        minItems: 1,
        maxItems: 40,
        title: 'Values and their colours',
        description:
          'Own colours of one band, with ascending values, instead of a ramp. The legend follows from them.',
        'x-level': 'advanced',
      }),
    ),
    classed: Type.Optional(
      Type.Boolean({
        title: 'Classes',
        description:
          'Each of the own colours reaches from its value to the next. Otherwise colours between two values are interpolated.',
        default: false,
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Colours' },
);

/** How pixels are computed: `tiling.resampling`, `image.resampling`. */
export const sheetResampling = Type.Optional(
  Type.String({
    enum: ['nearest', 'bilinear', 'cubic', 'lanczos', 'average', 'mode'],
    title: 'Resampling',
    description:
      'How pixels between those of the sheets are computed. nearest: every colour stays, for classes and plans. bilinear: fast and soft. cubic: sharper. lanczos: sharpest, with rims at hard edges. average: of all that a pixel covers. mode: the colour of most of it, at every zoom, for classes.',
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
