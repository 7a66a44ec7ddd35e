import type { FreeForm } from '@platen/contract/schema';
import { isObject } from '../../base/is-object.ts';

/** Values that are replaced as a whole and never merged. */
const wholes = new Set(['input', 'datasource']);

/**
 * Merges the given parameters into the stored ones, group by group; lists, inputs and the datasource are replaced.
 */
export function mergeParameters(stored: FreeForm, given: FreeForm): FreeForm {
  const merged: Record<string, unknown> = { ...stored };
  for (const [key, value] of Object.entries(given)) {
    const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
    merged[key] =
      isObject(before) && isObject(value) && !wholes.has(key) ? mergeParameters(before, value) : value;
  }
  return merged;
}
