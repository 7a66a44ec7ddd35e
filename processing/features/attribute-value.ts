import type { AttributeValue } from '@platen/geo/mvt/attributes';

/**
 * Converts a value to one that vector tiles can hold: objects and arrays become JSON text; null, NaN, infinity and
 * bytes become undefined.
 */
export function attributeValueOf(given: unknown): AttributeValue | undefined {
  if (typeof given === 'string' || typeof given === 'boolean') return given;
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined;
  if (typeof given === 'bigint') {
    const number = Number(given);
    return Number.isSafeInteger(number) ? number : String(given);
  }
  if (typeof given !== 'object' || given === null || ArrayBuffer.isView(given)) return undefined;
  return JSON.stringify(given);
}
