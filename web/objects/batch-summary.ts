import type { ListedObject } from '@platen/contract/object-info';

type BatchFile = Pick<ListedObject, 'key' | 'inspection'>;

/** Whether a file is damaged, has problems, or cannot be used as it is. */
export function needsAttention({ inspection }: Pick<BatchFile, 'inspection'>): boolean {
  const { isDamaged = false, missing, problems = 0 } = inspection?.facts ?? {};
  return isDamaged || missing !== undefined || problems > 0;
}

/**
 * The files of those uploaded together that the list shows, those that need attention first; undefined until all of
 * them are inspected, and for fewer than two.
 */
export function resultOf<Listed extends BatchFile>(
  keys: ReadonlySet<string>,
  objects: readonly Listed[],
): Listed[] | undefined {
  const shown = objects.filter(({ key }) => keys.has(key));
  if (shown.length < 2 || shown.some(({ inspection }) => inspection === undefined)) return undefined;
  return shown.toSorted((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)));
}
