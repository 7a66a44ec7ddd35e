const longestText = 10_000;
const deepest = 32;
const longestExample = 4_000;

/**
 * What a job says holds text of its users' files: here it becomes JSON that the service takes, without NUL, lone
 * surrogates, numbers that are none, and nesting without an end.
 */
export function clean<T>(value: T): T {
  return cleaned(value, 0) as T;
}

/** An example that would be too large to be looked at is told of by its beginning. */
export function cleanExample(example: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const value = clean(example);
  const text = JSON.stringify(value);
  return text.length <= longestExample ? value : { beginning: text.slice(0, longestExample).toWellFormed() };
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string')
    return value.slice(0, longestText).toWellFormed().replaceAll('\0', '\u{fffd}');
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(
    entries.map(([key, part]) => [cleaned(key, depth) as string, cleaned(part, depth + 1)]),
  );
}
