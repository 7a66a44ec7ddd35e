import { addAttribute } from '../city-object/attributes.ts';
import type { Attributes } from '../city-object/city-object.ts';
import { asObject, type JsonObject } from '../json/read-values.ts';

const deepest = 8;

/** Attributes of `extras`: leaves by their path, joined by dots. Lists become texts. */
export function addExtras(attributes: Attributes, extras: unknown): void {
  const visit = (value: JsonObject, prefix: string, depth: number): void => {
    for (const [key, one] of Object.entries(value)) {
      const name = prefix === '' ? key : `${prefix}.${key}`;
      const inner = asObject(one);
      if (inner !== undefined) {
        if (depth < deepest) visit(inner, name, depth + 1);
      } else if (typeof one === 'string' || typeof one === 'boolean') addAttribute(attributes, name, one);
      else if (typeof one === 'number' && Number.isFinite(one)) addAttribute(attributes, name, one);
      else if (Array.isArray(one)) addAttribute(attributes, name, textOf(one));
    }
  };
  const object = asObject(extras);
  if (object !== undefined) visit(object, '', 0);
}

const maxListLength = 1000;

function textOf(list: readonly unknown[]): string {
  const values = list
    .slice(0, maxListLength)
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return values.map(String).join('; ').slice(0, 10_000);
}
