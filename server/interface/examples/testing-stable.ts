import type { Example } from '@platen/contract/examples';

/** When all examples take place. */
export const exampleTime = Date.parse('2026-01-15T09:30:00.000Z');

const halfHourMs = 1_800_000;
/** Some times are computed back from durations and lie just before the beginning. */
const slackMs = 60_000;
const dayMs = 86_400_000;
/** Longer lists of objects are cut after two. */
const maxItems = 3;

/** Values that differ at each run although they mean the same. */
const patterns = {
  id: /\b[0-7][0-9a-hjkmnp-tv-z]{25}\b/g,
  requestOrSession: /\b[0-9a-f]{32}\b/g,
  secret: /(?<![\w-])(?:platen_)?[\w-]{43}(?![\w-])/g,
  time: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
  retry: /^retry: \d+$/gm,
  /** A position in the files of a bundle, which counts the files of our pages. */
  bundleCursor: /^WzEs[\w-]{10,}$/,
} as const;

/**
 * Replaces what differs at each run (identifiers, secrets, times, addresses) by values that stay. The same identifier
 * is replaced by the same, whatever example it occurs in.
 * @param replaced values by those that they are replaced by
 */
export function createStableValues(
  replaced: Readonly<Record<string, string>>,
): (exchange: Example) => Example {
  const startMs = Date.now();
  const standIns = new Map<string, string>();
  const standInOf = (value: string, make: (number: string) => string) => {
    const known = standIns.get(value) ?? make(String(standIns.size + 1).padStart(4, '0'));
    standIns.set(value, known);
    return known;
  };
  const timeOf = (text: string) => {
    const ms = Date.parse(text);
    if (Math.abs(ms - startMs) < dayMs / 2) return new Date(exampleTime).toISOString(); // of the database
    if (Math.abs(ms - exampleTime) > 400 * dayMs) return text;
    return new Date(Math.floor((ms + slackMs) / halfHourMs) * halfHourMs).toISOString();
  };
  const textOf = (text: string) => {
    const stable = text
      .replace(patterns.id, (id) => standInOf(id, (number) => `01kezz00000000000000000${number}`))
      .replace(patterns.requestOrSession, (id) => standInOf(id, (number) => `5e5510${number}`))
      .replace(patterns.secret, (secret) => standInOf(secret, (number) => `example-secret-${number}`))
      .replace(patterns.time, timeOf)
      .replace(patterns.retry, 'retry: 2000')
      .replace(patterns.bundleCursor, 'WzEsIjY0MSIsMTAwMF0');
    return Object.entries(replaced).reduce((now, [from, to]) => now.replaceAll(from, to), stable);
  };
  const stable = (value: unknown): unknown => {
    if (typeof value === 'string') return textOf(value);
    if (Array.isArray(value)) {
      const isLong = value.length > maxItems && typeof value[0] === 'object';
      return value.slice(0, isLong ? 2 : value.length).map(stable);
    }
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [textOf(key), stable(part)]));
  };
  return (exchange) => stable(exchange) as Example;
}
