import { isObject } from '../../ui/is-object.ts';

/** A map configuration with name, description and properties, as JSON. It is immutable: an edit creates a new one. */
export type Content = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, unknown>>;
export type Path = readonly (string | number)[];

/** The items of a list; empty if there is no such list. */
export function itemsOf(content: Content, list: string): readonly Item[] {
  const value = content[list];
  return Array.isArray(value) ? (value as unknown[]).map((item) => (isObject(item) ? item : {})) : [];
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function getAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (!isObject(at) && !Array.isArray(at)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}

/**
 * A copy with another value at a path; undefined removes the key or item. Keys keep their order, a new one is
 * appended, and
 * missing objects along the path are created.
 */
export function setAt(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  const inner = getAt(value, [step]);
  const changed = setAt(inner, rest, next);
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : [];
    if (changed === undefined) list.splice(step, 1);
    else list[step] = changed;
    return list;
  }
  const object = isObject(value) ? value : {};
  if (changed !== undefined) return { ...object, [step]: changed };
  const { [step]: _, ...others } = object;
  return others;
}

/** Like `setAt` with undefined; an object that becomes empty is removed as well, unless it is a list item. */
export function clearAt(value: unknown, path: Path): unknown {
  if (getAt(value, path) === undefined) return value;
  const cleared = setAt(value, path, undefined);
  const parent = path.slice(0, -1);
  const around = getAt(cleared, parent);
  const isEmpty = isObject(around) && Object.keys(around).length === 0;
  return isEmpty && typeof parent.at(-1) === 'string' ? clearAt(cleared, parent) : cleared;
}

export function insertItem(content: Content, list: string, item: Item, at = Infinity): Content {
  const items = Array.isArray(content[list]) ? [...(content[list] as unknown[])] : [];
  items.splice(Math.min(at, items.length), 0, item);
  return { ...content, [list]: items };
}

export function moveItem(content: Content, list: string, from: number, to: number): Content {
  const items = [...(content[list] as unknown[])];
  const [item] = items.splice(from, 1);
  items.splice(to, 0, item);
  return { ...content, [list]: items };
}

/** RFC 6901. */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Parses a pointer; steps into lists become numbers as far as the value is known. */
export function pathOf(pointer: string, value: unknown): Path {
  const path: (string | number)[] = [];
  let at = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(at) ? Number(key) : key;
    path.push(step);
    at = getAt(at, [step]);
  }
  return path;
}

/** A name that is not taken: `roads`, `roads-2`, … */
export function uniqueName(base: string, taken: Iterable<unknown>): string {
  const names = new Set(taken);
  let name = base;
  for (let count = 2; names.has(name); count += 1) name = `${base}-${count}`;
  return name;
}
