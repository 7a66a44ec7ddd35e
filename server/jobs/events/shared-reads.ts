/** Maximum number of database connections used by event streams. */
const maxConcurrent = 4;

/**
 * Runs reads with the same key once for all concurrent callers, and only a few reads at a time, so that clients that
 * catch up together do not block other requests.
 */
export function shareReads(): <T>(key: string, read: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  const inTurn = async <T>(read: () => Promise<T>): Promise<T> => {
    if (busy >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy++;
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy--;
    }
  };
  return <T>(key: string, read: () => Promise<T>) => {
    const known = underWay.get(key) as Promise<T> | undefined;
    if (known) return known;
    const reading = inTurn(read).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}
