import type { MapStyle } from '@platen/contract/map-styles';

/** The names of the attributes that a style follows, each once. */
export function usedAttributes({ colour, size, label, filter = [] }: MapStyle): string[] {
  const rules = [colour, size, label, label?.rank, ...filter];
  return [...new Set(rules.flatMap((rule) => (rule && 'attribute' in rule ? [rule.attribute] : [])))];
}

/**
 * The attributes that a style follows and the data do not have.
 * @param known those of the data; if there are none, nothing is known of them
 */
export function goneAttributes(style: MapStyle, known: readonly string[]): string[] {
  return known.length === 0 ? [] : usedAttributes(style).filter((name) => !known.includes(name));
}
