import type { RuleSymbol } from './rules.ts';

/** An area with the hatch of one that lies above it; undefined if these are others. */
export function withHatch(below: RuleSymbol, above: RuleSymbol): RuleSymbol | undefined {
  const { shape, outline = null, hatch } = above;
  if (below.shape !== 'area' || shape !== 'area' || below.hatch || !hatch) return undefined;
  return { ...below, outline: outline ?? below.outline, hatch };
}
