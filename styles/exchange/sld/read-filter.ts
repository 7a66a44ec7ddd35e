import type { CategoryValue } from '@platen/contract/map-styles';
import type { XmlElement } from '@platen/formats/xml/xml-tree';
import { anyOf, isAttributeName, isCategoryValue, negated, valueOfText } from '../conditions.ts';
import type { Condition } from '../rules.ts';

const comparisons = {
  PropertyIsEqualTo: '=',
  PropertyIsNotEqualTo: '!=',
  PropertyIsLessThan: '<',
  PropertyIsLessThanOrEqualTo: '<=',
  PropertyIsGreaterThan: '>',
  PropertyIsGreaterThanOrEqualTo: '>=',
} as const;
const mirrored = { '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** The name of an attribute, from an expression. */
export const propertyOf = ({ name, text }: XmlElement): string | undefined =>
  (name === 'PropertyName' || name === 'ValueReference') && isAttributeName(text) ? text : undefined;

export const literalOf = ({ name, text }: XmlElement): CategoryValue | undefined =>
  name === 'Literal' && isCategoryValue(text) ? valueOfText(text) : undefined;

/** The conditions of an OGC filter, all of which have to hold; undefined if they cannot be expressed. */
export function readFilter({ children }: XmlElement): readonly Condition[] | undefined {
  return children.length === 1 ? readOperator(children[0]!) : undefined;
}

function readOperator(operator: XmlElement): readonly Condition[] | undefined {
  const { name, children } = operator;
  switch (name) {
    case 'And': {
      const all = children.map(readOperator);
      return all.includes(undefined) ? undefined : all.flatMap((some) => some!);
    }
    case 'Or': {
      const all = children.map(readOperator);
      if (all.some((some) => some?.length !== 1)) return undefined;
      return oneOrNone(anyOf(all.map((some) => some![0]!)));
    }
    case 'Not': {
      const inner = children[0] && readOperator(children[0]);
      return inner?.length === 1 ? [negated(inner[0]!)] : undefined;
    }
    case 'PropertyIsNull': {
      const attribute = children[0] && propertyOf(children[0]);
      return attribute === undefined ? undefined : [{ attribute, operator: 'missing', values: [] }];
    }
    case 'PropertyIsBetween':
      return readBetween(children);
    default:
      return oneOrNone(readComparison(operator));
  }
}

const oneOrNone = (condition: Condition | undefined) => condition && [condition];

function readBetween([property, lower, upper]: readonly XmlElement[]): readonly Condition[] | undefined {
  const attribute = property && propertyOf(property);
  const from = lower?.children[0] && literalOf(lower.children[0]);
  const to = upper?.children[0] && literalOf(upper.children[0]);
  if (attribute === undefined || from === undefined || to === undefined) return undefined;
  return [
    { attribute, operator: '>=', values: [from] },
    { attribute, operator: '<=', values: [to] },
  ];
}

function readComparison({ name, children }: XmlElement): Condition | undefined {
  if (!isComparison(name) || children.length !== 2) return undefined;
  const [left, right] = children as [XmlElement, XmlElement];
  const isMirrored = propertyOf(left) === undefined;
  const attribute = propertyOf(isMirrored ? right : left);
  const value = literalOf(isMirrored ? left : right);
  if (attribute === undefined || value === undefined) return undefined;
  const operator = comparisons[name];
  return { attribute, operator: isMirrored ? mirrored[operator] : operator, values: [value] };
}

const isComparison = (name: string): name is keyof typeof comparisons => Object.hasOwn(comparisons, name);
