import type { CategoryValue, StyleFilter } from '@platen/contract/map-styles';
import type { AttributeSummary } from './style-attribute.ts';

type Operator = StyleFilter['operator'];

const comparisons: readonly Operator[] = ['<', '<=', '>', '>='];
const others: readonly Operator[] = ['=', '!=', 'in', 'exists', 'missing'];

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
  return { attribute, operator, values: operator === 'in' && values.length > 0 ? values : [first] };
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
  const written = operator === 'in' ? [...new Set(lines)].filter((line) => line !== '') : lines.slice(0, 1);
  const isNumeric = comparisons.includes(operator) || attribute?.type === 'number';
  if (isNumeric && written.some((line) => line === '' || !Number.isFinite(Number(line)))) return undefined;
  return written.map((line) => (isNumeric ? Number(line) : valueOf(line, attribute)));
}

function valueOf(text: string, attribute: AttributeSummary | undefined): CategoryValue {
  const known = attribute?.values.find((value) => String(value) === text);
  if (known !== undefined) return known;
  return attribute?.type === 'boolean' ? text === 'true' : text;
}
