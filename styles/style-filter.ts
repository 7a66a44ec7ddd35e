import type { CategoryValue, StyleFilter } from '@platen/contract/map-styles';
import type { AttributeSummary } from './style-attribute.ts';

type Operator = StyleFilter['operator'];

const comparisons: readonly Operator[] = ['<', '<=', '>', '>='];
const others: readonly Operator[] = ['=', '!=', 'in', 'notIn', 'exists', 'missing'];

/** Whether an operator takes a list of values. */
export const takesList = (operator: Operator): boolean => operator === 'in' || operator === 'notIn';

/** The operators that make sense for an attribute; all, if nothing is known of it. */
export function operatorsOf(attribute: AttributeSummary | undefined): readonly Operator[] {
  const isOrdered = attribute === undefined || attribute.type === 'number' || attribute.type === 'mixed';
  return isOrdered ? [...others.slice(0, 2), ...comparisons, ...others.slice(2)] : others;
}

export const takesValue = (operator: Operator): boolean => operator !== 'exists' && operator !== 'missing';

/** A filter to begin with, which excludes nothing that has a value. */
export function filterBy({ name }: AttributeSummary): StyleFilter {
  return { attribute: name, operator: 'exists' };
}

/** The same filter with another operator, and as many of its values as that takes. */
export function withOperator(
  { attribute, values = [] }: StyleFilter,
  operator: Operator,
  summary: AttributeSummary | undefined,
): StyleFilter {
  if (!takesValue(operator)) return { attribute, operator };
  const first = values[0] ?? summary?.values[0] ?? (summary?.type === 'number' ? (summary.min ?? 0) : '');
  if (comparisons.includes(operator)) {
    const number = Number(first);
    return { attribute, operator, values: [Number.isFinite(number) ? number : 0] };
  }
  return { attribute, operator, values: takesList(operator) && values.length > 0 ? values : [first] };
}

/**
 * The values that a user wrote, one per line, of the type that the attribute has in the data: `12` may be a number or a
 * text. @returns undefined if a number is needed, and a line is none
 */
export function parseValues(
  text: string,
  operator: Operator,
  attribute: AttributeSummary | undefined,
): CategoryValue[] | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const written = takesList(operator) ? [...new Set(lines)].filter((line) => line !== '') : lines.slice(0, 1);
  const isNumeric = comparisons.includes(operator) || attribute?.type === 'number';
  if (isNumeric && written.some((line) => line === '' || !Number.isFinite(Number(line)))) return undefined;
  return written.map((line) => (isNumeric ? Number(line) : valueOf(line, attribute)));
}

function valueOf(text: string, attribute: AttributeSummary | undefined): CategoryValue {
  const known = attribute?.values.find((value) => String(value) === text);
  if (known !== undefined) return known;
  return attribute?.type === 'boolean' ? text === 'true' : text;
}

/** Some values of an attribute, such as those of a category. */
interface SomeValues {
  readonly attribute: string;
  readonly values: readonly CategoryValue[];
}

const isOn =
  ({ attribute }: SomeValues) =>
  (filter: StyleFilter): boolean =>
    filter.attribute === attribute && (takesList(filter.operator) || filter.operator === '!=');

/** Whether filters hide features with these values. */
export function hidesValues(filters: readonly StyleFilter[], some: SomeValues): boolean {
  return filters.filter(isOn(some)).some(({ operator, values = [] }) => {
    const isAmong = (value: CategoryValue) => values.includes(value);
    return operator === 'in' ? !some.values.some(isAmong) : some.values.every(isAmong);
  });
}

/** The filters, by which features with these values are hidden, or shown again. */
export function withHidden(
  filters: readonly StyleFilter[],
  some: SomeValues,
  isHidden: boolean,
): StyleFilter[] {
  const others = filters.filter((filter) => !isOn(some)(filter));
  const own = filters.filter(isOn(some));
  const add = (values: readonly CategoryValue[] = []) => [...new Set([...values, ...some.values])];
  const leave = (values: readonly CategoryValue[] = []) =>
    values.filter((value) => !some.values.includes(value));
  const only = own
    .filter(({ operator }) => operator === 'in')
    .map(({ attribute, operator, values }) => {
      const next = isHidden ? leave(values) : add(values);
      return { attribute, operator, values: next };
    });
  const hidden = own.flatMap(({ operator, values = [] }) => (operator === 'in' ? [] : values));
  const next = isHidden && only.length === 0 ? add(hidden) : leave(hidden);
  const { attribute } = some;
  return [
    ...others,
    ...only,
    ...(next.length > 0 ? [{ attribute, operator: 'notIn' as const, values: next }] : []),
  ];
}

/** The filters, by which only features with these values are shown. */
export function withOnly(filters: readonly StyleFilter[], some: SomeValues): StyleFilter[] {
  const { attribute, values } = some;
  return [
    ...filters.filter((filter) => !isOn(some)(filter)),
    { attribute, operator: 'in', values: [...values] },
  ];
}

/** The filters, by which features are shown whatever their value of the attribute is. */
export const withAll = (filters: readonly StyleFilter[], attribute: string): StyleFilter[] =>
  filters.filter((filter) => !isOn({ attribute, values: [] })(filter));
