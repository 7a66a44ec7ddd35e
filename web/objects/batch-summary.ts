import type { ListedObject } from '@platen/contract/object-info';
import { ownerAmong } from '@platen/contract/sidecar-endings';

type BatchFile = Pick<ListedObject, 'key' | 'inspection'>;

/** Whether a file is damaged, has problems, or cannot be used as it is. */
export function needsAttention({ inspection }: Pick<BatchFile, 'inspection'>): boolean {
  const { isDamaged = false, missing, problems = 0 } = inspection?.facts ?? {};
  return isDamaged || missing !== undefined || problems > 0;
}

/**
 * The files of those uploaded together that there are, by name, those that need attention first, without sidecar files;
 * undefined for fewer than two, and until all of them are inspected.
 * @param isOver whether no further inspection is expected
 */
export function resultOf<Listed extends BatchFile>(
  keys: ReadonlySet<string>,
  objects: readonly Listed[],
  isOver = false,
): Listed[] | undefined {
  const listed = new Set(objects.map(({ key }) => key));
  const shown = objects.filter(({ key }) => keys.has(key) && ownerAmong(key, listed) === undefined);
  if (shown.length < 2) return undefined;
  if (!isOver && shown.some(({ inspection }) => inspection === undefined)) return undefined;
  return shown
    .toSorted((a, b) => a.key.localeCompare(b.key, undefined, { numeric: true }))
    .toSorted((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)));
}
