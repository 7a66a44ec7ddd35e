import type { NamedStyle } from '@platen/contract/named-styles';

/** The styles with one more, in the place of that with the same name if there is one. */
export function withStyle(styles: readonly NamedStyle[], style: NamedStyle): readonly NamedStyle[] {
  const at = styles.findIndex(({ name }) => name === style.name);
  return at === -1 ? [...styles, style] : styles.with(at, style);
}

export const withoutStyle = (styles: readonly NamedStyle[], name: string): readonly NamedStyle[] =>
  styles.filter((style) => style.name !== name);

/** The styles with that of the name as the default. */
export const withDefault = (styles: readonly NamedStyle[], name: string): readonly NamedStyle[] =>
  styles.toSorted((a, b) => Number(b.name === name) - Number(a.name === name));
