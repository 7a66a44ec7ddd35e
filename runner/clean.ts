const maxMessage = 10_000;
/** A report may have pictures in it; the service measures it as a whole. */
const maxInResult = 256 * 1024;
const maxDepth = 32;
const maxExample = 4_000;

/**
 * What a job says holds text of its users' files: here it becomes JSON that the service takes, without NUL, lone
 * surrogates, numbers that are none, and nesting without an end.
 */
export function clean<T>(value: T, longestText = maxMessage): T {
  return cleaned(value, 0, longestText) as T;
}

/** The same for what a job has made and found out. */
export function cleanResult<T>(result: T): T {
  return clean(result, maxInResult);
}

/** An example that would be too large to be looked at is told of by its beginning. */
export function cleanExample(example: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const value = clean(example);
  const text = JSON.stringify(value);
  return text.length <= maxExample ? value : { beginning: text.slice(0, maxExample).toWellFormed() };
}

function cleaned(value: unknown, depth: number, longestText: number): unknown {
  if (typeof value === 'string')
    return value.slice(0, longestText).toWellFormed().replaceAll('\0', '\u{fffd}');
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1, longestText));
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(
    entries.map(([key, part]) => [
      cleaned(key, depth, longestText) as string,
      cleaned(part, depth + 1, longestText),
    ]),
  );
}
