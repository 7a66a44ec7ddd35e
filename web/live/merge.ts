type Fields = Readonly<Record<string, unknown>>;

export interface Clash {
  /** The name of the field that both have changed, differently. */
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** Whether two JSON values are the same; the order of keys counts, as it does for those who write JSON. */
export const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * What two people made of the same thing, put together field by field: what only one of them has changed is taken from
 * that one, and what both have changed differently are clashes, of which the merged value holds mine.
 */
export function merge<T extends Fields>(
  base: T,
  mine: T,
  theirs: T,
): { merged: T; clashes: readonly Clash[] } {
  const fields = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const clashes: Clash[] = [];
  const merged: Record<string, unknown> = {};
  for (const field of fields) {
    const isMine = !isSame(base[field], mine[field]);
    const isTheirs = !isSame(base[field], theirs[field]);
    if (isMine && isTheirs && !isSame(mine[field], theirs[field])) {
      clashes.push({ field, mine: mine[field], theirs: theirs[field] });
    }
    const value = isMine ? mine[field] : theirs[field];
    if (value !== undefined) merged[field] = value;
  }
  return { merged: merged as T, clashes };
}
