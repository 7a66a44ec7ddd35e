import { nameReferences } from '@platen/viewer/name-references';
import { getAt, itemsOf, pathOf, setAt, type Content } from './content.ts';

/** Renames an item and all references to it in this module; other modules may refer to it as well. */
export function renameItem(content: Content, list: string, index: number, name: string): Content {
  const old = itemsOf(content, list)[index]?.['name'];
  const renamed = setAt(content, [list, index, 'name'], name) as Content;
  if (typeof old !== 'string') return renamed;
  return nameReferences(content)
    .filter((reference) => reference.list === list && reference.name === old)
    .reduce<Content>((changed, { pointer }) => {
      const path = pathOf(pointer, changed);
      return getAt(changed, path) === old ? (setAt(changed, path, name) as Content) : changed;
    }, renamed);
}
