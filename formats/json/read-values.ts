/** Readers for JSON of others: each returns undefined for a value of another type. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A count or an index. */
export function asIndex(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** Exactly `length` finite numbers. */
export function asNumbers(value: unknown, length: number): readonly number[] | undefined {
  const numbers = asArray(value);
  return numbers?.length === length && numbers.every((number) => asNumber(number) !== undefined)
    ? (numbers as readonly number[])
    : undefined;
}

/** The strings among the values. */
export function asTexts(value: unknown): readonly string[] {
  return (asArray(value) ?? []).filter((text) => typeof text === 'string');
}

/** Objects at their index; other values are undefined. */
export function asObjects(value: unknown): readonly (JsonObject | undefined)[] {
  return (asArray(value) ?? []).map(asObject);
}
