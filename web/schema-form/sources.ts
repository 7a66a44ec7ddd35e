import { isObject } from '../ui/is-object.ts';
import { branchesOf, type Schema } from './schema.ts';

/** An input of a task: a file or folder, a datasource, or a URL. */
export type Source = Readonly<Record<string, unknown>> & { readonly type?: string };

/** The variants of a source by their `type`. */
export function sourceShapes(schema: Schema): Readonly<Record<string, Schema>> {
  const leaves = (one: Schema): readonly Schema[] =>
    (branchesOf(one) ?? [one]).flatMap((it) => (it === one ? [it] : leaves(it)));
  return Object.fromEntries(
    leaves(schema).flatMap((one) => {
      const name = one.properties?.['type']?.const;
      return typeof name === 'string' ? [[name, one] as const] : [];
    }),
  );
}

export const sourcesOf = (value: unknown): readonly Source[] =>
  (Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value]).filter(
    (one): one is Source => isObject(one),
  );

/** A single source is written without a list, unless it was in one already, as other programs' tasks have it. */
export function writeSources(sources: readonly Source[], before: unknown): unknown {
  if (sources.length === 0) return undefined;
  return sources.length === 1 && !Array.isArray(before) ? sources[0] : sources;
}

/** A source's display name. */
export function nameOfSource({ dataBucketKey, url }: Source): string | undefined {
  const text = typeof dataBucketKey === 'string' ? dataBucketKey : typeof url === 'string' ? url : '';
  const name = text
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .split('/')
    .at(-1);
  return name === '' ? undefined : name;
}
