import { Type, type TSchema } from 'typebox';

/** An object schema as JSON. */
interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Schemas of one field by the value of another, the discriminator. */
export interface FieldSchemas {
  readonly discriminator: string;
  readonly field: string;
  /** By value of the discriminator; the names become part of those of the variants. */
  readonly byValue: Readonly<Record<string, { readonly name: string; readonly schema: unknown }>>;
}

/**
 * The variants of an object schema by the value of its discriminator, each with its own schema of the field.
 * @param name of the object schema, with which the names of the variants begin
 * @returns the schemas of the variants by name
 */
export function variantsOf(
  name: string,
  schema: unknown,
  { discriminator, field, byValue }: FieldSchemas,
): Record<string, TSchema> {
  const { properties, ...object } = schema as ObjectSchema;
  const variants = Object.entries(byValue).map(([value, variant]): [string, TSchema] => [
    name + variant.name,
    Type.Unsafe({
      ...object,
      properties: {
        ...properties,
        [discriminator]: { type: 'string', enum: [value] },
        [field]: variant.schema,
      },
    }),
  ]);
  return Object.fromEntries(variants);
}

/** The schema with another one of a field. */
export function withField(schema: unknown, field: string, fieldSchema: unknown): TSchema {
  const { properties, ...object } = schema as ObjectSchema;
  return Type.Unsafe({ ...object, properties: { ...properties, [field]: fieldSchema } });
}

interface Branch {
  readonly properties?: Readonly<Record<string, { readonly const?: unknown; readonly enum?: unknown[] }>>;
  readonly required?: readonly string[];
}

/** The property whose values tell the branches of a union apart, and the branch of each value; undefined without one. */
export function discriminatorOf(
  branches: readonly object[],
): { readonly property: string; readonly branchOf: ReadonlyMap<string, object> } | undefined {
  const [first] = branches as readonly Branch[];
  if (branches.length < 2) return undefined;
  for (const property of Object.keys(first?.properties ?? {})) {
    const values = branches.map((branch) => constantOf(branch, property));
    const branchOf = new Map(
      values.flatMap((value, index) => (value === undefined ? [] : [[value, branches[index]!]])),
    );
    if (branchOf.size === branches.length) return { property, branchOf };
  }
  return undefined;
}

/** The only text that a required property of a schema can be. */
function constantOf({ properties = {}, required = [] }: Branch, property: string): string | undefined {
  const schema = properties[property];
  if (!schema || !required.includes(property)) return undefined;
  const [value, ...others] = schema.enum ?? [schema.const];
  return typeof value === 'string' && others.length === 0 ? value : undefined;
}
