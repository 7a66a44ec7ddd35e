import { Type, type Static } from 'typebox';
import { oneOf, strict } from './schema.ts';

const maxItems = 100;
const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Colour as `#rrggbb`' });
const Attribute = Type.String({ minLength: 1, maxLength: 200, description: 'Name of an attribute' });
const Title = Type.String({ maxLength: 200, description: 'What the legend calls it' });
const Pixels = Type.Number({ minimum: 0, maximum: 200 });

/** A value of an attribute; numbers and their texts are different values. */
export const CategoryValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);
export type CategoryValue = Static<typeof CategoryValue>;

export const StyleIcon = strict({
  name: Type.Optional(Type.String({ maxLength: 100, description: 'What it is called where it is from' })),
  path: Type.String({
    maxLength: 8000,
    pattern: '^[MmZzLlHhVvCcSsQqTtAaEe0-9 ,.+-]+$',
    description: 'SVG path in a square of 15 units',
  }),
});
export type StyleIcon = Static<typeof StyleIcon>;

export const hatchTypes = ['slash', 'backslash', 'diagonalCross', 'vertical', 'horizontal', 'cross'] as const;

export const Hatch = strict({
  type: oneOf(hatchTypes, 'Direction of its lines'),
  colour: Type.Optional({
    ...Colour,
    description: 'Colour of its lines; a darker shade of the area if absent',
  }),
  width: Type.Optional(Type.Number({ minimum: 0.5, maximum: 10, description: 'In pixels; 1.5 if absent' })),
  spacing: Type.Optional(
    Type.Number({
      minimum: 4,
      maximum: 100,
      description: 'Side of the square that repeats, in pixels; 10 if absent',
    }),
  ),
});
export type Hatch = Static<typeof Hatch>;

const Rest = strict({ colour: Colour, title: Type.Optional(Title) });
const rest = (what: string) =>
  Type.Optional({ ...Rest, description: `Colour of ${what}; not drawn if absent` });
const palette = Type.Optional(
  Type.String({ maxLength: 40, description: 'Name of the palette that the colours are from' }),
);

const heading = Type.Optional({
  ...Title,
  description: 'What the legend calls the attribute; readable words for its name if absent, nothing if empty',
});
const method = Type.Optional(oneOf(['equal', 'quantile', 'natural', 'own'], 'How the breaks were found'));
const titles = Type.Optional(
  Type.Array(Title, { maxItems: 20, description: 'One per class; empty for numbers' }),
);

export const SingleColour = strict({
  type: Type.Literal('single'),
  colour: Colour,
  title: Type.Optional({ ...Title, description: 'What the legend calls it; like the layer if absent' }),
  isOwn: Type.Optional(
    Type.Boolean({ description: 'Points of a cloud have their own colours instead of this one' }),
  ),
});

export const CategoryColours = strict({
  type: Type.Literal('categories'),
  attribute: Attribute,
  heading,
  palette,
  categories: Type.Array(
    strict({
      values: Type.Array(CategoryValue, { minItems: 1, maxItems }),
      colour: Colour,
      title: Type.Optional(Title),
      icon: Type.Optional({ ...StyleIcon, description: 'Precedes that of the style' }),
      hatch: Type.Optional({ ...Hatch, description: 'Precedes that of the style' }),
    }),
    { maxItems },
  ),
  others: rest('all other values'),
});

export const ClassColours = strict({
  type: Type.Literal('classes'),
  attribute: Attribute,
  heading,
  palette,
  method,
  breaks: Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 21,
    description:
      'Ascending; a class reaches from one break to the next, which belongs to the following class. Lower values belong to the first class, higher ones to the last',
  }),
  colours: Type.Array(Colour, { minItems: 1, maxItems: 20, description: 'One per class' }),
  titles,
  noValue: rest('features without a number'),
});

export const ContinuousColours = strict({
  type: Type.Literal('continuous'),
  attribute: Attribute,
  heading,
  palette,
  stops: Type.Array(strict({ value: Type.Number(), colour: Colour }), {
    minItems: 2,
    maxItems: 12,
    description: 'Ascending; colours between two stops are interpolated',
  }),
  noValue: rest('features without a number'),
});

export const ColourRule = Type.Union([SingleColour, CategoryColours, ClassColours, ContinuousColours], {
  description: 'Colour of points, lines, areas and objects',
});
export type ColourRule = Static<typeof ColourRule>;

