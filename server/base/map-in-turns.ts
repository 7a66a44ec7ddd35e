import { setImmediate } from 'node:timers/promises';

const maxTurnMs = 10;

/** Maps items, and lets the event loop turn between them, as all of them at once may hold it for too long. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  let start = performance.now();
  for (const item of items) {
    if (performance.now() - start > maxTurnMs) {
      await setImmediate();
      start = performance.now();
    }
    mapped.push(map(item));
  }
  return mapped;
}
