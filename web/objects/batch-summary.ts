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

interface FolderNow<Listed> {
  /** In the order of their keys. */
  readonly items: readonly Listed[];
  readonly totalCount: number;
}

/**
 * Files that were uploaded together as they are now: new versions may have mended some, and others may be deleted.
 * @param now the first files below their folder; undefined: not known yet
 */
export function asTheyAre<Listed extends { readonly key: string }>(
  files: readonly Listed[],
  now: FolderNow<Listed> | undefined,
): readonly Listed[] {
  if (now === undefined) return files;
  const { items, totalCount } = now;
  const known = new Map(items.map((item) => [item.key, item]));
  const last = totalCount > items.length ? items.at(-1)?.key : undefined;
  return files.flatMap((file) => {
    const isBehind = last !== undefined && file.key > last;
    return known.get(file.key) ?? (isBehind ? file : []);
  });
}
