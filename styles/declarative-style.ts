import type {
  ColourRule,
  LabelRule,
  MapStyle,
  SizeRule,
  StyledShape,
  StyleFilter,
  StyleIcon,
} from '@platen/contract/map-styles';
import { boundsOf, colourAt, sizeAt } from './class-bounds.ts';
import {
  attributeValue,
  colourLiteral,
  equalsAny,
  literal,
  numbersOfFeatures,
  numbersOfPoints,
  type NumberNotation,
  type StyleExpression,
} from './expression.ts';
import { fontFamilies, labelOptions } from './label-options.ts';
import { outlineOf } from './outline-colour.ts';
import { hasMarkers, markerImage, markerOf, markerPixels } from './marker.ts';
import { withPlacedLabels } from './placed-label-style.ts';
import { defaultOpacity, defaultOutlineWidth, styleDefaults } from './style-defaults.ts';

/** Options of a DeclarativeStyleItem of VC Map, which are those of 3D Tiles Styling and a few more. */
export type DeclarativeStyle = Readonly<Record<string, StyleExpression>>;

/**
 * Expresses a style in 3D Tiles Styling, the language of VC Map's DeclarativeStyleItem.
 * @param shape what is drawn; `mixed` draws widths as outlines of areas, too
 */
export function declarativeStyle(style: MapStyle, shape: StyledShape): DeclarativeStyle {
  const opacity = style.opacity ?? defaultOpacity(shape);
  const drawing = {
    ...showOf(style, notationOf(shape)),
    color: colourOf(style.colour, shape, opacity),
    ...strokesOf(style, shape),
    ...(style.label && shape !== 'cloud' && labelOf(style.label)),
  };
  return style.hasPlacedLabels === true ? withPlacedLabels(drawing, shape) : drawing;
}

const notationOf = (shape: StyledShape): NumberNotation =>
  shape === 'cloud' ? numbersOfPoints : numbersOfFeatures;

function colourOf(rule: ColourRule, shape: StyledShape, opacity: number): StyleExpression {
  const isOwn = rule.type === 'single' && rule.isOwn === true && shape === 'cloud';
  if (!isOwn) return colourExpression(rule, { opacity, notation: notationOf(shape) });
  return opacity < 1 ? `\${COLOR} * vec4(1, 1, 1, ${opacity})` : '${COLOR}';
}

function strokesOf(style: MapStyle, shape: StyledShape): DeclarativeStyle {
  const { colour, size, outline } = style;
  if (shape === 'object') return {};
  // without a size, the viewer draws points so large that there are no holes between them
  if (shape === 'cloud') return size?.type === 'single' ? { pointSize: sizeExpression(size) } : {};
  const strokes: Record<string, StyleExpression> = {};
  if ((shape === 'point' || shape === 'mixed') && hasMarkers(style)) {
    strokes['image'] = imageExpression(style);
    strokes['scale'] = sizeExpression(
      size ?? { type: 'single', size: styleDefaults.markerSize },
      markerPixels,
    );
  } else if (shape === 'point' || shape === 'mixed') {
    strokes['pointSize'] = size ? sizeExpression(size) : String(styleDefaults.pointSize);
    Object.assign(strokes, outlineOfPoints(style, shape));
  }
  if (shape === 'line' || shape === 'mixed')
    strokes['strokeWidth'] = size ? sizeExpression(size) : String(styleDefaults.lineWidth);
  if (shape === 'line') Object.assign(strokes, outlineOfPoints(style, shape));
  if (shape === 'area' && outline !== null) {
    strokes['strokeColor'] = outline
      ? colourLiteral(outline.colour)
      : colourExpression(colour, { change: outlineOf });
    strokes['strokeWidth'] = String(outline?.width ?? defaultOutlineWidth(shape));
  } else if (shape === 'area' || shape === 'mixed') {
    // without any outline, flat maps leave out the last corner of areas
    strokes['strokeColor'] = colourLiteral('#ffffff', 0);
    strokes['strokeWidth'] ??= '1';
  }
  return strokes;
}

