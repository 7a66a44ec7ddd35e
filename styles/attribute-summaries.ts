import type { InspectedField } from '@platen/contract/inspect';
import type { CategoryValue, StyledShape } from '@platen/contract/map-styles';
import { evenlySpaced } from './classify.ts';
import { knowsEachValue, type AttributeSummary } from './style-attribute.ts';

type Json = Readonly<Record<string, unknown>>;

const maxValues = 100;
const maxValueLength = 200;
const quantileCount = 101;

/**
 * Summaries of the attributes of features, of their first hundred distinct values each.
 * @param isPartial whether there are other features
 */
export function summariseAttributes(features: readonly Json[], isPartial = false): AttributeSummary[] {
  const names = new Set(features.flatMap((attributes) => Object.keys(attributes)));
  return [...names].flatMap((name) => {
    const all = features.map((attributes) => attributes[name]);
    const values = all.filter(isValue);
    const completeness = values.length / features.length;
    const summary = summarise(name, values);
    // one more for all texts that are too long for a style
    const count = summary.count + Number(all.some(isLongText));
    const counted = { ...summary, count, completeness, ...(isPartial && { isPartial }) };
    return values.length === 0 ? [] : [counted];
  });
}

function summarise(name: string, all: readonly CategoryValue[]): AttributeSummary {
  const types = new Set(all.map((value) => typeof value));
  const numbers = all.filter((value) => typeof value === 'number').toSorted((one, other) => one - other);
  const distinct = [...new Set(all)].slice(0, maxValues);
  return {
    name,
    type: types.size > 1 ? 'mixed' : (typeof all[0] as 'number' | 'boolean' | 'string'),
    ...(numbers.length > 0 && {
      min: numbers[0]!,
      max: numbers.at(-1)!,
      quantiles: evenlySpaced(numbers, quantileCount),
    }),
    count: distinct.length,
    values: distinct,
  };
}

function isValue(value: unknown): value is CategoryValue {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || (typeof value === 'string' && !isLongText(value));
}

const isLongText = (value: unknown): boolean => typeof value === 'string' && value.length > maxValueLength;

/** Of attributes in inspections and in fields of datasources. */
const inspectedTypes: ReadonlyMap<string, AttributeSummary['type']> = new Map([
  ['string', 'string'],
  ['date', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['mixed', 'mixed'],
]);

/** Summaries from the fields of an inspection, which knows few of their values; without those of which it knows none. */
export function inspectedSummaries(fields: readonly InspectedField[]): AttributeSummary[] {
  return fields.flatMap(({ name, type: given, examples, range }): AttributeSummary[] => {
    const type = inspectedTypes.get(given);
    if (name === '' || type === undefined || (examples.length === 0 && !range)) return [];
    const numbers = examples.filter((value) => typeof value === 'number');
    const ends = range ?? (numbers.length > 0 && { min: Math.min(...numbers), max: Math.max(...numbers) });
    const values = type === 'boolean' ? [false, true] : examples;
    return [{ name, type, ...ends, count: maxValues, values }];
  });
}

/**
 * Summaries from the `fields` that job types write to the properties of a datasource; those of one name are merged.
 * @param layerCount of the data, where some may have no fields
 */
export function fieldSummaries(fields: unknown, layerCount = 0): AttributeSummary[] {
  const byName = new Map<string, AttributeSummary[]>();
  const listed: unknown[] = Array.isArray(fields) ? fields : [];
  for (const field of listed) {
    const summary = summaryOf(field);
    if (summary) byName.set(summary.name, [...(byName.get(summary.name) ?? []), summary]);
  }
  const layers = new Set(listed.map((field) => (field as { layer?: unknown } | null)?.layer)).size;
  const wanted = Math.max(layers, layerCount);
  return [...byName.values()].map((each) => {
    const merged = each.reduce(merge);
    return each.length < wanted ? inPart(merged) : merged;
  });
}

const inPart = (summary: AttributeSummary): AttributeSummary => ({ ...summary, isPartial: true });

function summaryOf(field: unknown): AttributeSummary | undefined {
  if (typeof field !== 'object' || field === null) return undefined;
  const { name, type: given, min, max, count, values, quantiles, completeness, title, unit } = field as Json;
  const type = typeof given === 'string' ? inspectedTypes.get(given) : undefined;
  if (typeof name !== 'string' || type === undefined) return undefined;
  const known = Array.isArray(values) ? values.filter(isValue) : [];
  const numbers = Array.isArray(quantiles) ? quantiles.filter((value) => typeof value === 'number') : [];
  return {
    name,
    type,
    ...(typeof min === 'number' && typeof max === 'number' && { min, max }),
    count: typeof count === 'number' ? count : known.length,
    values: known,
    ...(numbers.length > 0 && { quantiles: numbers }),
    ...(typeof completeness === 'number' && { completeness }),
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(typeof unit === 'string' && unit !== '' && { unit }),
  };
}

function merge(one: AttributeSummary, other: AttributeSummary): AttributeSummary {
  const values = [...new Set([...one.values, ...other.values])];
  const ends = [one, other].flatMap(({ min, max }) =>
    min === undefined || max === undefined ? [] : [min, max],
  );
  const completeness = Math.max(one.completeness ?? 0, other.completeness ?? 0);
  const isPartial =
    one.completeness !== other.completeness ||
    [one, other].some((each) => each.isPartial === true || !knowsEachValue(each));
  const title = one.title ?? other.title;
  const unit = one.unit ?? other.unit;
  const quantiles = [...(one.quantiles ?? []), ...(other.quantiles ?? [])].toSorted((a, b) => a - b);
  return {
    name: one.name,
    type: one.type === other.type ? one.type : 'mixed',
    ...(ends.length > 0 && { min: Math.min(...ends), max: Math.max(...ends) }),
    count: Math.max(one.count, other.count, values.length),
    values: values.slice(0, maxValues),
    ...(quantiles.length > 0 && { quantiles }),
    ...(completeness > 0 && { completeness }),
    ...(isPartial && { isPartial }),
    ...(title !== undefined && { title }),
    ...(unit !== undefined && { unit }),
  };
}

const shapes: readonly (readonly [RegExp, StyledShape])[] = [
  [/Point$/, 'point'],
  [/LineString$/, 'line'],
  [/Polygon$/, 'area'],
];

/** The shape of geometry types such as `MultiPolygon`; `mixed` if they have several, or none is known. */
export function shapeOf(geometryTypes: readonly unknown[]): StyledShape {
  const found = new Set(
    geometryTypes.flatMap((type) =>
      shapes.filter(([pattern]) => pattern.test(String(type))).map(([, shape]) => shape),
    ),
  );
  const [shape] = found;
  return found.size === 1 ? shape! : 'mixed';
}
