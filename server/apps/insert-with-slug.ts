import type { App } from '@platen/contract/apps';
import type { Db } from '../base/database/database.ts';
import { takenSlug } from './address-fields.ts';
import { findFreeSlug } from './free-slug.ts';
import { slugOfName } from './slug-of-name.ts';
import { insertApp, type NewRow } from './store.ts';

type NamedRow = Omit<NewRow, 'slug'>;

/**
 * Inserts an app with the given slug, without one if it is null, or else with the one that its name suggests, numbered if
 * another app has it.
 * @throws Failure `conflict` if another app has the given slug
 */
export async function insertWithSlug(tx: Db, row: NamedRow, slug: string | null | undefined): Promise<App> {
  if (slug === undefined) return insertNamed(tx, row);
  const app = await insertApp(tx, { ...row, slug: slug ?? undefined });
  if (!app) throw takenSlug();
  return app;
}

/** Without a slug if too many apps have the same name. */
async function insertNamed(tx: Db, row: NamedRow): Promise<App> {
  const suggested = slugOfName(row.name);
  let slug: string | undefined = suggested;
  for (;;) {
    const app = await insertApp(tx, { ...row, slug });
    if (app) return app;
    slug = await findFreeSlug(tx, suggested);
  }
}
