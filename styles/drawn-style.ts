import type { ColourRule, MapStyle, SizeRule, StyledShape, StyleFilter } from '@platen/contract/map-styles';
import { boundsOf, colourAt, sizeAt } from './class-bounds.ts';
import { colourOfStops } from './colour-of-stops.ts';
import { outlineOf } from './outline-colour.ts';
import { hasMarkers } from './marker.ts';
import { defaultOpacity, defaultOutlineWidth, styleDefaults } from './style-defaults.ts';

/** The value of an attribute of a feature; undefined if it has none. */
export type ValueOf = (attribute: string) => unknown;

/** How one feature is drawn. Sizes and widths are in pixels. */
export interface DrawnStyle {
  /** `#rrggbb` */
  readonly colour: string;
  /** 0 to 1. */
  readonly opacity: number;
  /** Diameter of points. */
  readonly pointSize: number;
  readonly lineWidth: number;
  /** Around points and areas; undefined for none. */
  readonly outline: { readonly colour: string; readonly width: number } | undefined;
}

/** Says how features are drawn in a style, as `declarativeStyle` says it to map viewers; undefined: not at all. */
export function styleDrawer(style: MapStyle, shape: StyledShape): (value: ValueOf) => DrawnStyle | undefined {
  const opacity = style.opacity ?? defaultOpacity(shape);
  const { size, filter = [] } = style;
  const pointSize = hasMarkers(style) ? styleDefaults.markerSize : styleDefaults.pointSize;
  return (value) => {
    if (!filter.every((one) => passes(one, value))) return undefined;
    const colour = colourOf(style.colour, value);
    if (colour === undefined) return undefined;
    const own = size && sizeOf(size, value);
    return {
      colour,
      opacity,
      pointSize: own ?? pointSize,
      lineWidth: own ?? styleDefaults.lineWidth,
      outline: outlineAround(style, shape, colour),
    };
  };
}

function outlineAround({ outline }: MapStyle, shape: StyledShape, colour: string): DrawnStyle['outline'] {
  if (outline === null || shape === 'line' || shape === 'object') return undefined;
  if (outline) return outline;
  return { colour: outlineOf(colour), width: defaultOutlineWidth(shape) };
}

function passes({ attribute, operator, values = [] }: StyleFilter, valueOf: ValueOf): boolean {
  const value = valueOf(attribute);
  const isMissing = value === null || value === undefined;
  const [first = ''] = values;
  if (operator === 'missing') return isMissing;
  if (operator === 'exists') return !isMissing;
  if (operator === 'in') return values.some((one) => one === value);
  if (operator === 'notIn') return values.every((one) => one !== value);
  if (operator === '=') return value === first;
  if (operator === '!=') return value !== first;
  return isCompared(numberOf(value), operator, Number(first));
}

function isCompared(number: number | undefined, operator: '<' | '<=' | '>' | '>=', limit: number): boolean {
  if (number === undefined) return false;
  if (operator === '<') return number < limit;
  if (operator === '<=') return number <= limit;
  return operator === '>' ? number > limit : number >= limit;
}

/** Numbers in text count. */
function numberOf(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

function colourOf(rule: ColourRule, valueOf: ValueOf): string | undefined {
  if (rule.type === 'single') return rule.colour;
  const value = valueOf(rule.attribute);
  if (rule.type === 'categories') {
    const category = rule.categories.find(({ values }) => values.some((one) => one === value));
    return category?.colour ?? rule.others?.colour;
  }
  const number = numberOf(value);
  if (number === undefined) return rule.noValue?.colour;
  if (rule.type === 'classes') return colourAt(rule.colours, classOf(rule.breaks, number));
  return colourOfStops(rule.stops, number);
}

const classOf = (breaks: readonly number[], number: number): number =>
  boundsOf(breaks).findIndex(({ to }) => to === undefined || number < to);

function sizeOf(rule: SizeRule, valueOf: ValueOf): number {
  if (rule.type === 'single') return rule.size;
  const number = numberOf(valueOf(rule.attribute));
  if (rule.type === 'classes')
    return sizeAt(rule.sizes, number === undefined ? 0 : classOf(rule.breaks, number));
  const { from, to } = rule;
  if (number === undefined) return from.size;
  const share = Math.min(1, Math.max(0, (number - from.value) / (to.value - from.value || 1)));
  return from.size + (to.size - from.size) * share;
}