/** Pages of Platen draw it at lines as well, see viewer/line-casings.ts. */
function outlineOfPoints({ colour, outline }: MapStyle, shape: StyledShape): DeclarativeStyle {
  if (outline === null) return {};
  return {
    pointOutlineColor: outline
      ? colourLiteral(outline.colour)
      : colourExpression(colour, { change: outlineOf }),
    pointOutlineWidth: String(outline?.width ?? defaultOutlineWidth(shape)),
  };
}

/** Features without a colour are not drawn, nor those that the filter excludes. */
function showOf({ colour, filter = [] }: MapStyle, notation: NumberNotation): DeclarativeStyle {
  const conditions = filter.map((one) => filterExpression(one, notation));
  if (colour.type === 'categories' && !colour.others)
    conditions.push(
      equalsAny(
        colour.attribute,
        colour.categories.flatMap(({ values }) => values),
      ) || 'false',
    );
  if ((colour.type === 'classes' || colour.type === 'continuous') && !colour.noValue)
    conditions.push(`!(${notation.hasNone(colour.attribute)})`);
  return conditions.length === 0
    ? {}
    : { show: conditions.map((condition) => `(${condition})`).join(' && ') };
}

function filterExpression(
  { attribute, operator, values = [] }: StyleFilter,
  { numberOf, hasNone, isMissing }: NumberNotation,
): string {
  const value = attributeValue(attribute);
  if (operator === 'missing') return isMissing(attribute);
  if (operator === 'exists') return `!(${isMissing(attribute)})`;
  if (operator === 'in') return equalsAny(attribute, values) || 'false';
  if (operator === 'notIn') return values.length === 0 ? 'true' : `!(${equalsAny(attribute, values)})`;
  const [first = ''] = values;
  if (operator === '=') return `${value} === ${literal(first)}`;
  if (operator === '!=') return `${value} !== ${literal(first)}`;
  return `!(${hasNone(attribute)}) && ${numberOf(attribute)} ${operator} ${Number(first)}`;
}

const unchanged = (hex: string) => hex;

interface Colouring {
  readonly opacity?: number;
  /** Of every colour. */
  readonly change?: (hex: string) => string;
  readonly notation?: NumberNotation;
}

function colourExpression(
  rule: ColourRule,
  { opacity = 1, change = unchanged, notation = numbersOfFeatures }: Colouring,
): StyleExpression {
  const colour = (hex: string) => colourLiteral(change(hex), opacity);
  if (rule.type !== 'continuous') return discreteExpression(rule, colour, notation);
  const number = notation.numberOf(rule.attribute);
  const between = rule.stops.slice(1).map((stop, i) => {
    const before = rule.stops[i]!;
    const share = `(${number} - ${before.value}) / ${stop.value - before.value || 1}`;
    return [stop.value, `mix(${colour(before.colour)}, ${colour(stop.colour)}, ${share})`] as const;
  });
  const [first, last] = [rule.stops[0]!, rule.stops.at(-1)!];
  return numericConditions(rule, { colour, notation }, [
    [first.value, colour(first.colour)],
    ...between,
    [undefined, colour(last.colour)],
  ]);
}

/** @param draw what features of a colour have, as an expression */
function discreteExpression(
  rule: Exclude<ColourRule, { type: 'continuous' }>,
  draw: (colour: string, icon?: StyleIcon) => string,
  notation = numbersOfFeatures,
): StyleExpression {
  switch (rule.type) {
    case 'single':
      return draw(rule.colour);
    case 'categories':
      return {
        conditions: [
          ...rule.categories.map(
            (one) => [equalsAny(rule.attribute, one.values), draw(one.colour, one.icon)] as const,
          ),
          ['true', draw(rule.others?.colour ?? styleDefaults.colour)],
        ],
      };
    case 'classes': {
      const bounds = boundsOf(rule.breaks);
      return numericConditions(rule, { colour: draw, notation }, [
        ...bounds.slice(0, -1).map(({ to }, i) => [to!, draw(colourAt(rule.colours, i))] as const),
        [undefined, draw(colourAt(rule.colours, bounds.length - 1))],
      ]);
    }
  }
}

