import { Type } from 'typebox';

/** `processing.colour` */
export const ColourOptions = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        title: 'Images',
        description:
          'Name of the input with the images: a file, a folder or an archive. Default: all images (GeoTIFF, COG, JPEG 2000, others with a world file) among the inputs.',
      }),
    ),
    when: Type.Optional(
      Type.String({
        enum: ['missing', 'always'],
        title: 'Which points',
        description: 'missing: those that have no colour, or are black. always: all, as far as images reach.',
        default: 'missing',
      }),
    ),
    classes: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
        minItems: 1,
        uniqueItems: true,
        title: 'Classes',
        description: 'Only points of these classes get colours, such as 2, 6 and 11. Default: all.',
        'x-level': 'advanced',
      }),
    ),
  },
  {
    title: 'Colour from images',
    description: 'Gives points the colours of orthophotos among the inputs, seen from above.',
    'x-level': 'advanced',
  },
);
