import type { ColourRule, MapStyle } from '@platen/contract/map-styles';
import { fieldSummaries } from '../attribute-summaries.ts';
import type { AttributeSummary } from '../style-attribute.ts';
import { readPointStyle } from './read-point-style.ts';

/** What numbers of LAS can be, where nothing else is known of them. */
const ranges: Readonly<Record<string, readonly [min: number, max: number]>> = {
  INTENSITY: [0, 65_535],
  INFRARED: [0, 65_535],
  USER_DATA: [0, 255],
  POINT_SOURCE: [0, 65_535],
  SCAN_ANGLE: [-90, 90],
  DISTANCE: [0, 5],
};

/** Returns are counted from 1; there are seldom more. */
const returns = [1, 2, 3, 4, 5];
const categories: Readonly<Record<string, readonly number[]>> = {
  RETURN_NUMBER: returns,
  NUMBER_OF_RETURNS: returns,
};

/**
 * What is known of the attributes of points: from the fields that jobs list, and from the styles that they make.
 * @param heights of the lowest and the highest point, if they are known
 */
export function pointAttributes(
  fields: unknown,
  styles: readonly unknown[],
  heights?: readonly number[],
): AttributeSummary[] {
  const rules = styles.flatMap((style) => readPointStyle(style)?.colour ?? []);
  return fieldSummaries(fields).map((summary) => describe(summary, rules, heights));
}

function describe(
  summary: AttributeSummary,
  rules: readonly ColourRule[],
  heights: readonly number[] | undefined,
): AttributeSummary {
  const rule = rules.find((one) => 'attribute' in one && one.attribute === summary.name);
  const isKnown = summary.values.length > 0 || summary.min !== undefined;
  const facts = isKnown ? {} : factsOf(summary.name, rule, heights);
  return { ...summary, ...facts, ...(rule && { usualColours: rule }) };
}

/** More values than categories have. */
const manyValues = 100;

function factsOf(
  name: string,
  rule: ColourRule | undefined,
  heights: readonly number[] | undefined,
): Partial<AttributeSummary> {
  if (rule?.type === 'categories') return fewValues(rule.categories.flatMap(({ values }) => values));
  if (rule?.type === 'classes') return between(rule.breaks[0]!, rule.breaks.at(-1)!);
  if (rule?.type === 'continuous') return between(rule.stops[0]!.value, rule.stops.at(-1)!.value);
  if (name === 'HEIGHT' && heights?.length === 2) return between(heights[0]!, heights[1]!);
  if (categories[name]) return fewValues(categories[name]);
  return ranges[name] ? between(...ranges[name]) : { count: manyValues };
}

const fewValues = (values: AttributeSummary['values']) => ({ values, count: values.length });
const between = (min: number, max: number) => ({ min, max, count: manyValues });

/** Whether the styles of points show their own colours, so that there are some. */
export const haveOwnColours = (styles: readonly unknown[]): boolean =>
  styles.some((style) => isOwn(readPointStyle(style)));

const isOwn = (style: MapStyle | undefined) => style?.colour.type === 'single' && style.colour.isOwn === true;
