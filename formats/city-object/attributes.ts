import type { AttributeValue, Attributes } from './city-object.ts';

const maxAttributes = 2000;
const maxNameLength = 200;
export const maxTextLength = 10_000;

/** Adds a value. Several of one name become a list in a text. */
export function addAttribute(attributes: Attributes, name: string, value: AttributeValue): void {
  if (name === '' || value === '') return;
  const key = name.length > maxNameLength ? name.slice(0, maxNameLength) : name;
  const known = attributes.get(key);
  if (known === undefined) {
    if (attributes.size < maxAttributes) attributes.set(key, value);
  } else if (known !== value) attributes.set(key, `${known}; ${value}`.slice(0, maxTextLength));
}
