import type { Permission } from '@platen/contract/permission';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { rights } from './authorise.ts';
import type { RoleName } from './roles.ts';

/** A token and the project it is used in. */
export interface Standing {
  /** SHA-256. */
  readonly tokenHash: Buffer;
  readonly projectId: string;
}

interface Found {
  number: number;
  is_super_user: boolean;
  is_admin: boolean;
  role_id: RoleName | null;
}

const none: ReadonlySet<Permission> = new Set();

/**
 * The current permissions of each token in its project, in the given order, for messages that are sent long after the
 * request. Empty if the token has ended, the user is deactivated, or the project is gone.
 */
export async function findPermissions(
  db: Db,
  standings: readonly Standing[],
  now: Date,
): Promise<ReadonlySet<Permission>[]> {
  const hashes = standings.map(({ tokenHash }) => tokenHash.toString('hex'));
  const projectIds = standings.map(({ projectId }) => projectId);
  const { rows } = await sql<Found>`
    select asked.number::int, u.is_super_user, u.is_admin, m.role_id
    from unnest(${hashes}::text[], ${projectIds}::text[]) with ordinality as asked (hash, project_id, number)
    join token t on t.hash = decode(asked.hash, 'hex') and t.expires_at > ${now}
    join user_account u on u.id = t.user_id and u.is_active
    join project p on p.id = asked.project_id
    left join membership m on m.project_id = p.id and m.user_id = u.id`.execute(db);
  const found = new Map(rows.map((row) => [row.number, row]));
  return standings.map(({ projectId }, index) => {
    const row = found.get(index + 1);
    return row ? rights({ ...row, project_id: projectId, is_guest: false }).permissions : none;
  });
}
