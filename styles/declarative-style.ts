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
  attributeNumber,
  attributeValue,
  colourLiteral,
  equalsAny,
  hasNoNumber,
  literal,
  type StyleExpression,
} from './expression.ts';
import { labelOptions } from './label-options.ts';
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
    ...showOf(style),
    color: colourExpression(style.colour, opacity),
    ...(shape === 'object' ? {} : strokesOf(style, shape)),
    ...(style.label && labelOf(style.label)),
  };
  return style.hasPlacedLabels === true ? withPlacedLabels(drawing, shape) : drawing;
}

function strokesOf(style: MapStyle, shape: StyledShape): DeclarativeStyle {
  const { colour, size, outline } = style;
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
    strokes['strokeColor'] = outline ? colourLiteral(outline.colour) : colourExpression(colour, 1, outlineOf);
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
    pointOutlineColor: outline ? colourLiteral(outline.colour) : colourExpression(colour, 1, outlineOf),
    pointOutlineWidth: String(outline?.width ?? defaultOutlineWidth(shape)),
  };
}

/** Features without a colour are not drawn, nor those that the filter excludes. */
function showOf({ colour, filter = [] }: MapStyle): DeclarativeStyle {
  const conditions = filter.map(filterExpression);
  if (colour.type === 'categories' && !colour.others)
    conditions.push(
      equalsAny(
        colour.attribute,
        colour.categories.flatMap(({ values }) => values),
      ) || 'false',
    );
  if ((colour.type === 'classes' || colour.type === 'continuous') && !colour.noValue)
    conditions.push(`!(${hasNoNumber(colour.attribute)})`);
  return conditions.length === 0
    ? {}
    : { show: conditions.map((condition) => `(${condition})`).join(' && ') };
}

function filterExpression({ attribute, operator, values = [] }: StyleFilter): string {
  const value = attributeValue(attribute);
  const isMissing = `${value} === null || ${value} === undefined`;
  if (operator === 'missing') return isMissing;
  if (operator === 'exists') return `!(${isMissing})`;
  if (operator === 'in') return equalsAny(attribute, values) || 'false';
  const [first = ''] = values;
  if (operator === '=') return `${value} === ${literal(first)}`;
  if (operator === '!=') return `${value} !== ${literal(first)}`;
  return `!(${hasNoNumber(attribute)}) && ${attributeNumber(attribute)} ${operator} ${Number(first)}`;
}

const unchanged = (hex: string) => hex;

/** @param change of every colour */
export function colourExpression(rule: ColourRule, opacity: number, change = unchanged): StyleExpression {
  const colour = (hex: string) => colourLiteral(change(hex), opacity);
  if (rule.type !== 'continuous') return discreteExpression(rule, colour);
  const number = attributeNumber(rule.attribute);
  const between = rule.stops.slice(1).map((stop, i) => {
    const before = rule.stops[i]!;
    const share = `(${number} - ${before.value}) / ${stop.value - before.value || 1}`;
    return [stop.value, `mix(${colour(before.colour)}, ${colour(stop.colour)}, ${share})`] as const;
  });
  const [first, last] = [rule.stops[0]!, rule.stops.at(-1)!];
  return numericConditions(rule, colour, [
    [first.value, colour(first.colour)],
    ...between,
    [undefined, colour(last.colour)],
  ]);
}

/** @param draw what features of a colour have, as an expression */
function discreteExpression(
  rule: Exclude<ColourRule, { type: 'continuous' }>,
  draw: (colour: string, icon?: StyleIcon) => string,
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
      return numericConditions(rule, draw, [
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
  colour: (hex: string) => string,
  below: readonly (readonly [number | undefined, string])[],
): StyleExpression {
  return {
    conditions: [
      [hasNoNumber(attribute), colour(noValue?.colour ?? styleDefaults.colour)],
      ...conditionsBelow(attribute, below),
    ],
  };
}

function conditionsBelow(attribute: string, below: readonly (readonly [number | undefined, string])[]) {
  return below.map(([limit, value]) =>
    limit === undefined
      ? (['true', value] as const)
      : ([`${attributeNumber(attribute)} < ${limit}`, value] as const),
  );
}

/** @param unit pixels of a size of 1 */
function sizeExpression(rule: SizeRule, unit = 1): StyleExpression {
  const inUnits = (pixels: number) => pixels / unit;
  if (rule.type === 'single') return String(inUnits(rule.size));
  if (rule.type === 'classes') {
    const bounds = boundsOf(rule.breaks);
    const size = (i: number) => String(inUnits(sizeAt(rule.sizes, i)));
    return {
      conditions: [
        [hasNoNumber(rule.attribute), size(0)],
        ...conditionsBelow(rule.attribute, [
          ...bounds.slice(0, -1).map(({ to }, i) => [to!, size(i)] as const),
          [undefined, size(bounds.length - 1)],
        ]),
      ],
    };
  }
  const { attribute, from, to } = rule;
  const share = `clamp((${attributeNumber(attribute)} - ${from.value}) / ${to.value - from.value || 1}, 0, 1)`;
  return {
    conditions: [
      [hasNoNumber(attribute), String(inUnits(from.size))],
      ['true', `${inUnits(from.size)} + ${inUnits(to.size - from.size)} * ${share}`],
    ],
  };
}

function labelOf(label: LabelRule): DeclarativeStyle {
  const { attribute, size, isBold, colour, haloColour } = labelOptions(label);
  const { maxDistance } = label;
  const value = attributeValue(attribute);
  return {
    labelText: {
      conditions: [
        [`${value} === null || ${value} === undefined`, "''"],
        ['true', `String(${value})`],
      ],
    },
    font: `'${isBold ? '600 ' : ''}${size}px sans-serif'`,
    labelColor: colourLiteral(colour),
    labelOutlineColor: colourLiteral(haloColour),
    labelOutlineWidth: String(2 * styleDefaults.haloWidth),
    labelStyle: '2', // filled, with an outline
    anchorLineEnabled: 'false',
    ...(maxDistance !== undefined && { distanceDisplayCondition: `vec2(0, ${maxDistance})` }),
  };
}
