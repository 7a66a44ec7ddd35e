import { layerOptionNames } from '@platen/contract/datasource-types';
import { optionNames } from '@platen/viewer/engine-names';
import { nearestName } from '../../base/nearest-name.ts';
import type { Item, Report } from './findings.ts';
import { escapePointer } from '../../base/pointer.ts';

/** Options of items that are not among those of layers that show datasources. */
const others = ['type', 'name', 'url', 'copyright', 'title', 'tooltip', 'icon', 'layerTypes', 'description'];
const known = new Set([...optionNames, ...layerOptionNames, ...others]);
/** More distinct unknown keys are the user's own. */
const maxCompared = 500;

/** A key that no engine knows is the user's own; one that differs from an option by a letter or two is a mistake. */
export function spellingCheck(warning: Report): (item: Item, pointer: string) => void {
  const nearest = new Map<string, string | undefined>();
  const nearestOf = (key: string) => {
    if (!nearest.has(key) && nearest.size < maxCompared) nearest.set(key, nearestName(key, known));
    return nearest.get(key);
  };
  return (item, pointer) => {
    for (const key of Object.keys(item)) {
      const name = known.has(key) ? undefined : nearestOf(key);
      if (name === undefined || name in item) continue;
      const detail = `The map viewer does not know this option. Did you mean ${name}?`;
      warning(`${pointer}/${escapePointer(key)}`, 'ignored', detail);
    }
  };
}