const SingleSize = strict({ type: Type.Literal('single'), size: Pixels });
const ClassSizes = strict({
  type: Type.Literal('classes'),
  attribute: Attribute,
  heading,
  method,
  breaks: Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 21,
    description:
      'Ascending, as those of classes of colours. Features without a number belong to the first class',
  }),
  sizes: Type.Array(Pixels, { minItems: 1, maxItems: 20, description: 'One per class' }),
  titles,
});
const ContinuousSize = strict({
  type: Type.Literal('continuous'),
  attribute: Attribute,
  heading,
  from: strict({ value: Type.Number(), size: Pixels }),
  to: strict({ value: Type.Number(), size: Pixels }),
});
export const SizeRule = Type.Union([SingleSize, ClassSizes, ContinuousSize], {
  description: 'Diameter of points and markers, or width of lines, in pixels',
});
export type SizeRule = Static<typeof SizeRule>;

const Zoom = Type.Number({ minimum: 0, maximum: 24 });

export const ZoomSize = strict({
  far: { ...Zoom, description: 'Up to this zoom, sizes are multiplied by `share`' },
  near: { ...Zoom, description: 'From this zoom on, sizes are as the style says; greater than `far`' },
  share: Type.Number({ minimum: 0.05, maximum: 20 }),
});
export type ZoomSize = Static<typeof ZoomSize>;

export const labelFonts = ['sans', 'serif', 'mono'] as const;
export const labelPlacements = ['above', 'below', 'left', 'right', 'centre'] as const;

export const LabelRank = strict({
  attribute: Attribute,
  first: oneOf(['highest', 'lowest'], 'Which values come first; features without a number come last'),
});
export type LabelRank = Static<typeof LabelRank>;

export const LabelRule = strict({
  attribute: Attribute,
  font: Type.Optional(oneOf(labelFonts, 'Of the computer that shows the map; `sans` if absent')),
  size: Type.Optional(Type.Number({ minimum: 6, maximum: 72, description: 'In pixels; 13 if absent' })),
  isBold: Type.Optional(Type.Boolean()),
  colour: Type.Optional(Colour),
  haloColour: Type.Optional(Colour),
  placement: Type.Optional(
    oneOf(
      labelPlacements,
      'Where the label of a point is, seen from the point; above it, to the right, if absent. Areas and lines have theirs in the middle. In the map viewer of Platen',
    ),
  ),
  rank: Type.Optional({
    ...LabelRank,
    description:
      'Which labels of a layer stay where they would overlap; the first features if absent. In the map viewer of Platen; on flat maps within each tile of vector tiles',
  }),
  maxDistance: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 1e9,
      description: 'Metres from which labels are not drawn on a globe',
    }),
  ),
  minZoom: Type.Optional({
    ...Zoom,
    description:
      'From this zoom on, labels are drawn, in tiles of 256 pixels, on globes as on flat maps. In the map viewer of Platen',
  }),
});
export type LabelRule = Static<typeof LabelRule>;

export const StyleFilter = strict({
  attribute: Attribute,
  operator: oneOf(['=', '!=', '<', '<=', '>', '>=', 'in', 'notIn', 'exists', 'missing']),
  values: Type.Optional(
    Type.Array(CategoryValue, { maxItems, description: 'One, except for `in` and `notIn`' }),
  ),
});
export type StyleFilter = Static<typeof StyleFilter>;

/** How features are drawn, in terms of their attributes rather than of a map viewer. */
export const MapStyle = strict({
  colour: ColourRule,
  opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  size: Type.Optional(SizeRule),
  zoomSize: Type.Optional({
    ...ZoomSize,
    description:
      'How sizes of points and widths of lines change with the zoom, in tiles of 256 pixels; linear in between. In the map viewer of Platen; others draw the sizes of near zooms',
  }),
  icon: Type.Optional({
    ...StyleIcon,
    description: 'Points are markers with this icon; a continuous scale gives them the colours of its stops',
  }),
  outline: Type.Optional(
    Type.Union([strict({ colour: Colour, width: Pixels }), Type.Null()], {
      description: 'Outline of points and areas; null for none',
    }),
  ),
  hatch: Type.Optional({
    ...Hatch,
    description:
      'Lines over areas. Other map viewers than that of Platen draw them only on areas of one colour, without conditions and labels',
  }),
  label: Type.Optional(LabelRule),
  hasPlacedLabels: Type.Optional(
    Type.Boolean({
      description:
        'For vector tiles in which a job placed labels: only features with `label_zoom` have labels, and points with `label_only` are nothing else',
    }),
  ),
  filter: Type.Optional(
    Type.Array(StyleFilter, { maxItems: 20, description: 'Only features that match all of them are drawn' }),
  ),
});
export type MapStyle = Static<typeof MapStyle>;

/** What a style is drawn on: points, lines, areas, several of these, objects of 3D tiles, or the points of a cloud. */
export type StyledShape = 'point' | 'line' | 'area' | 'mixed' | 'object' | 'cloud';
