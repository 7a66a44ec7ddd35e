import { Validator, type Schema as ValidatorSchema } from '@cfworker/json-schema';
import { isObject, narrow, type Schema } from './schema.ts';
import { getAt, pointerOf, type Path } from './values.ts';

/** What is wrong with one value of a form. */
export interface Problem {
  /** A JSON pointer to the value. */
  readonly pointer: string;
  /** The keyword of JSON Schema that does not hold. */
  readonly keyword: string;
  /** What the keyword says: the largest number, the number of characters. */
  readonly limit?: unknown;
  /** What the service says of it, where it found the problem. */
  readonly detail?: string;
}

/** Only tell of problems further in. */
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

/** All that is wrong with a value. Nothing is compiled: the content security policy would not have it. */
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

/** The path of a pointer within a value; numbers only where there is a list. */
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
