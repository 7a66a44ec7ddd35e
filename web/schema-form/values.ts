import { isObject } from '../ui/is-object.ts';

export type Path = readonly (string | number)[];

export function getAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[key] : undefined,
    value,
  );
}

/** A copy with another value at a path; undefined removes it. */
export function setAt(value: unknown, path: Path, to: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : [];
    const inner = setAt(list[key], rest, to);
    if (inner === undefined) list.splice(key, 1);
    else list[key] = inner;
    return list;
  }
  const group: Record<string, unknown> = isObject(value) ? { ...value } : {};
  const inner = setAt(group[key], rest, to);
  if (inner === undefined) delete group[key];
  else group[key] = inner;
  return group;
}

export const pointerOf = (path: Path): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The number of values set: those in groups count individually, a list counts as one. */
export function countSet(value: unknown): number {
  if (value === undefined) return 0;
  if (!isObject(value)) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + countSet(one), 0);
}
