import { callbackLists } from '@platen/viewer/name-references';
import { isObject } from '../../base/is-object.ts';
import { given, isTexts, type Item, type Reports } from './findings.ts';

/** The key without which an item of a type shows nothing. */
const subjects: Readonly<Record<string, string>> = {
  LayerContentTreeItem: 'layerName',
  WMSGroupContentTreeItem: 'layerName',
  ViewpointContentTreeItem: 'viewpointName',
  ObliqueCollectionContentTreeItem: 'collectionName',
  FlightContentTreeItem: 'flightName',
};

export function checkTreeItem(item: Item, pointer: string, { error, warning }: Reports): void {
  const { name, type, layerNames } = item;
  if (typeof name === 'string' && name !== '') {
    if (name.split('.').includes(''))
      error(
        `${pointer}/name`,
        'emptySegment',
        'Dots separate the levels of the hierarchy. No level may be empty.',
      );
    else if (type === 'SubContentTreeItem' && name.includes('.'))
      error(
        `${pointer}/name`,
        'nestedSubTree',
        'A SubContentTreeItem must be at the top level. Its name cannot contain a dot.',
      );
  }
  const subject = typeof type === 'string' && Object.hasOwn(subjects, type) ? subjects[type] : undefined;
  if (subject !== undefined && (typeof item[subject] !== 'string' || item[subject] === ''))
    error(`${pointer}/${subject}`, 'required', `A ${String(type)} needs the name of what it shows.`);
  if (type === 'LayerGroupContentTreeItem' && !isTexts(layerNames))
    error(`${pointer}/layerNames`, 'required', 'It must be an array of layer names.');
  for (const key of ['title', 'tooltip', 'infoUrl', 'icon']) {
    if (given(item[key]) && typeof item[key] !== 'string')
      error(`${pointer}/${key}`, 'type', 'It must be text. Otherwise, the map viewer drops the item.');
  }
  for (const key of callbackLists) {
    const list = item[key];
    if (!given(list)) continue;
    const isList =
      Array.isArray(list) && list.every((one) => isObject(one) && typeof one['type'] === 'string');
    if (!isList) error(`${pointer}/${key}`, 'type', 'It must be an array of objects with a `type`.');
  }
  if (given(item['children']))
    warning(
      `${pointer}/children`,
      'ignored',
      'Items cannot be nested. A name such as “parent.child” makes an item a child.',
    );
  if (given(item['weight']) && typeof item['weight'] !== 'number')
    warning(`${pointer}/weight`, 'ignored', 'It must be a number. Other values have no effect.');
}
