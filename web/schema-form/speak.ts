import type { Field } from './fields.ts';
import type { FieldWords } from './form.ts';
import type { Path } from './values.ts';
import { humanize, splitOptions } from './words.ts';

/** Looks up texts by path, such as `options.tiling.minZoom`; the path omits list indexes and record keys. */
export type Lookup = (path: string) => FieldWords | undefined;

export const nameOf = (path: Path) => path.filter((key) => typeof key === 'string').join('.');

const describedOptions = ({ schema }: Field) =>
  splitOptions(
    schema.description ?? '',
    (schema.enum ?? []).map((option) => String(option)),
  );

/** A field's label and help text, in the user's language or else from the schema. */
export function wordsOf(field: Field, path: Path, lookup: Lookup) {
  const words = lookup(nameOf(path));
  const help = words?.help ?? (words?.options ? undefined : describedOptions(field).intro);
  return {
    title: words?.title ?? field.schema.title ?? humanize(field.key),
    help: help === '' ? undefined : help,
  };
}

export function optionOf(field: Field, path: Path, { option, lookup }: { option: unknown; lookup: Lookup }) {
  const name = String(option);
  const words = lookup(nameOf(path))?.options?.[name];
  return {
    title: words?.title ?? (/[a-z]/.test(name) ? humanize(name) : name),
    help: words ? words.help : describedOptions(field).of[name],
  };
}
