import type { DatasourceType } from '@platen/contract/datasource-types';
import type { SourceProperties } from '@platen/contract/datasources';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { permissionsOf, type RoleName } from '../iam/roles.ts';

/** What serving needs to know of a datasource. */
export interface ServedDatasource {
  readonly _id: string;
  readonly type: DatasourceType;
  readonly sourceProperties: SourceProperties;
  readonly bucketId: string | null;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
}

export interface Decision {
  /** undefined: it does not exist, or not for this reader. */
  readonly datasource: ServedDatasource | undefined;
  /** Everybody may read it: a public app shows it. */
  readonly isPublic: boolean;
  /** The secret that was sent belongs to nobody. */
  readonly isUnknownReader: boolean;
}

interface Row {
  id: string | null;
  type: DatasourceType;
  source_properties: SourceProperties;
  bucket_id: string | null;
  bucket_key: string | null;
  served_folder: string | null;
  user_id: string | null;
  is_admin: boolean;
  is_super_user: boolean;
  role_id: RoleName | null;
  is_public: boolean;
  is_guest: boolean;
}

/**
 * The one place that decides who may read the data of a datasource, whichever way it is asked for, in one round trip:
 * whoever may getDatasource in its project, the guests of an app that uses it, and everybody where such an app is public.
 * An app reads only what the user behind it may: their account and membership are looked at now, not when it was published.
 */
export async function decide(
  db: Db,
  datasourceId: string,
  tokenHash: Buffer | undefined,
  now: Date,
): Promise<Decision> {
  const { rows } = await sql<Row>`
    select d.id, d.type, d.source_properties, d.bucket_id, d.bucket_key, d.served_folder,
      u.user_id, u.is_admin, u.is_super_user, m.role_id,
      exists (select from ${appsThatRead} and a.is_public) as is_public,
      exists (select from ${appsThatRead}
        and exists (select from app_guest g where g.app_id = a.id and g.user_id = u.user_id)) as is_guest
    from (values (1)) one
    left join datasource d on d.id = ${datasourceId}
    left join (select t.hash, a.id as user_id, a.is_admin, a.is_super_user
      from token t join user_account a on a.id = t.user_id and a.is_active
      where t.expires_at > ${now}) u on u.hash = ${tokenHash ?? Buffer.alloc(0)}
    left join membership m on m.project_id = d.project_id and m.user_id = u.user_id`.execute(db);
  const row = rows[0]!;
  const isReadable = row.id !== null && (row.is_public || row.is_guest || hasPermission(row));
  return {
    datasource: isReadable ? datasourceOf(row) : undefined,
    isPublic: row.is_public,
    isUnknownReader: tokenHash !== undefined && row.user_id === null,
  };
}

/** Apps that use the datasource of the query, through a module that the user behind the app still may read. */
const appsThatRead = sql`module_datasource md
  join module mo on mo.id = md.module_id
  join app_module am on am.module_id = md.module_id
  join app a on a.id = am.app_id
  join user_account o on o.id = a.member_id and o.is_active
  where md.datasource_id = d.id and (o.is_super_user or o.is_admin
    or exists (select from membership om join role r on r.id = om.role_id
      where om.project_id = a.project_id and om.user_id = o.id
        and ('getModule' = any(r.permissions) or mo.created_by = o.id)))`;

/** A creator without the permission needs getProject; every role that holds it may read anyway. */
function hasPermission({ is_super_user, is_admin, role_id }: Row): boolean {
  if (is_super_user) return true;
  if (is_admin && permissionsOf.admin.has('getDatasource')) return true;
  return role_id !== null && permissionsOf[role_id].has('getDatasource');
}

function datasourceOf(row: Row): ServedDatasource {
  return {
    _id: row.id!,
    type: row.type,
    sourceProperties: row.source_properties,
    bucketId: row.bucket_id,
    bucketKey: row.bucket_key,
    servedFolder: row.served_folder,
  };
}
