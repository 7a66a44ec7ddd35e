import type { CategoryValue, ColourRule } from '@platen/contract/map-styles';
import { centralRange } from './central-range.ts';
import { cityClassColours } from './city-classes.ts';
import { classBreaks, roundBreaks, type ClassMethod } from './classify.ts';
import { namesIdentifier, namesTitle, namesUse } from './attribute-names.ts';
import { withEnds, type ColourEnds, type ContinuousRule } from './colour-ends.ts';
import { isDiverging, paletteColours, paletteSize, palettes } from './palettes.ts';

/** What is known of an attribute, in the form in which datasources list their fields. */
export interface AttributeSummary {
  readonly name: string;
  readonly type: 'number' | 'boolean' | 'string' | 'mixed';
  readonly min?: number;
  readonly max?: number;
  /** Number of distinct values; there may be more from 100 on. */
  readonly count: number;
  /** Some or all distinct values. */
  readonly values: readonly CategoryValue[];
  /** Evenly spaced quantiles of the numbers, both ends included. */
  readonly quantiles?: readonly number[];
  /** The share of features that have a value, if it is known. */
  readonly completeness?: number;
  /** Whether features that nobody has counted may have other values, or none. */
  readonly isPartial?: boolean;
  /** What people call it. */
  readonly title?: string;
  /** What its numbers are measured in. */
  readonly unit?: string;
  /** The colours that whoever made the data gives it, such as those of classes of points. */
  readonly usualColours?: ColourRule;
}

export const defaultColours = { others: '#b9c2c6', noValue: '#d5dadd' } as const;

/** From so many on, further values of an attribute are not listed. */
const maxListed = 100;

/** Whether the known values of an attribute are all that it has. */
export const knowsEachValue = ({ count, values }: AttributeSummary): boolean =>
  count < maxListed && values.length === count;

/** Texts with more values are names rather than categories. */
const maxTextCategories = 20;
/** More shades of a palette that interpolates its colours cannot be told apart. */
const maxShades = 12;
/** Further colours of Tableau10 are like the grey of all others. */
const tableauColours = 9;
/** Numbers with more values are amounts rather than categories. */
const maxNumericCategories = 7;
const classCount = 5;

/** Whether values only tell features apart. */
export function isIdentifier({ name, type, count, values }: AttributeSummary): boolean {
  if (namesIdentifier(name)) return true;
  return type === 'string' && count >= 100 && values.every((value) => String(value).length > 30);
}

/** Attributes that fewer features have leave most of a map grey. */
const minCompleteness = 0.5;
const isComplete = ({ completeness = 1 }: AttributeSummary) => completeness >= minCompleteness;

/** The attributes that colours can show, the most informative first. */
export function suggestedAttributes(attributes: readonly AttributeSummary[]): AttributeSummary[] {
  const scored = attributes.map((attribute) => ({
    attribute,
    score: scoreOf(attribute) * (isComplete(attribute) ? 1 : 0.1),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ attribute }) => attribute);
}

/** More colours are hard to tell apart at a glance. */
const maxDefaultCategories = 12;

/** The most informative attribute of few values that most features have, by which new maps are coloured. */
export const defaultAttribute = (attributes: readonly AttributeSummary[]): AttributeSummary | undefined =>
  suggestedAttributes(attributes).find((one) => one.count <= maxDefaultCategories && isComplete(one));

function scoreOf(attribute: AttributeSummary): number {
  const { name, type, count, min, max } = attribute;
  if (isIdentifier(attribute) || count < 2) return 0;
  if (type === 'boolean') return 2;
  if (type === 'string') return textScore(name, count);
  if (type !== 'number' || min === undefined || max === undefined || min >= max) return 0;
  return count <= maxNumericCategories ? 3 : 1;
}

/** A name tells features apart; a category says what they have in common, and what they are used for says most. */
function textScore(name: string, count: number): number {
  if (count > maxTextCategories) return 0;
  const weight = namesTitle(name) ? 0.4 : namesUse(name) ? 1.5 : 1;
  return (count <= maxDefaultCategories ? 4 : 2) * weight;
}

export interface ColourOptions {
  readonly palette?: string;
  readonly isReversed?: boolean;
}

/** Colours by an attribute: the usual ones if there are some, categories for few values or texts, else classes. */
export function colourBy(attribute: AttributeSummary, options: ColourOptions = {}): ColourRule {
  const usual =
    attribute.usualColours ??
    (options.palette === undefined ? cityClassColours(attribute, defaultColours.others) : undefined);
  if (usual) return usual;
  const isNumeric = attribute.type === 'number' && attribute.count > maxNumericCategories;
  return isNumeric ? classColours(attribute, options) : categoryColours(attribute, options);
}

