import { Type } from 'typebox';

/** `mask` of job types that show sheets as pictures; see `readMask`. */
export const sheetMask = Type.Object(
  {
    noData: Type.Optional(
      Type.Array(Type.Number(), {
        minItems: 1,
        maxItems: 100,
        title: 'Values without data',
        description:
          'Pixels are transparent whose shown bands all have one of these values. Default: the value that each file declares.',
        'x-level': 'advanced',
      }),
    ),
    noDataOfBands: Type.Optional(
      Type.Array(Type.Number(), {
        minItems: 1,
        maxItems: 100,
        title: 'Values without data, by band',
        description:
          'One value for each band of the files, in their order. Pixels are transparent whose shown bands all have their own.',
        'x-level': 'advanced',
      }),
    ),
    colour: Type.Optional(
      Type.String({
        pattern: '^#[0-9a-fA-F]{6}$',
        title: 'Transparent colour',
        description: 'Pixels of this colour are transparent, wherever they are. Default: none.',
      }),
    ),
    collar: Type.Optional(
      Type.String({
        enum: ['none', 'auto', 'black', 'white'],
        title: 'Remove collar',
        description:
          'Makes the black or white around scanned or rotated sheets transparent: what is connected with their border, not black or white inside. auto: both.',
        default: 'none',
      }),
    ),
    tolerance: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        title: 'Tolerance',
        description:
          'How much red, green and blue may each differ from the transparent colour, or from the black and white of collars.',
        default: 10,
        'x-level': 'advanced',
      }),
    ),
    feather: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 256,
        title: 'Soft edges',
        description:
          'Pixels of a sheet over which it fades into the sheet below, where they overlap. 0: the upper sheet is shown up to its edge.',
        default: 0,
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Transparency' },
);
