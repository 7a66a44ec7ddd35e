import { maxTextLength } from '../city-object/attributes.ts';
import type { AttributeValue } from '../city-object/city-object.ts';
import { guessValue } from '../xml/guess-value.ts';

/** Turns the code of a code list into the word for it; undefined if the list does not have it. */
export type Translate = (codeSpace: string, code: string) => string | undefined;

const numeric = /^(?:int|double|measure)Attribute$/i;

/** The value of a generic attribute by the name of its element: `intAttribute`, `DoubleAttribute`. */
export function genericValue(element: string, text: string): AttributeValue {
  const number = numeric.test(element) && text !== '' ? Number(text) : NaN;
  return Number.isFinite(number) ? number : text.slice(0, maxTextLength);
}

const years = new Set(['yearOfConstruction', 'yearOfDemolition']);
/** `xs:gYear`, of four digits or more, perhaps with a time zone: 0001 is the year 1, and no code. */
const year = /^(-?\d{4,9})(?:Z|[+-]\d{2}:\d{2})?$/;

/** The value of an element without a code list. */
export function elementValue(element: string, text: string): AttributeValue {
  const found = years.has(element) ? year.exec(text) : null;
  return found ? Number(found[1]) : guessValue(text);
}

/** The value of any other simple element. Codes stay texts. */
export function simpleValue(
  element: string,
  text: string,
  codeSpace: string | undefined,
  translate: Translate | undefined,
): AttributeValue {
  if (codeSpace !== undefined) return translate?.(codeSpace, text) ?? text.slice(0, maxTextLength);
  return elementValue(element, text.slice(0, maxTextLength));
}
