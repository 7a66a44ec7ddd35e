import type { SizeRule } from '@platen/contract/map-styles';
import { boundsOf, sizeAt } from '../../class-bounds.ts';
import { quotedName } from './write-expression.ts';

/** A size by an attribute as an expression of QGIS; without a number, it is the smallest. */
export function sizeExpression(rule: Exclude<SizeRule, { type: 'single' }>): string {
  const name = `to_real(${quotedName(rule.attribute)})`;
  if (rule.type === 'continuous') {
    const { from, to } = rule;
    return `coalesce(scale_linear(${name}, ${from.value}, ${to.value}, ${from.size}, ${to.size}), ${from.size})`;
  }
  const cases = boundsOf(rule.breaks)
    .slice(0, -1)
    .map(({ to }, i) => `WHEN ${name} < ${to} THEN ${sizeAt(rule.sizes, i)}`);
  const last = sizeAt(rule.sizes, rule.breaks.length - 2);
  return cases.length === 0
    ? String(last)
    : `CASE WHEN ${quotedName(rule.attribute)} IS NULL THEN ${sizeAt(rule.sizes, 0)} ${cases.join(' ')} ELSE ${last} END`;
}
