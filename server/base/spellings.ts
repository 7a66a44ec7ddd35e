import { invalidAt } from './failure.ts';

/** A field that clients of other platforms know by another name. */
export interface Spelling {
  readonly own: string;
  readonly alias: string;
  /** The value under our own name; by default the same. */
  readonly toOwn?: (value: never) => unknown;
}

type Body = Readonly<Record<string, unknown>>;

/**
 * The body with the values of aliases under our own names. If both are sent, as by a client that changes one of them in
 * what it has read, the one that differs from the stored value counts.
 * @throws Failure `invalid` if both differ from it and from each other
 */
export function inOwnSpelling<B extends object>(
  body: B,
  spellings: readonly Spelling[],
  stored: Body = {},
): B {
  const result: Record<string, unknown> = { ...(body as Body) };
  for (const { own, alias } of spellings) if (alias !== own) delete result[alias];
  for (const { own, alias, toOwn = (value: unknown) => value } of spellings) {
    const given = (body as Body)[alias];
    if (given === undefined) continue;
    const value = given === null ? null : toOwn(given as never);
    if (value === stored[own]) continue;
    const named = result[own];
    if (named === undefined || named === stored[own]) result[own] = value;
    else if (value !== named)
      throw invalidAt(`/${alias}`, `This is another name of ${own}. Send only one of them.`);
  }
  return result as B;
}
