import { folderOf, nameOf } from './upload-item.ts';

/** Adds a number before the extension: `town.shp.zip` becomes `town (2).shp.zip`. */
export function numbered(key: string, number: number): string {
  const name = nameOf(key);
  const at = name.slice(1).search(/(\.[\p{L}\p{N}]{1,8}){1,2}$/u) + 1;
  const end = at === 0 ? name.length : at;
  return `${folderOf(key)}${name.slice(0, end)} (${number})${name.slice(end)}`;
}

/** The deepest folder that contains all keys; '' for the bucket's root. */
export function sharedFolder(keys: readonly string[]): string {
  let shared = folderOf(keys[0] ?? '');
  for (const key of keys) while (!key.startsWith(shared)) shared = folderOf(shared.slice(0, -1));
  return shared;
}

/** The folders directly below a folder that contain keys, and the folder itself if it holds one directly. */
export function foldersBelow(shared: string, keys: readonly string[]): ReadonlySet<string> {
  return new Set(keys.map((key) => key.slice(0, key.indexOf('/', shared.length) + 1) || shared));
}
