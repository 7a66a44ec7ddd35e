/** Of the database's connections, so many at most are taken by those who follow events. */
const mostAtOnce = 4;

/**
 * Reads that many ask for at the same time: those under one key are done once, and only a few at the same moment, so that
 * all who catch up together hold nobody else up.
 */
export function shareReads(): <T>(key: string, read: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  const inTurn = async <T>(read: () => Promise<T>): Promise<T> => {
    if (busy >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
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
