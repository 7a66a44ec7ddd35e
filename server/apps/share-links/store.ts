import type { ShareLink, ShareLinkListQuery } from '@platen/contract/share-links';
import type { Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter } from '../../base/database/lists.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';
import type { ShareLinkTable } from '../../base/database/schema.ts';

type Row = Selectable<ShareLinkTable>;

/** The path of a share link. */
export interface ShareLinkPath {
  readonly projectId: string;
  readonly appId: string;
  readonly shareLinkId: string;
}

const order = {
  name: 'l.name',
  expiresAt: 'l.expires_at',
  useCount: 'l.use_count',
  lastUsedAt: 'l.last_used_at',
  ...stampOrder('l'),
};

export function findShareLinks(
  db: Db,
  { projectId, appId, now }: Omit<ShareLinkPath, 'shareLinkId'> & { now: Date },
  query: ShareLinkListQuery,
): Promise<Page<ShareLink>> {
  return selectPage(db, {
    from: sql`share_link l`,
    columns: sql`l.*`,
    where: [
      sql`l.project_id = ${projectId}`,
      sql`l.app_id = ${appId}`,
      textFilter('l.name', query.name),
      exactFilter('l.shows', query.shows),
      ...stampConditions('l', query),
    ],
    order,
    tieBreak: 'l.id',
    query,
    fromRow: (row: Row) => fromRow(row, now),
  });
}

export async function findShareLink(db: Db, place: ShareLinkPath, now: Date): Promise<ShareLink | undefined> {
  const row = await selectLink(db, place).executeTakeFirst();
  return row && fromRow(row, now);
}

/** Locked until the transaction ends. */
export async function lockShareLink(db: Db, place: ShareLinkPath, now: Date): Promise<ShareLink | undefined> {
  const row = await selectLink(db, place).forUpdate().executeTakeFirst();
  return row && fromRow(row, now);
}

const selectLink = (db: Db, { projectId, appId, shareLinkId }: ShareLinkPath) =>
  db
    .selectFrom('share_link')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('app_id', '=', appId)
    .where('id', '=', shareLinkId);

/** null: it has none. */
interface Fields extends Pick<ShareLink, 'name' | 'shows' | 'allowedOrigins'> {
  readonly passwordHash: string | null;
  readonly expiresAt: Date | null;
  readonly maxUses: number | null;
}

interface NewRow extends Fields, ShareLinkPath {
  readonly tokenHash: Buffer;
  readonly by: string;
  readonly now: Date;
}

export async function insertShareLink(db: Db, link: NewRow): Promise<ShareLink> {
  const row = await db
    .insertInto('share_link')
    .values({
      id: link.shareLinkId,
      project_id: link.projectId,
      app_id: link.appId,
      name: link.name,
      shows: link.shows,
      token_hash: link.tokenHash,
      password_hash: link.passwordHash,
      expires_at: link.expiresAt,
      max_uses: link.maxUses,
      allowed_origins: link.allowedOrigins,
      ...madeBy(link.by, link.now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row, link.now);
}

interface Change {
  readonly fields: Partial<Fields>;
  readonly now: Date;
  readonly by: string;
}

/** Call it for a locked link. */
export async function updateShareLink(
  db: Db,
  { shareLinkId }: ShareLinkPath,
  { fields, now, by }: Change,
): Promise<ShareLink> {
  const { name, shows, allowedOrigins, passwordHash, expiresAt, maxUses } = fields;
  const row = await db
    .updateTable('share_link')
    .set({
      ...(name !== undefined && { name }),
      ...(shows !== undefined && { shows }),
      ...(allowedOrigins !== undefined && { allowed_origins: allowedOrigins }),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(maxUses !== undefined && { max_uses: maxUses }),
      ...changedBy(by, now),
    })
    .where('id', '=', shareLinkId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row, now);
}

/** Deletes a share link with all its visits. */
export async function deleteShareLink(
  db: Db,
  { projectId, appId, shareLinkId }: ShareLinkPath,
): Promise<ShareLink['name'] | undefined> {
  const row = await db
    .deleteFrom('share_link')
    .where('project_id', '=', projectId)
    .where('app_id', '=', appId)
    .where('id', '=', shareLinkId)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

export async function hasRelease(db: Db, appId: string, releaseId: string): Promise<boolean> {
  const { rows } = await sql`
    select from app_release where app_id = ${appId} and id = ${releaseId}`.execute(db);
  return rows.length > 0;
}

function fromRow(row: Row, now: Date): ShareLink {
  const { expires_at: expires, max_uses: maxUses, last_used_at: lastUsed } = row;
  return {
    ...stampsOf(row),
    projectId: row.project_id,
    appId: row.app_id,
    name: row.name,
    shows: row.shows,
    allowedOrigins: row.allowed_origins,
    hasPassword: row.password_hash !== null,
    ...(expires && { expiresAt: expires.toISOString() }),
    ...(maxUses !== null && { maxUses }),
    useCount: row.use_count,
    ...(lastUsed && { lastUsedAt: lastUsed.toISOString() }),
    hasEnded: (expires !== null && expires <= now) || (maxUses !== null && row.use_count >= maxUses),
  };
}

/** The links that went to the trash with their app. */
export async function restoreShareLinkRows(
  db: Db,
  entryId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  await sql`select restore_trash_rows(${entryId}::text, 'share_link')`.execute(db);
  const { rows } = await sql<{ id: string; name: string }>`
    select l.id, l.name from trash_row r join share_link l on l.id = r.content ->> 'id'
    where r.entry_id = ${entryId} and r.source = 'share_link' order by l.id`.execute(db);
  return rows;
}
