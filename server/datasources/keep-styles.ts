import { isDeepStrictEqual } from 'node:util';
import { namedStylesOf, type NamedStyle } from '@platen/contract/named-styles';
import type { FreeForm } from '@platen/contract/schema';

/**
 * The properties that a datasource gets of a job that updates it. Of the styles that the job makes, those take the place of
 * the former ones that nobody has changed since; new ones come last. What people have changed, added, ordered or removed
 * stays so.
 * @param before the properties so far; undefined for a new datasource
 * @param made those that the job determined
 */
export function withStylesOfJob(before: FreeForm | undefined, made: FreeForm): FreeForm {
  if (!Array.isArray(made['styles'])) return made;
  const next = namedStylesOf(made);
  if (before === undefined || !Array.isArray(before['styles'])) return { ...made, jobStyles: next };
  const current = namedStylesOf(before);
  const former = namedStylesOf({ styles: before['jobStyles'] });
  const isUnchanged = (style: NamedStyle) => former.some((one) => isDeepStrictEqual(one, style));
  const nextOf = ({ name }: NamedStyle) => next.find((one) => one.name === name);
  const kept = current.flatMap((style) => (isUnchanged(style) ? (nextOf(style) ?? []) : style));
  const known = new Set([...current, ...former].map(({ name }) => name));
  return { ...made, styles: [...kept, ...next.filter(({ name }) => !known.has(name))], jobStyles: next };
}
