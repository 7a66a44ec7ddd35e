import { branchesOf, isObject, type Schema } from './schema.ts';

/** What a task reads: a file or folder, a datasource, or an address. */
export type Source = Readonly<Record<string, unknown>> & { readonly type?: string };

/** The shapes that a source may have, by their `type`. */
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

/** One source stands alone unless it was in a list already, as tasks of other programs have it. */
export function writeSources(sources: readonly Source[], before: unknown): unknown {
  if (sources.length === 0) return undefined;
  return sources.length === 1 && !Array.isArray(before) ? sources[0] : sources;
}

/** The name that people know it by. */
export function nameOfSource({ dataBucketKey, url }: Source): string | undefined {
  const text = typeof dataBucketKey === 'string' ? dataBucketKey : typeof url === 'string' ? url : '';
  const name = text
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .split('/')
    .at(-1);
  return name === '' ? undefined : name;
}
