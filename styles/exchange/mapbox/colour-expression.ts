import type { CategoryValue, ColourRule } from '@platen/contract/map-styles';
import { boundsOf, colourAt } from '../../class-bounds.ts';
import { styleDefaults } from '../../style-defaults.ts';

/** An expression of Mapbox and MapLibre styles. */
export type Expression = unknown;

export const get = (attribute: string): Expression[] => ['get', attribute];
const isNumber = (attribute: string): Expression => ['==', ['typeof', get(attribute)], 'number'];

/** The colours of a rule. */
export function colourExpression(colour: string | ColourRule): Expression {
  if (typeof colour === 'string') return colour;
  switch (colour.type) {
    case 'single':
      return colour.colour;
    case 'categories':
      return categoryExpression(colour.attribute, colour.categories, colour.others?.colour);
    case 'classes': {
      const steps = boundsOf(colour.breaks).flatMap(({ from }, i) => {
        const hex = colourAt(colour.colours, i);
        return from === undefined ? [hex] : [from, hex];
      });
      return ofNumber(colour.attribute, ['step', get(colour.attribute), ...steps], colour.noValue?.colour);
    }
    case 'continuous': {
      const stops = colour.stops.flatMap(({ value, colour: hex }) => [value, hex]);
      const ramp = ['interpolate', ['linear'], get(colour.attribute), ...stops];
      return ofNumber(colour.attribute, ramp, colour.noValue?.colour);
    }
  }
}

/** @param rest is for features whose attribute is no number */
export const ofNumber = (
  attribute: string,
  expression: unknown[],
  rest: Expression = styleDefaults.colour,
) => [
  'case',
  isNumber(attribute),
  // a single class has no limit, for which there is no expression
  expression[0] === 'step' && expression.length === 3 ? expression[2] : expression,
  rest,
];

/** `match` takes texts only, or whole numbers only. */
function categoryExpression(
  attribute: string,
  categories: readonly { readonly values: readonly CategoryValue[]; readonly colour: string }[],
  rest: string = styleDefaults.colour,
): Expression {
  if (categories.length === 0) return rest;
  const all = categories.flatMap(({ values }) => values);
  const isMatch = all.every((value) => typeof value === 'string') || all.every(Number.isSafeInteger);
  const isUnique = new Set(all).size === all.length;
  if (isMatch && isUnique)
    return ['match', get(attribute), ...categories.flatMap(({ values, colour }) => [values, colour]), rest];
  const cases = categories.flatMap(({ values, colour }) => [
    ['in', get(attribute), ['literal', values]],
    colour,
  ]);
  return ['case', ...cases, rest];
}
