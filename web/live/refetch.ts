import type { UseQueryEntry, useQueryCache } from '@pinia/colada';

/**
 * Asks anew for all of these that is shown and begins with that key, and resolves when it is there. What cannot be had says so
 * where it is shown: it may be gone by now.
 */
export async function askAnew(
  cache: ReturnType<typeof useQueryCache>,
  key: readonly (string | number | object)[],
  which: (entry: UseQueryEntry) => boolean = () => true,
): Promise<void> {
  await cache.invalidateQueries({ key: key as never, predicate: which }).catch(() => {});
}