/** Pictures cannot be interpolated: each value has the one of the nearest stop. */
function imageExpression(style: MapStyle): StyleExpression {
  const { colour } = style;
  const draw = (hex: string, icon?: StyleIcon) => literal(markerImage(markerOf(style, hex, icon)));
  if (colour.type !== 'continuous') return discreteExpression(colour, draw);
  const { attribute, stops, noValue } = colour;
  const middles = stops.slice(1).map(({ value }, i) => (stops[i]!.value + value) / 2);
  const breaks = [stops[0]!.value, ...middles, stops.at(-1)!.value];
  const colours = stops.map((stop) => stop.colour);
  return discreteExpression(
    { type: 'classes', attribute, breaks, colours, ...(noValue && { noValue }) },
    draw,
  );
}

/** @param below what applies below which number; the last one has no number */
function numericConditions(
  { attribute, noValue }: { attribute: string; noValue?: { colour: string } },
  { colour, notation }: { colour: (hex: string) => string; notation: NumberNotation },
  below: readonly (readonly [number | undefined, string])[],
): StyleExpression {
  return {
    conditions: [
      [notation.hasNone(attribute), colour(noValue?.colour ?? styleDefaults.colour)],
      ...conditionsBelow(notation.numberOf(attribute), below),
    ],
  };
}

function conditionsBelow(number: string, below: readonly (readonly [number | undefined, string])[]) {
  return below.map(([limit, value]) =>
    limit === undefined ? (['true', value] as const) : ([`${number} < ${limit}`, value] as const),
  );
}

/** @param unit pixels of a size of 1 */
function sizeExpression(rule: SizeRule, unit = 1): StyleExpression {
  const inUnits = (pixels: number) => pixels / unit;
  if (rule.type === 'single') return String(inUnits(rule.size));
  const { numberOf, hasNone } = numbersOfFeatures;
  if (rule.type === 'classes') {
    const bounds = boundsOf(rule.breaks);
    const size = (i: number) => String(inUnits(sizeAt(rule.sizes, i)));
    return {
      conditions: [
        [hasNone(rule.attribute), size(0)],
        ...conditionsBelow(numberOf(rule.attribute), [
          ...bounds.slice(0, -1).map(({ to }, i) => [to!, size(i)] as const),
          [undefined, size(bounds.length - 1)],
        ]),
      ],
    };
  }
  const { attribute, from, to } = rule;
  const share = `clamp((${numberOf(attribute)} - ${from.value}) / ${to.value - from.value || 1}, 0, 1)`;
  return {
    conditions: [
      [hasNone(attribute), String(inUnits(from.size))],
      ['true', `${inUnits(from.size)} + ${inUnits(to.size - from.size)} * ${share}`],
    ],
  };
}

function labelOf(label: LabelRule): DeclarativeStyle {
  const { attribute, font, size, isBold, colour, haloColour } = labelOptions(label);
  const { maxDistance } = label;
  const value = attributeValue(attribute);
  return {
    labelText: {
      conditions: [
        [`${value} === null || ${value} === undefined`, "''"],
        ['true', `String(${value})`],
      ],
    },
    font: `'${isBold ? '600 ' : ''}${size}px ${fontFamilies[font]}'`,
    labelColor: colourLiteral(colour),
    labelOutlineColor: colourLiteral(haloColour),
    labelOutlineWidth: String(2 * styleDefaults.haloWidth),
    labelStyle: '2', // filled, with an outline
    anchorLineEnabled: 'false',
    ...(maxDistance !== undefined && { distanceDisplayCondition: `vec2(0, ${maxDistance})` }),
  };
}
