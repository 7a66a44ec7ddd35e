const maxMessage = 10_000;
/** A report may contain images; the service limits its total size. */
const maxInResult = 256 * 1024;
const maxDepth = 32;
const maxExample = 4_000;

/**
 * Turns what a job reports into JSON that the service accepts: text from users' files may hold NUL, lone surrogates,
 * non-finite numbers and endless nesting.
 */
export function clean<T>(value: T, maxText = maxMessage): T {
  return cleaned(value, 0, maxText) as T;
}

/** As `clean`, for the result of a job, whose texts may be longer. */
export function cleanResult<T>(result: T): T {
  return clean(result, maxInResult);
}

/** Replaces an example that is too large by its beginning. */
export function cleanExample(example: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const value = clean(example);
  const text = JSON.stringify(value);
  return text.length <= maxExample ? value : { beginning: text.slice(0, maxExample).toWellFormed() };
}

function cleaned(value: unknown, depth: number, maxText: number): unknown {
  if (typeof value === 'string') return value.slice(0, maxText).toWellFormed().replaceAll('\0', '\u{fffd}');
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1, maxText));
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(
    entries.map(([key, part]) => [cleaned(key, depth, maxText) as string, cleaned(part, depth + 1, maxText)]),
  );
}
