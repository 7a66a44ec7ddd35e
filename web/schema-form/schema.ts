import { isObject } from '../ui/is-object.ts';

/** The part of JSON Schema 2020-12 that forms use, with our own keywords for better fields. */
export interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema | readonly Schema[] | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly additionalItems?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly 'x-unit'?: string;
  readonly 'x-level'?: string;
  readonly 'x-editor'?: string;
}

export const branchesOf = (schema: Schema): readonly Schema[] | undefined => schema.anyOf ?? schema.oneOf;

/** The schema of a record's values. */
export function valuesOf({ patternProperties, additionalProperties }: Schema): Schema | undefined {
  return (
    Object.values(patternProperties ?? {})[0] ??
    (isObject(additionalProperties) ? (additionalProperties as Schema) : undefined)
  );
}

/** The schema of a list's entries. */
export const itemsOf = ({ items }: Schema): Schema | undefined =>
  isObject(items) ? (items as Schema) : undefined;

/** The schemas of a tuple's places; some generators still write them as in drafts before 2020-12. */
export const placesOf = ({ items, prefixItems }: Schema): readonly Schema[] | undefined =>
  prefixItems ?? (Array.isArray(items) ? (items as readonly Schema[]) : undefined);

/** The index of the variant that a value has, or is meant to have. */
export function branchIndexOf(branches: readonly Schema[], value: unknown): number {
  const exact = branches.findIndex((branch) => fits(branch, value) && hasConstants(branch, value));
  return exact === -1
    ? Math.max(
        0,
        branches.findIndex((branch) => fits(branch, value)),
      )
    : exact;
}

function fits(branch: Schema, value: unknown): boolean {
  const inner = branchesOf(branch);
  if (inner) return inner.some((one) => fits(one, value));
  const { type } = branch;
  if (type === undefined) return true;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === (value === null ? 'null' : typeof value);
}

function hasConstants(branch: Schema, value: unknown): boolean {
  const inner = branchesOf(branch);
  if (inner) return inner.some((one) => hasConstants(one, value));
  if (!isObject(value)) return true;
  return Object.entries(branch.properties ?? {}).every(
    ([key, { const: constant }]) => constant === undefined || value[key] === constant,
  );
}

/**
 * Resolves the variants of a schema for a value, so that errors are reported for the value's own shape rather than for
 * every
 * possible one.
 */
export function narrow(schema: Schema, value: unknown): Schema {
  const branches = branchesOf(schema);
  if (branches) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
    return narrow({ ...rest, ...branches[branchIndexOf(branches, value)] }, value);
  }
  if (Array.isArray(value)) return narrowList(schema, value);
  if (!isObject(value)) return schema;
  const values = valuesOf(schema);
  const { patternProperties: _patterns, ...rest } = schema;
  const known = Object.entries(schema.properties ?? {}).map(([key, one]) => [key, narrow(one, value[key])]);
  const others = values
    ? Object.entries(value)
        .filter(([key]) => !Object.hasOwn(schema.properties ?? {}, key))
        .map(([key, one]) => [key, narrow(values, one)])
    : [];
  return { ...rest, properties: Object.fromEntries([...known, ...others]) };
}

function narrowList(schema: Schema, value: readonly unknown[]): Schema {
  const { items: _items, additionalItems: _additional, prefixItems: _prefix, ...rest } = schema;
  const places = placesOf(schema);
  const items = itemsOf(schema);
  if (places) {
    return {
      ...rest,
      maxItems: places.length,
      prefixItems: places.map((one, index) => narrow(one, value[index])),
    };
  }
  return items ? { ...rest, prefixItems: value.map((one) => narrow(items, one)) } : rest;
}
