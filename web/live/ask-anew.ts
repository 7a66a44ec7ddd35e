import type { useQueryCache } from '@pinia/colada';

/**
 * Asks anew for all that is shown and begins with that key, and resolves when it is there. What cannot be had says so
 * where it is shown: it may be gone by now.
 */
export async function askAnew(
  cache: ReturnType<typeof useQueryCache>,
  key: readonly (string | number | object)[],
): Promise<void> {
  await cache.invalidateQueries({ key: key as never }).catch(() => {});
}
