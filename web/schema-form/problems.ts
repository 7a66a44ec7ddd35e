import { Validator, type Schema as ValidatorSchema } from '@cfworker/json-schema';
import { isObject } from '../ui/is-object.ts';
import { narrow, type Schema } from './schema.ts';
import { getAt, pointerOf, type Path } from './values.ts';

/** An invalid value of a form. */
export interface Problem {
  /** A JSON pointer to the value. */
  readonly pointer: string;
  /** The JSON Schema keyword that failed. */
  readonly keyword: string;
  /** The keyword's value: the maximum, the number of characters. */
  readonly limit?: unknown;
  /** The service's message, if the service found the problem. */
  readonly detail?: string;
}

/** Keywords that only report errors further in. */
const wrappers = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
]);

/** All errors of a value. The schema is interpreted, because the content security policy forbids compiled code. */
export function findProblems(schema: Schema, value: unknown): readonly Problem[] {
  const exact = narrow(schema, value);
  const { errors } = new Validator(exact as ValidatorSchema, '2020-12', false).validate(value);
  const seen = new Set<string>();
  return errors
    .filter(({ keyword }) => !wrappers.has(keyword))
    .flatMap(({ keyword, keywordLocation, instanceLocation }): Problem[] => {
      const limit = getAt(exact, pathOf(keywordLocation, exact));
      const at = pathOf(instanceLocation, value);
      if (keyword !== 'required') return [{ pointer: pointerOf(at), keyword, limit }];
      const found = getAt(value, at);
      const missing = (limit as readonly string[]).filter(
        (key) => isObject(found) && found[key] === undefined,
      );
      return missing.map((key) => ({ pointer: pointerOf([...at, key]), keyword }));
    })
    .filter(({ pointer }) => !seen.has(pointer) && seen.add(pointer));
}

/** Parses a pointer into a value; steps are numbers only for lists. */
export function pathOf(pointer: string, value: unknown): Path {
  const keys = pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((key) => decode(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  const path: (string | number)[] = [];
  for (const key of keys) path.push(Array.isArray(getAt(value, path)) ? Number(key) : key);
  return path;
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
