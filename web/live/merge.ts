type Fields = Readonly<Record<string, unknown>>;

export interface Clash {
  /** The field that both sides have changed to different values. */
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** Whether two JSON values are equal, including the order of keys. */
export const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * Merges two versions field by field: a field changed on one side is taken from it; a field changed differently on
 * both is
 * a clash, for which the merged value holds mine.
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
