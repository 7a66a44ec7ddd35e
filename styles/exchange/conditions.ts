import type { CategoryValue, StyleFilter } from '@platen/contract/map-styles';
import type { Condition } from './rules.ts';

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
export const isSameCondition = (one: Condition, other: Condition): boolean =>
  one.attribute === other.attribute && one.operator === other.operator && isSame(one.values, other.values);

/** The values of a test for equality; undefined for other tests. */
export const valuesOf = ({ operator, values }: Condition): readonly CategoryValue[] | undefined =>
  operator === '=' || operator === 'in' ? values : undefined;

/** One condition that holds if any of these does; undefined if there is none. */
export function anyOf(conditions: readonly Condition[]): Condition | undefined {
  const [first] = conditions;
  if (conditions.length <= 1 || !first) return first;
  const values = conditions.map(valuesOf);
  const others = conditions.filter(({ operator }) => operator !== 'missing');
  if (others.length === 1 && others[0]!.operator === 'notIn' && isOfOne(conditions)) return others[0];
  const isEmpty = others.length < conditions.length && others.every((one) => valuesOf(one)?.join('') === '');
  if (isEmpty && isOfOne(conditions)) return { attribute: first.attribute, operator: 'missing', values: [] };
  if (values.some((some) => !some) || !isOfOne(conditions)) return undefined;
  return { attribute: first.attribute, operator: 'in', values: values.flatMap((some) => some!) };
}

const isOfOne = (conditions: readonly Condition[]) =>
  conditions.every(({ attribute }) => attribute === conditions[0]?.attribute);

const opposites = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

/** The condition that holds where this one does not. */
export function negated({ attribute, operator, values }: Condition): Condition {
  switch (operator) {
    case '=':
    case 'in':
      return { attribute, operator: 'notIn', values };
    case '!=':
      return { attribute, operator: '=', values };
    case 'notIn':
      return { attribute, operator: 'in', values };
    case 'exists':
      return { attribute, operator: 'missing', values: [] };
    case 'missing':
      return { attribute, operator: 'exists', values: [] };
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { attribute, operator: opposites[operator], values };
  }
}

/** A condition as filters of a style. */
export function filtersOf({ attribute, operator, values }: Condition): StyleFilter[] {
  if (operator === 'notIn' && values.length === 1)
    return [{ attribute, operator: '!=', values: [...values] }];
  const isUnary = operator === 'exists' || operator === 'missing';
  return [{ attribute, operator, ...(!isUnary && { values: [...values] }) }];
}

export const conditionOf = ({ attribute, operator, values = [] }: StyleFilter): Condition => ({
  attribute,
  operator,
  values: operator === 'exists' || operator === 'missing' ? [] : values,
});

/** Whether the name of an attribute has a length that styles permit. */
export const isAttributeName = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && name.length <= 200;

/** Whether a constant is one that styles permit. */
export const isCategoryValue = (value: unknown): value is CategoryValue =>
  typeof value === 'string' ? value.length <= 1000 : typeof value === 'boolean' || Number.isFinite(value);

/** A constant of a format that writes all of them as text. */
export function valueOfText(text: string): CategoryValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text !== '' && String(number) === text && Number.isFinite(number) ? number : text;
}

/** A range of numbers of one attribute. */
export interface NumberRange {
  readonly from?: number;
  readonly to?: number;
  /** Whether the ends are where our classes have theirs: the lower one belongs to it, the upper one does not. */
  readonly isHalfOpen: boolean;
}

/** The range that conditions on one attribute describe; undefined if they do not, or if nothing is within. */
export function rangeOf(conditions: readonly Condition[]): NumberRange | undefined {
  let from: number | undefined;
  let to: number | undefined;
  let isHalfOpen = true;
  for (const { operator, values } of conditions) {
    if (operator === 'exists') continue;
    const [value] = values;
    if (typeof value !== 'number') return undefined;
    if (operator === '>' || operator === '>=') from = Math.max(from ?? value, value);
    else if (operator === '<' || operator === '<=') to = Math.min(to ?? value, value);
    else return undefined;
    isHalfOpen &&= operator === '>=' || operator === '<';
  }
  if (from === undefined && to === undefined) return undefined;
  if (from !== undefined && to !== undefined && from >= to) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), isHalfOpen };
}
