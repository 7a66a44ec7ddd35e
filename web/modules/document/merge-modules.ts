import { isSame, merge, type Clash } from '../../live/merge.ts';
import { isObject } from '../../ui/is-object.ts';
import { type Content, type Item } from './content.ts';

const divider = ' › ';

const keyOf = (item: unknown): string | undefined => {
  if (!isObject(item)) return undefined;
  const key = item['name'] ?? item['id'];
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined;
};

/** The items by name; undefined if names are missing or repeated. */
function byName(value: unknown): ReadonlyMap<string, Item> | undefined {
  if (!Array.isArray(value)) return undefined;
  const keys = value.map(keyOf);
  if (keys.includes(undefined) || new Set(keys).size < keys.length) return undefined;
  return new Map(value.map((item, index) => [keys[index]!, item as Item]));
}

/**
 * Merges two versions of a module: lists item by item (by name), everything else key by key. A clash of items is named
 * `list › name`; the merged module has my version of it.
 */
export function mergeModules(
  base: Content,
  mine: Content,
  theirs: Content,
): { merged: Content; clashes: readonly Clash[] } {
  const { merged, clashes } = merge(base, mine, theirs);
  const found = clashes.map((clash) => {
    const lists = [base[clash.field] ?? [], clash.mine, clash.theirs].map(byName);
    const [before, ours, others] = lists;
    return before && ours && others
      ? { clash, list: mergeLists(clash.field, before, ours, others) }
      : { clash };
  });
  const lists = found.flatMap(({ clash, list }) => (list ? [[clash.field, list.items] as const] : []));
  return {
    merged: { ...merged, ...Object.fromEntries(lists) },
    clashes: found.flatMap(({ clash, list }) => list?.clashes ?? [clash]),
  };
}

type ItemsByName = ReadonlyMap<string, Item>;

function mergeLists(field: string, base: ItemsByName, mine: ItemsByName, theirs: ItemsByName) {
  const clashes: Clash[] = [];
  const chosen = new Map<string, Item>();
  for (const name of new Set([...mine.keys(), ...theirs.keys()])) {
    const [before, ours, others] = [base.get(name), mine.get(name), theirs.get(name)];
    const isMine = !isSame(before, ours);
    const isTheirs = !isSame(before, others);
    if (isMine && isTheirs && !isSame(ours, others))
      clashes.push({ field: field + divider + name, mine: ours, theirs: others });
    const item = isMine ? ours : others;
    if (item) chosen.set(name, item);
  }
  const common = (names: Iterable<string>) => [...names].filter((name) => base.has(name) && chosen.has(name));
  const isMyOrder = !isSame(common(mine.keys()), common(base.keys()));
  const [first, second] = isMyOrder ? [mine, theirs] : [theirs, mine];
  return { clashes, items: inOrder([...first.keys()], [...second.keys()], chosen) };
}

/** Items in the order of the first list; those only in the second follow their predecessor there. */
function inOrder(first: readonly string[], second: readonly string[], chosen: ItemsByName): Item[] {
  const names = first.filter((name) => chosen.has(name));
  for (const [at, name] of second.entries()) {
    if (names.includes(name) || !chosen.has(name)) continue;
    const before = second.slice(0, at).findLast((one) => names.includes(one));
    names.splice(before === undefined ? 0 : names.indexOf(before) + 1, 0, name);
  }
  return names.map((name) => chosen.get(name)!);
}

/** The merged module with the other user's version of some clashes. */
export function takeTheirs(merged: Content, clashes: readonly Clash[]): Content {
  const content: Record<string, unknown> = { ...merged };
  for (const { field, theirs } of clashes) {
    const [list, name] = splitField(field);
    content[list] = name === undefined ? theirs : withItem(content[list], name, theirs as Item | undefined);
  }
  return content;
}

function withItem(list: unknown, name: string, item: Item | undefined): readonly Item[] {
  const items = (list ?? []) as readonly Item[];
  const at = items.findIndex((one) => keyOf(one) === name);
  const replaced = item === undefined ? [] : [item];
  return at === -1 ? [...items, ...replaced] : items.toSpliced(at, 1, ...replaced);
}

function splitField(field: string): [string, string?] {
  const at = field.indexOf(divider);
  return at === -1 ? [field] : [field.slice(0, at), field.slice(at + divider.length)];
}
