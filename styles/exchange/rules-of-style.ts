import type { MapStyle, StyledShape } from '@platen/contract/map-styles';
import { boundsOf, colourAt, type ClassBounds } from '../class-bounds.ts';
import { fullHatch } from '../hatch.ts';
import { outlineOf } from '../outline-colour.ts';
import { colourEntries } from '../legend.ts';
import { defaultOpacity, defaultOutlineWidth, styleDefaults } from '../style-defaults.ts';
import { withColours } from '../with-colours.ts';
import { conditionOf } from './conditions.ts';
import type { Condition, RuleSymbol, StyleRule, SymbolShape } from './rules.ts';

/** Words for what has no title, as the names of rules in files. */
export const ruleWords = { locale: 'en', others: 'Other', noValue: 'No value' };

/** The shape that files know. */
export const symbolShape = (shape: StyledShape): SymbolShape =>
  shape === 'object' ? 'area' : shape === 'cloud' ? 'point' : shape;

/** The symbol of a style, with all defaults, in the colours of its rule. */
export function symbolOfStyle(style: MapStyle, shape: SymbolShape): RuleSymbol {
  const { colour, size } = style;
  const isSized = shape !== 'area';
  const area = colour.type === 'single' ? colour.colour : styleDefaults.colour;
  const hatch = style.hatch && shape === 'area' ? fullHatch(style.hatch, area) : undefined;
  const defaultSize = shape === 'line' ? styleDefaults.lineWidth : styleDefaults.pointSize;
  const plainSize = size?.type === 'single' ? size.size : (size ?? defaultSize);
  return {
    shape,
    colour: colour.type === 'single' ? colour.colour : colour,
    opacity: style.opacity ?? defaultOpacity(shape),
    ...(isSized && { size: plainSize }),
    ...(shape !== 'line' && { outline: outlineOfStyle(style, shape) }),
    ...(hatch && { hatch }),
  };
}

function outlineOfStyle({ colour, outline }: MapStyle, shape: SymbolShape): RuleSymbol['outline'] {
  if (outline) return outline;
  if (outline === null) return null;
  const width = defaultOutlineWidth(shape);
  const dark = withColours(colour, outlineOf);
  return { colour: dark.type === 'single' ? dark.colour : dark, width };
}

/**
 * A style as rules: one for each category or class, in the order of the legend. The last one says what it is for rather
 * than “else”, which filters do not limit, and which QGIS draws for all features.
 */
export function rulesOfStyle(style: MapStyle, shape: SymbolShape): StyleRule[] {
  const { colour } = style;
  const filter = (style.filter ?? []).map(conditionOf);
  const symbol = symbolOfStyle(style, shape);
  const drawn = (hex: string, hatch = style.hatch): RuleSymbol => ({
    ...symbol,
    colour: hex,
    ...(hatch && shape === 'area' && { hatch: fullHatch(hatch, hex) }),
    ...(symbol.outline && {
      outline: { ...symbol.outline, colour: style.outline?.colour ?? outlineOf(hex) },
    }),
  });
  const titled = (i: number, title: string | undefined) => ({
    name: colourEntries(colour, ruleWords)[i]?.title ?? '',
    ...(title && { title }),
  });
  switch (colour.type) {
    case 'single':
      return [{ conditions: filter, symbol }];
    case 'categories': {
      const { attribute, others } = colour;
      const all = colour.categories.flatMap(({ values }) => values);
      return [
        ...colour.categories.map(({ values, colour: hex, title, hatch }, i) => ({
          ...titled(i, title),
          conditions: [...filter, equalTo(attribute, values)],
          symbol: drawn(hex, hatch),
        })),
        ...(others
          ? [
              {
                ...titled(colour.categories.length, others.title),
                conditions: [...filter, { attribute, operator: 'notIn' as const, values: all }],
                symbol: drawn(others.colour),
              },
            ]
          : []),
      ];
    }
    case 'classes': {
      const { attribute, noValue } = colour;
      const bounds = boundsOf(colour.breaks);
      return [
        ...bounds.map((range, i) => ({
          ...titled(i, colour.titles?.[i]),
          conditions: [...filter, ...within(attribute, range)],
          symbol: drawn(colourAt(colour.colours, i)),
        })),
        ...(noValue ? [withoutValue(bounds.length, noValue)] : []),
      ];
    }
    case 'continuous': {
      const exists: Condition = { attribute: colour.attribute, operator: 'exists', values: [] };
      const { noValue } = colour;
      return [
        { conditions: [...filter, exists], symbol },
        ...(noValue ? [withoutValue(colour.stops.length, noValue)] : []),
      ];
    }
  }

  function withoutValue(i: number, { colour: hex, title }: { colour: string; title?: string }): StyleRule {
    const { attribute } = colour as { attribute: string };
    return {
      ...titled(i, title),
      conditions: [...filter, { attribute, operator: 'missing', values: [] }],
      symbol: drawn(hex),
    };
  }
}

const equalTo = (attribute: string, values: Condition['values']): Condition => ({
  attribute,
  operator: values.length === 1 ? '=' : 'in',
  values,
});

function within(attribute: string, { from, to }: ClassBounds): Condition[] {
  if (from === undefined && to === undefined) return [{ attribute, operator: 'exists', values: [] }];
  return [
    ...(from === undefined ? [] : [{ attribute, operator: '>=' as const, values: [from] }]),
    ...(to === undefined ? [] : [{ attribute, operator: '<' as const, values: [to] }]),
  ];
}
