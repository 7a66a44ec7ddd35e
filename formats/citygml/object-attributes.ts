import type { AttributeValue, Attributes } from '../city-object/city-object.ts';
import { guessValue } from '../xml/guess-value.ts';

const maxAttributes = 2000;
const maxNameLength = 200;
const maxTextLength = 10_000;

/** Turns the code of a code list into the word for it; undefined if the list does not have it. */
export type Translate = (codeSpace: string, code: string) => string | undefined;

/** Adds a value. Several of one name become a list in a text. */
export function addAttribute(attributes: Attributes, name: string, value: AttributeValue): void {
  if (name === '' || value === '') return;
  const key = name.slice(0, maxNameLength);
  const known = attributes.get(key);
  if (known === undefined) {
    if (attributes.size < maxAttributes) attributes.set(key, value);
  } else if (known !== value) attributes.set(key, `${known}; ${value}`.slice(0, maxTextLength));
}

const numeric = /^(?:int|double|measure)Attribute$/i;

/** The value of a generic attribute by the name of its element: `intAttribute`, `DoubleAttribute`. */
export function genericValue(element: string, text: string): AttributeValue {
  const number = numeric.test(element) && text !== '' ? Number(text) : NaN;
  return Number.isFinite(number) ? number : text.slice(0, maxTextLength);
}

/** The value of any other simple element. Codes stay texts. */
export function simpleValue(
  text: string,
  codeSpace: string | undefined,
  translate: Translate | undefined,
): AttributeValue {
  if (codeSpace !== undefined) return translate?.(codeSpace, text) ?? text.slice(0, maxTextLength);
  return guessValue(text.slice(0, maxTextLength));
}
