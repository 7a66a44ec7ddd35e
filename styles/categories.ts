import type { CategoryValue, ColourRule } from '@platen/contract/map-styles';
import { parseColour } from '@platen/geo/canvas/colour';
import { paletteColours, palettes, paletteSize } from './palettes.ts';
import { defaultColours, knowsEachValue, type AttributeSummary } from './style-attribute.ts';
import { parseValues } from './style-filter.ts';

export type CategoryRule = Extract<ColourRule, { type: 'categories' }>;
export type Category = CategoryRule['categories'][number];

/** The limits of the contract: of categories, of values of one, and of characters of a title. */
const [maxCategories, maxValues, maxTitle] = [100, 100, 200];

/** What a category is called, in the legend as well. */
export function categoryName({ title, values }: Pick<Category, 'title' | 'values'>): string {
  const name = title || values.join(', ');
  return name.length > maxTitle ? `${name.slice(0, maxTitle - 1)}…` : name;
}

/** Known values of the attribute that no category has. */
export function otherValues(
  { categories }: CategoryRule,
  { values }: Pick<AttributeSummary, 'values'>,
): CategoryValue[] {
  const taken = new Set(categories.flatMap((one) => one.values));
  return values.filter((value) => !taken.has(value));
}

/** Whether no feature has another value than those of the categories, nor none. */
export const coversAll = (rule: CategoryRule, summary: AttributeSummary): boolean =>
  summary.isPartial !== true &&
  summary.completeness === 1 &&
  knowsEachValue(summary) &&
  otherValues(rule, summary).length === 0;

/** Why a value cannot become a category: the text is no number of an attribute of numbers, or it is one already. */
export type CategoryProblem = 'empty' | 'noNumber' | 'listed' | 'full';

/** Adds a category for a written value, which has the type that the attribute has in the data. */
export function addCategory(
  rule: CategoryRule,
  text: string,
  attribute: AttributeSummary | undefined,
): CategoryRule | CategoryProblem {
  if (text.trim() === '') return 'empty';
  const value = parseValues(text, '=', attribute)?.[0];
  if (value === undefined) return 'noNumber';
  if (rule.categories.some(({ values }) => values.includes(value))) return 'listed';
  if (rule.categories.length >= maxCategories) return 'full';
  return { ...rule, categories: [...rule.categories, { values: [value], colour: freeColour(rule) }] };
}

/** Whether the values of these categories fit into one. */
export const canMerge = ({ categories }: CategoryRule, chosen: ReadonlySet<number>): boolean =>
  chosen.size > 1 && valuesOf(categories.filter((_, i) => chosen.has(i))).length <= maxValues;

/** One category, in the place and the colour of the first of them, with the values and the titles of all. */
export function mergeCategories(rule: CategoryRule, chosen: ReadonlySet<number>): CategoryRule {
  const merged = rule.categories.filter((_, i) => chosen.has(i));
  const [first] = merged;
  if (!first || !canMerge(rule, chosen)) return rule;
  const { title: _, ...drawn } = first;
  const hasTitle = merged.some(({ title }) => title);
  const title = hasTitle
    ? { title: categoryName({ title: merged.map(categoryName).join(', '), values: [] }) }
    : {};
  const whole = { ...drawn, values: valuesOf(merged), ...title };
  const categories = rule.categories.flatMap((one) =>
    one === first ? [whole] : merged.includes(one) ? [] : [one],
  );
  return { ...rule, categories };
}

const valuesOf = (categories: readonly Category[]) => [
  ...new Set(categories.flatMap(({ values }) => values)),
];

/** Gives each value of a category one of its own; the first keeps the colour. */
export function splitCategory(rule: CategoryRule, index: number): CategoryRule {
  const { title: _, ...category } = rule.categories[index]!;
  const room = maxCategories - rule.categories.length + 1;
  if (category.values.length > room) return rule;
  const withParts = (parts: readonly Category[]) => ({
    ...rule,
    categories: rule.categories.toSpliced(index, 1, ...parts),
  });
  const parts: Category[] = [];
  for (const value of category.values) {
    const colour = parts.length === 0 ? category.colour : freeColour(withParts(parts));
    parts.push({ ...category, values: [value], colour });
  }
  return withParts(parts);
}

export const removeCategories = (rule: CategoryRule, chosen: ReadonlySet<number>): CategoryRule => ({
  ...rule,
  categories: rule.categories.filter((_, i) => !chosen.has(i)),
});

/**
 * Moves categories by one place, those beside each other together.
 * @returns the rule, and where the chosen categories are now
 */
export function moveCategories(rule: CategoryRule, chosen: ReadonlySet<number>, by: -1 | 1) {
  const categories = [...rule.categories];
  const moved = new Set(chosen);
  // the foremost first, so that it makes room for the next
  const order = [...chosen].toSorted((one, other) => (other - one) * by);
  for (const from of order) {
    const to = from + by;
    if (to < 0 || to >= categories.length || moved.has(to)) continue;
    [categories[from], categories[to]] = [categories[to]!, categories[from]!];
    moved.delete(from);
    moved.add(to);
  }
  return { rule: { ...rule, categories }, chosen: moved };
}

/** A colour of the palette that is unlike those in use; of another palette if they are all in use. */
function freeColour({ categories, palette = 'Paired' }: CategoryRule): string {
  const used = categories.map(({ colour }) => colour.toLowerCase());
  const unused = (name: string) =>
    candidatesOf(name).filter((colour) => !used.includes(colour.toLowerCase()));
  const own = unused(palette);
  const free = own.length > 0 ? own : palettes.filter(isQualitative).flatMap(({ name }) => unused(name));
  return farthest(free, used) ?? defaultColours.others;
}

const isQualitative = ({ kind }: { kind: string }) => kind === 'qualitative';

/** Of a palette that interpolates its colours, as many as can be told apart. */
const candidatesOf = (name: string) => paletteColours(name, Math.min(paletteSize(name), 12)) ?? [];

function farthest(colours: readonly string[], used: readonly string[]): string | undefined {
  const taken = used.map(parseColour);
  let best: { colour: string; distance: number } | undefined;
  for (const colour of colours) {
    const bands = parseColour(colour);
    const distances = taken.map((other) => bands.reduce((sum, band, i) => sum + (band - other[i]!) ** 2, 0));
    const distance = Math.min(Infinity, ...distances);
    if (!best || distance > best.distance) best = { colour, distance };
  }
  return best?.colour;
}
