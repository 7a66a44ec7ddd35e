import type { TSchema } from 'typebox';
import { isObject } from './is-object.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape | readonly Shape[];
  readonly maxItems?: number;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/**
 * Removes optional fields that are null, unless their schema gives null a meaning: clients of typed languages send null
 * for what they leave out. Free-form objects stay as they are. Takes time in proportion to the value, which has not been
 * checked yet: lists that are too long are left to the check.
 */
export function dropNulls(schema: TSchema, value: unknown): void {
  walk(schema as Shape, value);
}

function walk(shape: Shape, value: unknown): void {
  if (!hasFields(value)) return;
  const branch = branchFor(shape, value);
  if (branch) return walk(branch, value);
  if (Array.isArray(value)) {
    const { items, maxItems = Infinity } = shape;
    if (items && !Array.isArray(items) && value.length <= maxItems)
      for (const item of value) walk(items as Shape, item);
    return;
  }
  const { properties, required = [] } = shape;
  if (!properties || !isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) continue;
    const field = properties[name]!;
    if (value[name] !== null) walk(field, value[name]);
    else if (!required.includes(name) && !takesNull(field)) Reflect.deleteProperty(value, name);
  }
}

function hasFields(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false;
  for (const _name in value) return true;
  return false;
}

/** The only branch of a union that the value can be, by its constants. */
function branchFor({ anyOf, oneOf }: Shape, value: object): Shape | undefined {
  const branches = anyOf ?? oneOf;
  if (!branches) return undefined;
  const possible = branches.filter((branch) => canBe(branch, value));
  return possible.length === 1 ? possible[0] : undefined;
}

function canBe({ type, properties = {} }: Shape, value: object): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (type !== undefined && type !== 'object') return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(properties).every(
    ([name, field]) => field.const === undefined || field.const === fields[name],
  );
}

function takesNull({ type, const: constant, enum: values, anyOf, oneOf }: Shape): boolean {
  const branches = anyOf ?? oneOf;
  if (branches) return branches.some(takesNull);
  if (constant !== undefined) return constant === null;
  if (values) return values.includes(null);
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}
