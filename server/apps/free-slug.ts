import { maxSlugLength } from '@platen/contract/apps';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';

/** Numbers that are tried for a slug that is taken. */
const maxNumber = 100;

/** The slug with the lowest number from 2 on that no app has; undefined if all up to 100 are taken. */
export async function findFreeSlug(db: Db, taken: string): Promise<string | undefined> {
  const candidates = Array.from({ length: maxNumber - 1 }, (_, index) => {
    const suffix = `-${index + 2}`;
    return taken.slice(0, maxSlugLength - suffix.length).replace(/-$/, '') + suffix;
  });
  const { rows } = await sql<{ slug: string }>`
    select slug from app where slug = any(${candidates}::text[])`.execute(db);
  const used = new Set(rows.map(({ slug }) => slug));
  return candidates.find((one) => !used.has(one));
}
