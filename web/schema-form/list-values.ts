import { fieldsOf, type Field } from './fields.ts';
import { isObject } from '../ui/is-object.ts';
import { type Schema } from './schema.ts';
import type { Path } from './values.ts';

/** A value that is set. */
export interface SetValue {
  readonly path: Path;
  /** Absent if the schema does not know it. */
  readonly field: Field | undefined;
  readonly value: unknown;
}

/** All set values, group by group; unknown ones come last in their group. */
export function listValues(schema: Schema, value: unknown, path: Path = []): readonly SetValue[] {
  if (!isObject(value)) return [];
  const fields = fieldsOf(schema, value);
  const known = fields.flatMap((field): readonly SetValue[] => {
    const one = value[field.key];
    const at = [...path, field.key];
    if (one === undefined) return [];
    return field.kind === 'group' ? listValues(field.schema, one, at) : [{ path: at, field, value: one }];
  });
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(schema.properties ?? {}, key));
  return [...known, ...unknown.map((key) => ({ path: [...path, key], field: undefined, value: value[key] }))];
}
