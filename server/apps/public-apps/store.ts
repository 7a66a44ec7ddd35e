import type { PublicApp, PublicAppListQuery } from '@platen/contract/public-apps';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import { inLiveProject } from '../../base/database/live-projects.ts';
import type { Db } from '../../base/database/database.ts';
import { selectPage, textFilter } from '../../base/database/lists.ts';

interface Row {
  id: string;
  slug: string | null;
  name: string;
  description: string;
}

/** Lists public apps by the names of their visible releases. `origin` precedes their paths. */
export function findPublicApps(
  db: Db,
  { limit, page, name }: PublicAppListQuery,
  origin: string,
): Promise<Page<PublicApp>> {
  return selectPage<Row, PublicApp>(db, {
    from: sql`(select a.id, a.slug, coalesce(r.name, a.name) as name, coalesce(r.description, a.description) as description
      from app a left join app_release r on r.id = a.release_id where a.is_public
        and ${inLiveProject('a.project_id')}) shown`,
    columns: sql`shown.id, shown.slug, shown.name, shown.description`,
    where: [textFilter('shown.name', name)],
    order: { name: 'shown.name' },
    tieBreak: 'shown.id',
    query: { limit, page, orderBy: ['name'], sort: 'asc' },
    fromRow: (row) => {
      const path = `${origin}/app/${row.slug ?? row.id}`;
      return {
        name: row.name,
        description: row.description,
        ...(row.slug !== null && { slug: row.slug }),
        url: `${path}/`,
        picture: `${path}/preview.png`,
      };
    },
  });
}
