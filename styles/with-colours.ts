import type { ColourRule } from '@platen/contract/map-styles';

/** A rule with all of its colours changed. */
export function withColours(rule: ColourRule, change: (hex: string) => string): ColourRule {
  const changed = <T extends { colour: string }>(one: T): T => ({ ...one, colour: change(one.colour) });
  switch (rule.type) {
    case 'single':
      return changed(rule);
    case 'categories':
      return {
        ...rule,
        categories: rule.categories.map(changed),
        ...(rule.others && { others: changed(rule.others) }),
      };
    case 'classes':
      return {
        ...rule,
        colours: rule.colours.map(change),
        ...(rule.noValue && { noValue: changed(rule.noValue) }),
      };
    case 'continuous':
      return {
        ...rule,
        stops: rule.stops.map(changed),
        ...(rule.noValue && { noValue: changed(rule.noValue) }),
      };
  }
}
