export type Json = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and not a list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
