import type { FreeForm } from '@platen/contract/schema';
import { isObject } from '../base/is-object.ts';

const maxStyles = 20;
const maxNameLength = 200;

/** A style item of VC Map; apps refer to it by its name, which is unique among all datasources. */
export interface NamedStyle {
  readonly title: string;
  readonly item: FreeForm & { readonly name: string };
}

/**
 * The styles in `properties.styles` of a datasource: style items of VC Map with a name each, the default first. What is
 * not one, or has the name of an earlier one, is passed over: clients may have written anything.
 */
export function namedStylesOf(datasourceId: string, properties: FreeForm): readonly NamedStyle[] {
  const { styles } = properties;
  const named = new Map<string, NamedStyle>();
  for (const style of Array.isArray(styles) ? styles.slice(0, maxStyles) : []) {
    if (!isObject(style) || typeof style['type'] !== 'string') continue;
    const { name: title, properties: own } = style;
    if (typeof title !== 'string' || title === '' || title.length > maxNameLength || named.has(title))
      continue;
    const name = `${datasourceId}/${title}`;
    named.set(title, { title, item: { ...style, name, properties: { title, ...(isObject(own) && own) } } });
  }
  return [...named.values()];
}
