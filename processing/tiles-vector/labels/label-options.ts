import { Type, type Static } from 'typebox';

/** Names that tiles place: see labels/place-labels.ts. */
export const LabelOptions = Type.Object(
  {
    attribute: Type.String({
      minLength: 1,
      maxLength: 200,
      title: 'Label by',
      description: 'The attribute whose text is the label, by its name in the tiles.',
      'x-editor': 'field',
    }),
    rankBy: Type.Optional(
      Type.Array(
        Type.Object({
          attribute: Type.String({ minLength: 1, maxLength: 200, title: 'Attribute', 'x-editor': 'field' }),
          order: Type.Optional(
            Type.String({
              enum: ['highest', 'lowest'],
              title: 'First',
              description:
                'highest: larger numbers are more important, and true is more important than false. lowest: the other way round.',
              default: 'highest',
            }),
          ),
        }),
        {
          maxItems: 4,
          title: 'Importance',
          description:
            'Attributes that say which of two labels is shown where both do not fit; the second one decides among equals of the first. Features without a number come last. Default: the order of the input.',
        },
      ),
    ),
    size: Type.Optional(
      Type.Number({
        minimum: 6,
        maximum: 72,
        title: 'Font size',
        description: 'For which labels must fit; the size at which maps draw them.',
        default: 13,
        'x-unit': 'px',
      }),
    ),
    distance: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 256,
        title: 'Distance',
        description: 'Between two labels, at least.',
        default: 8,
        'x-unit': 'px',
      }),
    ),
  },
  {
    title: 'Labels',
    description:
      'Gives each feature the smallest zoom level at which its label fits beside more important ones, for maps that draw all labels they get. Lines and areas get a point for it.',
    'x-level': 'advanced',
  },
);

export type LabelOptions = Static<typeof LabelOptions>;
