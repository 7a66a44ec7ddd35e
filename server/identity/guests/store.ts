import type { Guest, GuestListQuery } from '@platen/contract/guests';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter, timeFilter } from '../../base/database/lists.ts';

interface Row {
  user_id: string;
  username: string;
  is_active: boolean;
  created_at: Date;
  created_by: string;
}

interface AppPath {
  readonly projectId: string;
  readonly appId: string;
}

export function findGuests(
  db: Db,
  { projectId, appId }: AppPath,
  query: GuestListQuery,
): Promise<Page<Guest>> {
  return selectPage(db, {
    from: sql`app_guest g join user_account u on u.id = g.user_id`,
    columns: sql`g.user_id, u.username, u.is_active, g.created_at, g.created_by`,
    where: [
      sql`g.project_id = ${projectId}`,
      sql`g.app_id = ${appId}`,
      textFilter('u.username', query.username),
      timeFilter('createdAt', 'g.created_at', query.createdAt),
      exactFilter('g.created_by', query.createdBy),
    ],
    order: {
      username: 'u.username',
      createdAt: 'g.created_at',
      createdBy: 'g.created_by',
      _id: 'g.user_id',
    },
    tieBreak: 'g.user_id',
    query,
    fromRow: (row: Row) => ({
      _id: row.user_id,
      username: row.username,
      isActive: row.is_active,
      createdAt: row.created_at.toISOString(),
      createdBy: row.created_by,
    }),
  });
}

export interface GuestGrant extends AppPath {
  readonly userId: string;
}

/** @returns whether the user is a new guest */
export async function insertGuest(db: Db, guest: GuestGrant, now: Date, by: string): Promise<boolean> {
  const { projectId, appId, userId } = guest;
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('app_guest')
    .values({ project_id: projectId, app_id: appId, user_id: userId, created_at: now, created_by: by })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** @returns whether the user was a guest */
export async function deleteGuest(db: Db, { appId, userId }: GuestGrant): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('app_guest')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Removes a user as a guest of all apps of a project, including apps in the trash, which could be restored.
 * @returns the ids of those apps
 */
export async function deleteGuestOfAll(db: Db, projectId: string, userId: string): Promise<string[]> {
  const { rows } = await sql<{ app_id: string }>`
    with kept as (
      delete from trash_row r using trash_entry e
      where e.id = r.entry_id and e.project_id = ${projectId} and e.type = 'app'
        and r.source = 'app_guest' and r.content ->> 'user_id' = ${userId}
      returning r.content ->> 'app_id' as app_id
    ), gone as (
      delete from app_guest where project_id = ${projectId} and user_id = ${userId} returning app_id
    )
    select app_id from gone union select app_id from kept order by 1`.execute(db);
  return rows.map((row) => row.app_id);
}
