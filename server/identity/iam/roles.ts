import {
  adminPermissions,
  guestPermissions,
  managerPermissions,
  memberPermissions,
  permissions,
} from '@platen/contract/permission';
import type { Permission } from '@platen/contract/permission';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

/** The built-in roles; their names are their ids. */
export const builtInRoles = {
  projectManager: managerPermissions,
  projectMember: memberPermissions,
  appGuest: guestPermissions,
} as const;

export type RoleName = keyof typeof builtInRoles;

export const projectRoles: readonly string[] = ['projectManager', 'projectMember'] satisfies RoleName[];

/** Permissions by role. The sets are shared, so that requests allocate none. */
export const permissionsOf: Readonly<
  Record<RoleName | 'admin' | 'superUser' | 'nobody', ReadonlySet<Permission>>
> = {
  projectManager: new Set(managerPermissions),
  projectMember: new Set(memberPermissions),
  appGuest: new Set(guestPermissions),
  admin: new Set(adminPermissions),
  superUser: new Set(permissions),
  nobody: new Set(),
};

/** Writes the built-in roles of the contract to the database. */
export async function ensureBuiltInRoles(db: Db, now: Date): Promise<void> {
  for (const [id, list] of Object.entries(builtInRoles)) {
    await db
      .insertInto('role')
      .values({ id, name: id, permissions: [...list], created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ permissions: [...list], updated_at: now })
          .where(sql<boolean>`role.permissions is distinct from ${[...list]}::text[]`),
      )
      .execute();
  }
}
