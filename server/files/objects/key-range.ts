import { sql, type RawBuilder } from 'kysely';

/** Keys that start with `prefix`, as a range of an index in byte order; no character is above U+10FFFF. */
export function startsWith(column: string, prefix: string): RawBuilder<unknown> {
  if (prefix === '') return sql`true`;
  const key = sql.ref(column);
  return sql`(${key} >= ${prefix} and ${key} <= ${prefix + '\u{10ffff}'.repeat(256)} and starts_with(${key}, ${prefix}))`;
}

/** The key itself, and all folders that contain it, each ending in `/`. */
export function placesOf(key: string): string[] {
  const places: string[] = [];
  for (let at = key.indexOf('/'); at !== -1; at = key.indexOf('/', at + 1)) places.push(key.slice(0, at + 1));
  return key.endsWith('/') ? places : [...places, key];
}
