import { element, textElement, type XmlNode } from '../format-xml.ts';
import type { Condition } from '../rules.ts';

const names = {
  '=': 'PropertyIsEqualTo',
  '!=': 'PropertyIsNotEqualTo',
  '<': 'PropertyIsLessThan',
  '<=': 'PropertyIsLessThanOrEqualTo',
  '>': 'PropertyIsGreaterThan',
  '>=': 'PropertyIsGreaterThanOrEqualTo',
} as const;

/** Conditions that all have to hold, as an OGC filter. @param ogc the prefix of its namespace */
export function writeFilter(conditions: readonly Condition[], ogc: string): XmlNode {
  return element(`${ogc}Filter`, {}, joined('And', conditions.map(write)));

  function write({ attribute, operator, values }: Condition): XmlNode {
    switch (operator) {
      case 'missing':
        return element(`${ogc}PropertyIsNull`, {}, property(attribute));
      case 'exists':
        return element(`${ogc}Not`, {}, write({ attribute, operator: 'missing', values }));
      case 'notIn':
        return element(
          `${ogc}Or`,
          {},
          write({ attribute, operator: 'missing', values: [] }),
          element(`${ogc}Not`, {}, write({ attribute, operator: 'in', values })),
        );
      case 'in':
        return values.length === 0
          ? element(`${ogc}And`, {}, nothing('missing', attribute), nothing('exists', attribute))
          : joined(
              'Or',
              values.map((value) => compare('=', attribute, value)),
            );
      case '=':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return compare(operator, attribute, values[0] ?? '');
    }
  }

  function nothing(operator: 'missing' | 'exists', attribute: string): XmlNode {
    return write({ attribute, operator, values: [] });
  }

  function joined(name: 'And' | 'Or', parts: readonly XmlNode[]): XmlNode {
    return parts.length === 1 ? parts[0]! : element(`${ogc}${name}`, {}, parts);
  }

  function property(attribute: string): XmlNode {
    return textElement(`${ogc}PropertyName`, attribute);
  }

  function compare(operator: keyof typeof names, attribute: string, value: string | number | boolean) {
    const literal = textElement(`${ogc}Literal`, String(value));
    return element(`${ogc}${names[operator]}`, {}, property(attribute), literal);
  }
}
