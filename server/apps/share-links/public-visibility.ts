import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';

/**
 * Whether people without a login may see the draft of app `a`, now or at a scheduled time: adding content to it then
 * needs a permission. Expired links count, because they can be extended.
 */
export const isDraftPublic: RawBuilder<boolean> = sql`((a.is_public and a.release_id is null)
  or (a.public_from is not null and coalesce(a.public_release_id, a.release_id, '') = '')
  or exists (select from share_link l where l.app_id = a.id
    and (l.shows = 'draft' or (l.shows = 'current' and a.release_id is null))))`;

/** Whether people without a login may see the release data pinned by `p`. */
export const isPinPublic: RawBuilder<boolean> = sql`((a.is_public and p.shown_until = 'infinity')
  or (a.public_from is not null and coalesce(a.public_release_id, a.release_id) = p.release_id)
  or exists (select from share_link l where l.app_id = a.id
    and (l.shows = p.release_id or (l.shows = 'current' and p.shown_until = 'infinity'))))`;

/** Whether people without a login may see the current content of app `a`, be it a release or not. */
const isCurrentPublic: RawBuilder<boolean> = sql`(a.is_public
  or (a.public_from is not null and a.public_release_id is null)
  or exists (select from share_link l where l.app_id = a.id and l.shows = 'current'))`;

export const hasPublicDraft = (db: Db, appId: string): Promise<boolean> => matches(db, appId, isDraftPublic);

export const hasPublicContent = (db: Db, appId: string): Promise<boolean> =>
  matches(db, appId, isCurrentPublic);

async function matches(db: Db, appId: string, condition: RawBuilder<boolean>): Promise<boolean> {
  const { rows } = await sql`select from app a where a.id = ${appId} and ${condition}`.execute(db);
  return rows.length > 0;
}
