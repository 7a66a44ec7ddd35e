import type { UseQueryEntry, useQueryCache } from '@pinia/colada';

/**
 * Fetches the visible answers under a key again and resolves when they have arrived. A failure is shown where the
 * answer
 * is: the resource may be gone.
 */
export async function refetchQueries(
  cache: ReturnType<typeof useQueryCache>,
  key: readonly (string | number | object)[],
  which: (entry: UseQueryEntry) => boolean = () => true,
): Promise<void> {
  await cache.invalidateQueries({ key: key as never, predicate: which }).catch(() => {});
}
