import type { ListedObject } from '@platen/contract/object-info';
import { nameOf } from '../uploads/upload-item.ts';

/** What the inspections of files that were uploaded together have found. */
export interface BatchSummary {
  readonly count: number;
  /** The names of files that are damaged, or cannot be used as they are. */
  readonly needAttention: readonly string[];
}

/** undefined until all of the files that the list shows are inspected, and for fewer than two. */
export function summaryOf(
  keys: ReadonlySet<string>,
  objects: readonly Pick<ListedObject, 'key' | 'inspection'>[],
): BatchSummary | undefined {
  const shown = objects.filter(({ key }) => keys.has(key));
  if (shown.length < 2 || shown.some(({ inspection }) => inspection === undefined)) return undefined;
  const needy = shown.filter(({ inspection }) => {
    const { isDamaged = false, missing } = inspection!.facts;
    return isDamaged || missing !== undefined;
  });
  return { count: shown.length, needAttention: needy.map(({ key }) => nameOf(key)) };
}
