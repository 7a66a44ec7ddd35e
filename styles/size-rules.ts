import type { SizeRule } from '@platen/contract/map-styles';
import { attributeBreaks, numbersOf, type AttributeSummary, type Classing } from './style-attribute.ts';

export type ClassSizes = Extract<SizeRule, { type: 'classes' }>;

/** The sizes of the lowest and of the highest numbers, in pixels. */
interface EndSizes {
  readonly from: number;
  readonly to: number;
}

/** Sizes that grow with a number. */
export function sizeBy(attribute: AttributeSummary, { from, to }: EndSizes): SizeRule {
  const numbers = numbersOf(attribute);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return {
    type: 'continuous',
    attribute: attribute.name,
    from: { value: Number.isFinite(low) ? low : 0, size: from },
    to: { value: Number.isFinite(high) ? high : 1, size: to },
  };
}

/** A size for each class of numbers, in even steps of half a pixel. */
export function classSizes(
  attribute: AttributeSummary,
  { from, to }: EndSizes,
  classing: Classing = {},
): ClassSizes {
  const breaks = attributeBreaks(attribute, classing);
  const last = Math.max(1, breaks.length - 2);
  const sizes = breaks.slice(1).map((_, i) => Math.round((from + ((to - from) * i) / last) * 2) / 2);
  return { type: 'classes', attribute: attribute.name, method: classing.method ?? 'quantile', breaks, sizes };
}

/** Of a rule that follows an attribute. */
export const endSizes = (rule: Exclude<SizeRule, { type: 'single' }>): EndSizes =>
  rule.type === 'classes'
    ? { from: rule.sizes[0]!, to: rule.sizes.at(-1)! }
    : { from: rule.from.size, to: rule.to.size };
