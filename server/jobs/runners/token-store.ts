import type { EnrolmentToken, EnrolmentTokenListQuery } from '@platen/contract/runners';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage, textFilter } from '../../base/database/lists.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly created_by: string;
  readonly expires_at: Date;
}

interface NewRow {
  readonly id: string;
  readonly hash: Buffer;
  readonly name: string;
  readonly by: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Deletes expired tokens as well. */
export async function insertEnrolmentToken(db: Db, token: NewRow): Promise<EnrolmentToken> {
  const { id, hash, name, by, now, expiresAt } = token;
  await db.deleteFrom('enrolment_token').where('expires_at', '<=', now).execute();
  const values = { id, hash, name, created_at: now, created_by: by, expires_at: expiresAt };
  await db.insertInto('enrolment_token').values(values).execute();
  return fromRow(values);
}

/** Excludes the token of the configuration, which has no ID. */
export function findEnrolmentTokens(
  db: Db,
  query: EnrolmentTokenListQuery,
  now: Date,
): Promise<Page<EnrolmentToken>> {
  return selectPage(db, {
    from: sql`enrolment_token t`,
    columns: sql`t.id, t.name, t.created_at, t.created_by, t.expires_at`,
    where: [sql`t.id is not null and t.expires_at > ${now}`, textFilter('t.name', query.name)],
    order: { name: 't.name', expiresAt: 't.expires_at', createdAt: 't.created_at' },
    tieBreak: 't.id',
    query,
    fromRow,
  });
}

export function deleteEnrolmentToken(db: Db, id: string): Promise<{ name: string } | undefined> {
  return db.deleteFrom('enrolment_token').where('id', '=', id).returning('name').executeTakeFirst();
}

function fromRow(row: Row): EnrolmentToken {
  return {
    _id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    expiresAt: row.expires_at.toISOString(),
  };
}
