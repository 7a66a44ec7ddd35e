import { maxSlugLength } from '@platen/contract/apps';
import type { AppWithNewAddress } from '@platen/contract/projects';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';

/** Numbers that are tried for an app whose slug was taken meanwhile. */
const maxNumber = 100;

/** Lets other apps take the slugs of a project that is deleted; its own apps remember them. */
export async function releaseSlugs(tx: Db, projectId: string): Promise<void> {
  await sql`update app set former_slug = slug, slug = null
    where project_id = ${projectId} and slug is not null`.execute(tx);
}

/** Gives apps of a restored project their slugs again; those whose slug is taken get it with a number, or none. */
export async function restoreSlugs(tx: Db, projectId: string): Promise<AppWithNewAddress[]> {
  await sql`update app a set slug = a.former_slug, former_slug = null
    where a.project_id = ${projectId} and a.former_slug is not null
      and not exists (select from app other where other.slug = a.former_slug)`.execute(tx);
  const { rows } = await sql<{ id: string; name: string; former_slug: string }>`
    select id, name, former_slug from app
    where project_id = ${projectId} and former_slug is not null order by id`.execute(tx);
  const changed: AppWithNewAddress[] = [];
  for (const { id, name, former_slug: formerSlug } of rows) {
    const slug = await findFreeSlug(tx, formerSlug);
    await tx
      .updateTable('app')
      .set({ slug: slug ?? null, former_slug: null })
      .where('id', '=', id)
      .execute();
    changed.push({ _id: id, name, formerSlug, ...(slug !== undefined && { slug }) });
  }
  return changed;
}

async function findFreeSlug(tx: Db, taken: string): Promise<string | undefined> {
  const candidates = Array.from({ length: maxNumber - 1 }, (_, index) => {
    const suffix = `-${index + 2}`;
    return taken.slice(0, maxSlugLength - suffix.length).replace(/-$/, '') + suffix;
  });
  const { rows } = await sql<{ slug: string }>`
    select slug from app where slug = any(${candidates}::text[])`.execute(tx);
  const used = new Set(rows.map(({ slug }) => slug));
  return candidates.find((one) => !used.has(one));
}
