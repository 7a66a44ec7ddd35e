import type { Field } from './fields.ts';
import type { FieldLabel, FieldTexts } from './form.ts';
import type { Path } from './values.ts';
import { humanize, splitOptions } from './option-texts.ts';

/** Looks up texts by path, such as `options.tiling.minZoom`; the path omits list indexes and record keys. */
export type Lookup = (path: string) => FieldTexts | undefined;

export const nameOf = (path: Path) => path.filter((key) => typeof key === 'string').join('.');

const describedOptions = ({ schema }: Field) =>
  splitOptions(
    schema.description ?? '',
    (schema.enum ?? []).map((option) => String(option)),
  );

/** In the user's language, or else from the schema. */
export function textsOf(field: Field, path: Path, lookup: Lookup): FieldLabel {
  const texts = lookup(nameOf(path));
  const help = texts?.help ?? (texts?.options ? undefined : describedOptions(field).intro);
  return {
    title: texts?.title ?? field.schema.title ?? humanize(field.key),
    help: help === '' ? undefined : help,
    unit: texts?.unit ?? field.schema['x-unit'],
  };
}

export function optionOf(field: Field, path: Path, { option, lookup }: { option: unknown; lookup: Lookup }) {
  const name = String(option);
  const texts = lookup(nameOf(path))?.options?.[name];
  return {
    title: texts?.title ?? (/[a-z]/.test(name) ? humanize(name) : name),
    help: texts ? texts.help : describedOptions(field).texts[name],
  };
}
