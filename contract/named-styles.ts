type Json = Readonly<Record<string, unknown>>;

/** A style item of VC Map with a name. */
export interface NamedStyle extends Json {
  readonly type: string;
  readonly name: string;
}

const maxNameLength = 200;

/**
 * The styles that a datasource offers, in its `properties.styles`; the first is the default. What is no style item with
 * a name, or has the name of an earlier one, is passed over: clients may have written anything.
 */
export function namedStylesOf({ styles }: Json): readonly NamedStyle[] {
  const named = new Map<string, NamedStyle>();
  for (const style of Array.isArray(styles) ? (styles as unknown[]) : [])
    if (isNamedStyle(style) && !named.has(style.name)) named.set(style.name, style);
  return [...named.values()];
}

function isNamedStyle(value: unknown): value is NamedStyle {
  if (typeof value !== 'object' || value === null) return false;
  const { type, name } = value as Json;
  return typeof type === 'string' && typeof name === 'string' && name !== '' && name.length <= maxNameLength;
}
