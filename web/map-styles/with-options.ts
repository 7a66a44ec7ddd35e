type Change<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** The same object with other options; undefined removes one. */
export function withOptions<T extends object>(before: T, change: Change<T>): T {
  const entries = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}
