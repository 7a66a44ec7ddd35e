import type { AttributeValue } from '@platen/geo/mvt/attributes';

export type AttributeType = 'string' | 'number' | 'integer' | 'boolean';

const truths = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const untruths = new Set(['false', 'f', 'no', 'n', 'off', '0', '']);

/** Converts a value to the type; undefined if that is not possible. */
export function coerce(value: AttributeValue, type: AttributeType): AttributeValue | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : String(value);
    case 'boolean':
      return toBoolean(value);
    case 'number':
      return toNumber(value);
    case 'integer': {
      const number = toNumber(value);
      // Rounds halves away from zero, as people do, and avoids -0.
      return number === undefined ? undefined : Math.sign(number) * Math.round(Math.abs(number)) + 0;
    }
  }
}

function toNumber(value: AttributeValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  // Long text is not a number, and Number() would read all of it to find out.
  if (value.length > 400 || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function toBoolean(value: AttributeValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (value.length > 10) return undefined;
  const word = value.trim().toLowerCase();
  return truths.has(word) ? true : untruths.has(word) ? false : undefined;
}
