import { isObject } from '../is-object.ts';

/** The part of JSON Schema that completion reads; the rest is left to the validator. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

export type JsonPath = readonly (string | number)[];

/** The schemas that may apply together, without alternatives whose constants contradict the value. */
function branches(schema: JsonSchema, value: unknown): JsonSchema[] {
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const fitting = alternatives.filter((one) => !contradicts(one, value));
  const chosen = fitting.length > 0 ? fitting : alternatives;
  return [schema, ...[...chosen, ...(schema.allOf ?? [])].flatMap((one) => branches(one, value))];
}

function contradicts({ properties = {} }: JsonSchema, value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(properties).some(([key, { const: constant }]) => {
    const given = value[key];
    return constant !== undefined && given !== undefined && given !== constant;
  });
}

/** The schemas that may apply at a path of a value, as far as the value is known. */
export function schemasAt(schema: JsonSchema, path: JsonPath, value: unknown): JsonSchema[] {
  let found = branches(schema, value);
  let at = value;
  for (const step of path) {
    const inner =
      typeof step === 'number' && Array.isArray(at) ? at[step] : isObject(at) ? at[step] : undefined;
    found = found.flatMap((one) => stepInto(one, step)).flatMap((one) => branches(one, inner));
    at = inner;
  }
  return found;
}

function stepInto(schema: JsonSchema, step: string | number): JsonSchema[] {
  if (typeof step === 'number') {
    const { items } = schema;
    if (items === undefined) return [];
    return Array.isArray(items) ? [items[step] as JsonSchema].filter(Boolean) : [items as JsonSchema];
  }
  const own = schema.properties?.[step];
  if (own) return [own];
  return isObject(schema.additionalProperties) ? [schema.additionalProperties] : [];
}

export interface Suggestion {
  /** The displayed text. */
  readonly label: string;
  /** The JSON to insert. */
  readonly json: string;
  readonly detail?: string;
  readonly info?: string;
}

/** Keys that the object at a path may have and does not have yet. */
export function suggestKeys(schema: JsonSchema, path: JsonPath, value: unknown): Suggestion[] {
  const present = valueAt(value, path);
  const found = new Map<string, Suggestion>();
  for (const { properties = {}, required = [] } of schemasAt(schema, path, value)) {
    for (const [key, property] of Object.entries(properties)) {
      if (found.has(key) || (isObject(present) && key in present)) continue;
      const info = property.description ?? property.title;
      const detail = typeOf(property);
      found.set(key, {
        label: key,
        json: `${JSON.stringify(key)}: ${startOf(property)}`,
        ...(detail !== undefined && { detail: required.includes(key) ? `${detail} *` : detail }),
        ...(info !== undefined && { info }),
      });
    }
  }
  return [...found.values()];
}

/** Values that may stand at a path: constants, enums, examples, true and false. */
export function suggestValues(schema: JsonSchema, path: JsonPath, value: unknown): Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const one of schemasAt(schema, path, value)) {
    const examples = Array.isArray(one['examples']) ? (one['examples'] as unknown[]) : [];
    const values: unknown[] = [
      ...(one.const === undefined ? [] : [one.const]),
      ...(one.enum ?? []),
      ...(one.default === undefined ? [] : [one.default]),
      ...examples,
      ...(one.type === 'boolean' ? [true, false] : []),
      ...(one.type === 'null' ? [null] : []),
    ];
    for (const each of values) {
      const json = JSON.stringify(each);
      if (!found.has(json)) found.set(json, { label: typeof each === 'string' ? each : json, json });
    }
  }
  return [...found.values()];
}

export function valueAt(value: unknown, path: JsonPath): unknown {
  let at = value;
  for (const step of path)
    at = isObject(at) || Array.isArray(at) ? (at as Record<string, unknown>)[step] : undefined;
  return at;
}

function typeOf({ type, const: only, enum: choices }: JsonSchema): string | undefined {
  if (only !== undefined || choices) return 'choice';
  return typeof type === 'string' ? type : undefined;
}

/** The initial text of a new value. */
function startOf({ type, const: only, default: initial }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (initial !== undefined) return JSON.stringify(initial);
  return { object: '{}', array: '[]', boolean: 'true', string: '""' }[String(type)] ?? '';
}
