import { Type, type Static } from 'typebox';
import { oneOf, strict } from './schema.ts';

const Attribute = Type.String({ minLength: 1, maxLength: 200, description: 'Name of an attribute' });
const Title = Type.Optional(
  Type.String({ maxLength: 200, description: 'What the card calls the attribute; its name if absent' }),
);
const Prefix = Type.Optional(
  Type.String({
    maxLength: 1000,
    description: 'Put before the value, such as `https://example.org/photos/` before the name of a file',
  }),
);

export const TextRow = strict({
  type: Type.Literal('text'),
  attribute: Attribute,
  title: Title,
  unit: Type.Optional(Type.String({ maxLength: 40, description: 'Put after the value, such as `m²`' })),
  digits: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description: 'Decimal places of numbers; three at most if absent',
    }),
  ),
});

export const DateRow = strict({
  type: Type.Literal('date'),
  attribute: Attribute,
  title: Title,
  precision: Type.Optional(oneOf(['year', 'month', 'day', 'minute'], 'What is shown of it; `day` if absent')),
});

export const LinkRow = strict({
  type: Type.Literal('link'),
  attribute: Attribute,
  title: Title,
  prefix: Prefix,
  text: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text of the link; its address if absent' }),
  ),
});

export const PictureRow = strict({
  type: Type.Literal('picture'),
  attribute: Attribute,
  title: Title,
  prefix: Prefix,
  host: Type.Optional(
    Type.String({
      maxLength: 300,
      description:
        'Server whose pictures the page of the map may load, such as `https://photos.example.org`, if values are whole addresses',
    }),
  ),
});

/** One attribute on a card. */
export const CardRow = Type.Union([TextRow, DateRow, LinkRow, PictureRow]);
export type CardRow = Static<typeof CardRow>;

/** What a click on a feature shows, in terms of its attributes rather than of a map viewer. */
export const CardDesign = strict({
  place: oneOf(['balloon', 'panel'], 'At the feature, or at the edge of the map'),
  title: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Attribute whose value is the title; the title of the layer if absent',
    }),
  ),
  subtitle: Type.Optional(
    Type.String({ maxLength: 200, description: 'Attribute whose value is shown below the title' }),
  ),
  showsEmpty: Type.Optional(
    Type.Boolean({ description: 'Whether attributes without a value are shown, too; false by default' }),
  ),
  rows: Type.Array(CardRow, { maxItems: 100 }),
});
export type CardDesign = Static<typeof CardDesign>;
