import { folderOf, nameOf } from './upload-item.ts';

/** With a number before the ending: `town.shp.zip` becomes `town (2).shp.zip`. */
export function numbered(key: string, number: number): string {
  const name = nameOf(key);
  const at = name.slice(1).search(/(\.[\p{L}\p{N}]{1,8}){1,2}$/u) + 1;
  const end = at === 0 ? name.length : at;
  return `${folderOf(key)}${name.slice(0, end)} (${number})${name.slice(end)}`;
}

/**
 * The keys by the folder that is to be read to know which of them are there: the one right below what all have in
 * common, so that a folder that is new altogether is one question.
 */
export function rootsOf(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
  let shared = folderOf(keys[0] ?? '');
  for (const key of keys) while (!key.startsWith(shared)) shared = folderOf(shared.slice(0, -1));
  const roots = new Map<string, string[]>();
  for (const key of keys) {
    const next = key.indexOf('/', shared.length);
    const root = next === -1 ? shared : key.slice(0, next + 1);
    const below = roots.get(root);
    if (below) below.push(key);
    else roots.set(root, [key]);
  }
  return roots;
}
