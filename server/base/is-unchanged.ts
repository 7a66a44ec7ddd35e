/**
 * Whether a resource already has the values that a request gives: then nothing is written, so that it keeps its
 * revision. A null is the same as no value; the order of keys counts, as it is kept.
 * @param given fields that are undefined are left as they are
 */
export function isUnchanged(resource: object, given: object): boolean {
  return Object.entries(given).every(
    ([name, value]) =>
      value === undefined || jsonOf(value) === jsonOf((resource as Record<string, unknown>)[name]),
  );
}

const jsonOf = (value: unknown) => JSON.stringify(value ?? null);