/** A colour of its own for each value; those for which the palette has none left belong to the others. */
export function categoryColours({ name, values }: AttributeSummary, options: ColourOptions = {}): ColourRule {
  // Paired has the most colours, and no grey
  const palette = options.palette ?? (values.length <= tableauColours ? 'Tableau10' : 'Paired');
  const kept = values.slice(0, Math.min(paletteSize(palette), maxShades)).toSorted(compareValues);
  const colours = paletteColours(palette, kept.length, options.isReversed) ?? [];
  return {
    type: 'categories',
    attribute: name,
    palette,
    categories: kept.map((value, i) => ({ values: [value], colour: colours[i] ?? defaultColours.others })),
    others: { colour: defaultColours.others },
  };
}

const compareValues = (one: CategoryValue, other: CategoryValue) =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), 'en', { numeric: true });

/** How numbers are divided into classes. */
export interface Classing {
  readonly method?: ClassMethod;
  readonly count?: number;
}

/** The limits of classes, both ends included. */
export function attributeBreaks(attribute: AttributeSummary, classing: Classing): number[] {
  const { method = 'quantile', count = classCount } = classing;
  const breaks = roundBreaks(classBreaks(numbersOf(attribute), count, method));
  return breaks.length < 2 ? [0, 0] : breaks;
}

export function classColours(
  attribute: AttributeSummary,
  options: ColourOptions & Classing = {},
): ColourRule {
  const palette = options.palette ?? defaultPalette(attribute);
  const breaks = attributeBreaks(attribute, options);
  return {
    type: 'classes',
    attribute: attribute.name,
    palette,
    method: options.method ?? 'quantile',
    breaks,
    colours: paletteColours(palette, breaks.length - 1, options.isReversed) ?? [],
    noValue: { colour: defaultColours.noValue },
  };
}

export function continuousColours(attribute: AttributeSummary, options: ColourOptions = {}): ColourRule {
  const palette = options.palette ?? defaultPalette(attribute);
  const colours = paletteColours(palette, classCount, options.isReversed) ?? [];
  const rule: ContinuousRule = {
    type: 'continuous',
    attribute: attribute.name,
    palette,
    stops: colours.map((colour, value) => ({ value, colour })),
    noValue: { colour: defaultColours.noValue },
  };
  return withEnds(rule, dataEnds(attribute, palette));
}

/** The range of the data without outliers. The middle of a diverging palette is zero if values lie on both of its sides. */
export function dataEnds(attribute: AttributeSummary, palette: string | undefined): ColourEnds {
  const range = centralRange(numbersOf(attribute)) ?? { from: 0, to: 0 };
  const [from, to] = [toSixDigits(range.from), toSixDigits(range.to)];
  if (palette === undefined || !isDiverging(palette)) return { from, to };
  return { from, middle: from < 0 && to > 0 ? 0 : toSixDigits((from + to) / 2), to };
}

const toSixDigits = (value: number) => Number(value.toPrecision(6));

/** Values below and above zero get two hues. */
function defaultPalette({ min = 0, max = 0 }: AttributeSummary): string {
  return min < 0 && max > 0 ? 'RdYlBu' : 'YlGnBu';
}

/** Numbers that represent the distribution of an attribute as well as it is known. */
export function numbersOf({ quantiles, values, min, max }: AttributeSummary): number[] {
  if (quantiles && quantiles.length > 0) return [...quantiles];
  const numbers = values.filter((value) => typeof value === 'number');
  return [...numbers, ...(min === undefined ? [] : [min]), ...(max === undefined ? [] : [max])];
}

/** The same rule with the colours of another palette. */
export function withPalette(rule: ColourRule, palette: string, isReversed = false): ColourRule {
  if (rule.type === 'single' || !palettes.some(({ name }) => name === palette)) return rule;
  const colours = (count: number) => paletteColours(palette, count, isReversed)!;
  if (rule.type === 'categories') {
    const next = colours(rule.categories.length);
    return { ...rule, palette, categories: rule.categories.map((one, i) => ({ ...one, colour: next[i]! })) };
  }
  if (rule.type === 'classes')
    return { ...rule, palette, colours: colours(Math.max(1, rule.breaks.length - 1)) };
  const next = colours(rule.stops.length);
  return { ...rule, palette, stops: rule.stops.map((stop, i) => ({ ...stop, colour: next[i]! })) };
}

const coloursOf = (rule: Exclude<ColourRule, { type: 'single' }>): readonly string[] => {
  if (rule.type === 'classes') return rule.colours;
  return (rule.type === 'categories' ? rule.categories : rule.stops).map(({ colour }) => colour);
};

/** Whether the colours of a rule are those of its palette in reverse; single ones may have been changed since. */
export function isReversedPalette(rule: ColourRule): boolean {
  if (rule.type === 'single' || rule.palette === undefined) return false;
  const colours = coloursOf(rule);
  const { palette } = rule;
  const countSame = (isReversed: boolean) => {
    const made = paletteColours(palette, colours.length, isReversed);
    return colours.filter((colour, i) => colour === made?.[i]).length;
  };
  return countSame(true) > countSame(false);
}
