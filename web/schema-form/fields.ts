import { branchesOf, itemsOf, placesOf, valuesOf, type Schema } from './schema.ts';

/** Controls for values; the first ones are requested by `x-editor`. */
const editors = [
  'sources',
  'target',
  'bucket',
  'datasource',
  'app',
  'scenario',
  'credentials',
  'layer',
  'crs',
  'encoding',
  'field',
  'fields',
  'expression',
  'expressions',
  'bbox',
] as const;

export type FieldKind =
  | (typeof editors)[number]
  | 'choice'
  | 'choices'
  | 'constant'
  | 'group'
  | 'items'
  | 'json'
  | 'number'
  | 'numbers'
  | 'record'
  | 'switch'
  | 'text'
  | 'texts'
  | 'variant';

export interface Field {
  readonly key: string;
  readonly kind: FieldKind;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isAdvanced: boolean;
}

const isEditor = (name: string | undefined): name is (typeof editors)[number] =>
  editors.some((editor) => editor === name);

export function kindOf(schema: Schema): FieldKind {
  const editor = schema['x-editor'];
  if (isEditor(editor)) return editor;
  if (schema.const !== undefined) return 'constant';
  if (schema.enum) return 'choice';
  if (branchesOf(schema)) return 'variant';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string') return 'text';
  if (schema.type === 'array') return kindOfList(schema);
  if (schema.properties) return 'group';
  return schema.type === 'object' && valuesOf(schema) ? 'record' : 'json';
}

function kindOfList(schema: Schema): FieldKind {
  const items = itemsOf(schema);
  if (!items || placesOf(schema)) return 'json';
  if (items.enum) return 'choices';
  if (items.type === 'string') return 'texts';
  if (items.type === 'integer' || items.type === 'number') return 'numbers';
  return items.properties ? 'items' : 'json';
}

/** The fields of a group in the order of the schema; deprecated ones are omitted unless they have a value. */
export function fieldsOf(schema: Schema, value?: Readonly<Record<string, unknown>>): readonly Field[] {
  return Object.entries(schema.properties ?? {})
    .filter(([key, one]) => !one.deprecated || value?.[key] !== undefined)
    .map(([key, one]) => ({
      key,
      kind: kindOf(one),
      schema: one,
      isRequired: schema.required?.includes(key) ?? false,
      isAdvanced: one['x-level'] === 'advanced' || one.deprecated === true,
    }))
    .filter(({ kind }) => kind !== 'constant');
}

/** A section of the form with a heading, or the fields between such sections. */
export interface Section {
  /** The path of the field, or of the group that holds the fields. */
  readonly path: readonly string[];
  readonly field?: Field;
  readonly fields: readonly Field[];
  /** The schema of the group that holds the fields. */
  readonly schema: Schema;
}

const first = ['sources', 'target'];

/**
 * The sections of a form: the fields of an untitled group take its place; the source comes first, then the
 * destination.
 */
export function sectionsOf(schema: Schema, path: readonly string[] = []): readonly Section[] {
  const sections: Section[] = [];
  const loose: Field[] = [];
  for (const field of fieldsOf(schema)) {
    const at = [...path, field.key];
    if (field.kind === 'group' && field.schema.title === undefined) {
      sections.push(...sectionsOf(field.schema, at));
    } else if (field.kind === 'group') {
      sections.push({ path: at, field, fields: fieldsOf(field.schema), schema: field.schema });
    } else if (first.includes(field.kind)) sections.push({ path, field, fields: [field], schema });
    else loose.push(field);
  }
  if (loose.length > 0) sections.push({ path, fields: loose, schema });
  const rank = ({ field }: Section) => {
    const index = first.indexOf(field?.kind ?? '');
    return index === -1 ? first.length : index;
  };
  return sections.toSorted((a, b) => rank(a) - rank(b));
}
