import type { CategoryValue } from '@platen/contract/map-styles';
import type { Condition } from '../rules.ts';

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const literal = (value: CategoryValue): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** Conditions that all have to hold, as an expression of QGIS. */
export const writeExpression = (conditions: readonly Condition[]): string =>
  conditions.map(write).join(' AND ');

function write({ attribute, operator, values }: Condition): string {
  const name = quotedName(attribute);
  const list = `(${values.map(literal).join(', ')})`;
  switch (operator) {
    case 'missing':
      return `${name} IS NULL`;
    case 'exists':
      return `${name} IS NOT NULL`;
    case 'notIn':
      return values.length === 0 ? 'TRUE' : `(${name} IS NULL OR ${name} NOT IN ${list})`;
    case 'in':
      return values.length === 0 ? 'FALSE' : `${name} IN ${list}`;
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `${name} ${operator} ${literal(values[0] ?? '')}`;
  }
}
