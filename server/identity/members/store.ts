import type { Member, MemberListQuery } from '@platen/contract/members';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter } from '../../base/database/lists.ts';

interface Row {
  user_id: string;
  username: string;
  email: string;
  role_id: string;
  role_name: string;
  permissions: string[];
  created_at: Date;
  created_by: string;
  updated_at: Date;
  updated_by: string;
}

export function findMembers(db: Db, projectId: string, query: MemberListQuery): Promise<Page<Member>> {
  return selectPage(db, {
    from: sql`membership m join person u on u.id = m.user_id join role r on r.id = m.role_id`,
    columns: sql`m.user_id, u.username, u.email, m.role_id, r.name as role_name, r.permissions,
      m.created_at, m.created_by, m.updated_at, m.updated_by`,
    where: [
      sql`m.project_id = ${projectId}`,
      textFilter('u.username', query.username),
      exactFilter('m.role_id', query.roleId),
    ],
    order: { username: 'u.username', createdAt: 'm.created_at', updatedAt: 'm.updated_at', _id: 'm.user_id' },
    tieBreak: 'm.user_id',
    query,
    fromRow,
  });
}

/** The role of a user in a project; locks the row until the transaction ends. */
export async function lockMembership(db: Db, projectId: string, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('membership')
    .select('role_id')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.role_id;
}

/** The active managers of a project; locks them, so that concurrent changes take turns. */
export async function lockManagers(db: Db, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from membership m join person u on u.id = m.user_id
    where m.project_id = ${projectId} and m.role_id = 'projectManager' and u.is_active
    order by m.user_id for update of m`.execute(db);
  return rows.map((row) => row.user_id);
}

interface NewMembership {
  readonly projectId: string;
  readonly userId: string;
  readonly roleId: string;
  readonly now: Date;
  readonly by: string;
}

export async function upsertMembership(
  db: Db,
  { projectId, userId, roleId, now, by }: NewMembership,
): Promise<void> {
  await db
    .insertInto('membership')
    .values({
      project_id: projectId,
      user_id: userId,
      role_id: roleId,
      created_at: now,
      created_by: by,
      updated_at: now,
      updated_by: by,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'user_id'])
        .doUpdateSet({ role_id: roleId, updated_at: now, updated_by: by }),
    )
    .execute();
}

export async function deleteMembership(db: Db, projectId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('membership')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
}

/** Locks the managers of all projects that the user manages, until the transaction ends. */
export async function lockManagersOfProjects(db: Db, userId: string): Promise<void> {
  await sql`
    select 1 from membership where role_id = 'projectManager' and project_id in (
      select project_id from membership where user_id = ${userId} and role_id = 'projectManager')
    order by project_id, user_id for update`.execute(db);
}

export async function managesAnyProject(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .select('project_id')
    .where('user_id', '=', userId)
    .where('role_id', '=', 'projectManager')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Names of the projects in which the user is the only manager. */
export async function findProjectsWithoutOtherManager(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select p.name from membership m join project p on p.id = m.project_id and p.deleted_at is null
    where m.user_id = ${userId} and m.role_id = 'projectManager' and not exists (
      select from membership o join person u on u.id = o.user_id and u.is_active
      where o.project_id = m.project_id and o.role_id = 'projectManager' and o.user_id <> m.user_id)
    order by p.name limit 10`.execute(db);
  return rows.map((row) => row.name);
}

function fromRow(row: Row): Member {
  return {
    _id: row.user_id,
    username: row.username,
    email: row.email,
    roleId: row.role_id,
    role: { _id: row.role_id, name: row.role_name, permissions: row.permissions },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    createdBy: row.created_by,
    updatedBy: row.updated_by,
  };
}
