import type { AppWithNewAddress } from '@platen/contract/projects';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { findFreeSlug } from './free-slug.ts';

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
