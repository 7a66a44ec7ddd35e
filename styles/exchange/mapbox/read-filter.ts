import type { CategoryValue } from '@platen/contract/map-styles';
import { anyOf, isAttributeName, isCategoryValue, negated } from '../conditions.ts';
import type { Condition } from '../rules.ts';

type Expression = readonly unknown[];
export const isExpression = (value: unknown): value is Expression => Array.isArray(value);

const conversions = new Set(['to-number', 'number', 'to-string', 'string']);

/** The attribute that an expression reads; undefined for other expressions. */
export function attributeOf(expression: unknown): string | undefined {
  if (!isExpression(expression)) return undefined;
  const [operator, first] = expression;
  if (operator === 'get' && expression.length === 2) return isAttributeName(first) ? first : undefined;
  return conversions.has(String(operator)) ? attributeOf(first) : undefined;
}

/** A constant as text, such as a colour; expressions become what is no constant. */
export function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  const isColour = isExpression(value) && (value[0] === 'rgb' || value[0] === 'rgba');
  return isColour ? `${value[0] as string}(${value.slice(1).join(',')})` : JSON.stringify(value);
}

const isGeometry = (value: unknown) =>
  value === '$type' || (isExpression(value) && value[0] === 'geometry-type');

/** Values of a list, with or without `literal`; undefined if any is none. */
export function listOf(value: unknown): readonly CategoryValue[] | undefined {
  if (!isExpression(value)) return isCategoryValue(value) ? [value] : undefined;
  const list = value[0] === 'literal' && isExpression(value[1]) ? value[1] : value;
  return list.every(isCategoryValue) ? list : undefined;
}

/**
 * The conditions of a filter, all of which have to hold; undefined if they cannot be expressed. Tests of the kind of
 * geometry are passed over, as layers draw one kind.
 */
export function readFilter(filter: unknown): readonly Condition[] | undefined {
  if (filter === undefined || filter === true) return [];
  if (!isExpression(filter)) return undefined;
  const [operator, ...args] = filter;
  switch (operator) {
    case 'all': {
      const all = args.map(readFilter);
      return all.includes(undefined) ? undefined : all.flatMap((some) => some!);
    }
    case 'any': {
      const all = args.map(readFilter);
      if (all.some((some) => some?.length !== 1)) return undefined;
      return oneOrNone(anyOf(all.map((some) => some![0]!)));
    }
    case '!': {
      const inner = readFilter(args[0]);
      return inner?.length === 1 ? [negated(inner[0]!)] : undefined;
    }
    case 'none': {
      const all = args.map(readFilter);
      if (all.some((some) => some?.length !== 1)) return undefined;
      return all.map((some) => negated(some![0]!));
    }
    default:
      return isGeometry(args[0]) ? [] : oneOrNone(readTest(String(operator), args));
  }
}

const oneOrNone = (condition: Condition | undefined) => condition && [condition];

function readTest(operator: string, args: Expression): Condition | undefined {
  const [first, second] = args;
  const isTypeTest = isExpression(first) && first[0] === 'typeof' && second === 'number';
  const tested = isTypeTest ? first[1] : first;
  const attribute = typeof tested === 'string' ? tested : attributeOf(tested);
  if (!isAttributeName(attribute)) return undefined;
  const one = (kind: Condition['operator'], values: readonly CategoryValue[] = []): Condition => ({
    attribute,
    operator: kind,
    values,
  });
  const exists = one('exists');
  switch (operator) {
    case 'has':
      return exists;
    case '!has':
      return one('missing');
    case 'in':
    case '!in': {
      const values = typeof first === 'string' ? listOf(args.slice(1)) : listOf(second);
      return values && one(operator === 'in' ? 'in' : 'notIn', values);
    }
    case 'match': {
      const values = listOf(second);
      const isPlain = args.length === 4 && args[2] === true && args[3] === false;
      const isNegated = args.length === 4 && args[2] === false && args[3] === true;
      if (!values || !(isPlain || isNegated)) return undefined;
      return one(isPlain ? 'in' : 'notIn', values);
    }
    case '==':
      if (isTypeTest) return exists;
      if (second === null) return one('missing');
      return isCategoryValue(second) ? one('=', [second]) : undefined;
    case '!=':
      if (second === null) return exists;
      return isCategoryValue(second) ? one('!=', [second]) : undefined;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isCategoryValue(second) ? one(operator, [second]) : undefined;
    default:
      return undefined;
  }
}
